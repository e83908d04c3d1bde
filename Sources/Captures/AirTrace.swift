internal import Measurements

/// The links that a sniffer has followed, from the packets of the air.
struct AirTrace {
    /// Links that are followed at a time: more than a sniffer hears.
    private static let linkLimit = 256

    private var links: [AirLink] = []

    /// A trace without links.
    init() {}

    /// Takes in a packet; nil is one that does not hold what its headers say.
    mutating func take(
        _ packet: AirPacket?, _ octets: Span<UInt8>, _ facts: PacketFacts, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        guard let packet else { return gatt.account.malformed += 1 }
        let place = links.firstIndex { $0.accessAddress == packet.accessAddress }
        let seed = place.map { links[$0].checksumSeed } ?? AirChecksum.advertisingSeed
        guard AirChecksum.isRight(packet, octets, seed) else {
            return gatt.account.badChecksums += 1
        }
        let unit = octets.extracting(packet.unit)
        if packet.accessAddress == AirPacket.advertising {
            take(advertisement: unit, packet, instant, &gatt)
        } else if let place {
            links[place].take(unit, packet, facts, instant, &gatt)
            if links[place].isOver { links.remove(at: place) }
        } else {
            take(unknown: unit, packet, facts, instant, &gatt)
        }
    }

    /// Ends all conversations; the links may still be up.
    mutating func finish(_ gatt: inout GATTTrace) {
        for place in links.indices { links[place].finish(&gatt) }
    }
}

extension AirTrace {
    /// The kind stands in the low four bits; those that begin with the advertiser's address are read.
    ///
    /// Source: Bluetooth Core, Vol 6 Part B 2.3.
    private mutating func take(
        advertisement unit: Span<UInt8>, _ packet: AirPacket, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        switch unit[0] & 0x0F {
        case 0, 2, 4, 6:
            guard unit.count >= 8 else { return gatt.account.malformed += 1 }
            gatt.advertisers.hear(
                unit.address(at: 2), unit.extracting(8..<unit.count), rssi: packet.rssi)
        case 5: connect(unit, instant, &gatt)
        default: break
        }
    }

    /// A link begins with the request for it; it is told once a packet shows that it came about.
    private mutating func connect(
        _ unit: Span<UInt8>, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard let link = AirLink(request: unit) else {
            return gatt.account.malformed += 1
        }
        guard !links.contains(where: { $0.isSame(as: link) }) else { return }
        for place in links.indices where links[place].isReplaced(by: link) {
            links[place].disconnect(at: instant, &gatt)
        }
        links.removeAll { $0.isReplaced(by: link) }
        guard links.count < Self.linkLimit else { return gatt.account.beyondLimits += 1 }
        links.append(link)
    }

    /// A link whose beginning is missing is followed if somebody told its device.
    private mutating func take(
        unknown unit: Span<UInt8>, _ packet: AirPacket, _ facts: PacketFacts,
        _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard links.count < Self.linkLimit, let conversation = gatt.conversationOfUnknownDevice()
        else {
            let isFirst = unit[0] & 3 == 2
            return gatt.account.countUnknown(
                unit.extracting(2..<unit.count), isFirst: isFirst)
        }
        var link = AirLink(packet.accessAddress, conversation)
        link.take(unit, packet, facts, instant, &gatt)
        if !link.isOver { links.append(link) }
    }
}
