internal import Measurements

/// The links of controllers, by what host and controller told each other.
struct HCITrace {
    /// Links that are followed at a time; a controller has some dozens at most.
    private static let linkLimit = 256

    /// The links, of which a handful is up at a time.
    private var links: [HCILink] = []

    /// A trace without links.
    init() {}

    /// Takes in a packet whose kind is told beside it.
    mutating func take(
        _ packet: Span<UInt8>, _ kind: UInt8, _ facts: PacketFacts, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        switch kind {
        case HCIPacketKind.acl: take(data: packet, facts, instant, &gatt)
        case HCIPacketKind.event: take(event: packet, facts.adapter, instant, &gatt)
        default: break  // commands tell nothing that events do not; sound is not for us
        }
    }

    /// Takes in a packet of the UART transport, whose first octet is its kind.
    mutating func take(
        h4 packet: Span<UInt8>, _ facts: PacketFacts, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard !packet.isEmpty else { return gatt.account.malformed += 1 }
        take(packet.extracting(1..<packet.count), packet[0], facts, instant, &gatt)
    }

    /// Takes in the same with a direction before it, 0 for sent, the highest octet first.
    mutating func take(
        h4WithDirection packet: Span<UInt8>, _ facts: PacketFacts, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        guard packet.count >= 5 else { return gatt.account.malformed += 1 }
        var facts = facts
        facts.direction = packet[3] & 1 == 0 ? .sent : .received
        take(h4: packet.extracting(4..<packet.count), facts, instant, &gatt)
    }

    /// Ends all conversations; the links may still be up.
    mutating func finish(_ gatt: inout GATTTrace) {
        for place in links.indices { links[place].data?.finish(&gatt) }
    }
}

extension HCITrace {
    /// Takes in that a link of Low Energy came up; one of the same handle must have gone unseen.
    mutating func connect(
        _ handle: UInt16, _ adapter: UInt16?, _ peer: (address: DeviceAddress, isRandom: Bool),
        _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        disconnect(handle, adapter, instant, &gatt)
        let conversation = gatt.connect(
            peer.address, isRandom: peer.isRandom, adapter: adapter.map { "hci\($0)" }, at: instant)
        add(HCILink(handle, adapter, conversation.map { LinkData($0) }), &gatt)
    }

    /// Takes in that a link of BR/EDR came up, whose data are not read.
    mutating func connectClassic(
        _ handle: UInt16, _ adapter: UInt16?, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        disconnect(handle, adapter, instant, &gatt)
        add(HCILink(handle, adapter, nil), &gatt)
    }

    private mutating func add(_ link: HCILink, _ gatt: inout GATTTrace) {
        guard links.count < Self.linkLimit else { return gatt.account.beyondLimits += 1 }
        links.append(link)
    }

    /// Takes in that a link went down.
    mutating func disconnect(
        _ handle: UInt16, _ adapter: UInt16?, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard let place = place(handle, adapter) else { return }
        links[place].data?.disconnect(instant, &gatt)
        links.remove(at: place)
    }

    /// Takes in that all links of an adapter are gone.
    mutating func disconnectAll(
        _ adapter: UInt16?, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        for place in links.indices where links[place].adapter == adapter {
            links[place].data?.disconnect(instant, &gatt)
        }
        links.removeAll { $0.adapter == adapter }
    }

    private func place(_ handle: UInt16, _ adapter: UInt16?) -> Int? {
        for place in links.indices
        where links[place].handle == handle && links[place].adapter == adapter { return place }
        return nil
    }
}

extension HCITrace {
    /// Takes in a fragment of data: handle and boundary, length, octets.
    private mutating func take(
        data: Span<UInt8>, _ facts: PacketFacts, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard data.count >= 4, data.count >= 4 + Int(data.uint16(at: 2)) else {
            return gatt.account.malformed += 1
        }
        let word = data.uint16(at: 0)
        let fragment = data.extracting(4..<4 + Int(data.uint16(at: 2)))
        guard let place = place(word & 0x0FFF, facts.adapter) ?? adopt(word, facts, &gatt) else {
            return gatt.account.countUnknown(fragment, isFirst: word >> 12 & 3 != 1)
        }
        let boundary = word >> 12 & 3
        let direction = links[place].direction(facts.direction, boundary)
        links[place].data?.take(
            fragment, isFirst: boundary != FragmentBoundary.continuing, direction, instant, &gatt)
    }

    /// A link whose beginning is missing; nil if nobody told its device.
    private mutating func adopt(
        _ word: UInt16, _ facts: PacketFacts, _ gatt: inout GATTTrace
    ) -> Int? {
        guard links.count < Self.linkLimit, let conversation = gatt.conversationOfUnknownDevice()
        else { return nil }
        links.append(HCILink(word & 0x0FFF, facts.adapter, LinkData(conversation)))
        return links.count - 1
    }
}

/// One link of a controller.
private struct HCILink {
    /// The controller's number for it.
    let handle: UInt16
    /// The adapter, where a capture has several.
    let adapter: UInt16?
    /// What is sent on it; nil if it is of BR/EDR or of a device too many.
    var data: LinkData?

    init(_ handle: UInt16, _ adapter: UInt16?, _ data: LinkData?) {
        self.handle = handle
        self.adapter = adapter
        self.data = data
    }

    /// The direction that a capture tells, else the boundary.
    func direction(_ told: PacketDirection, _ boundary: UInt16) -> PacketDirection {
        switch (told, boundary) {
        case (.sent, _), (.received, _): told
        case (.unknown, FragmentBoundary.firstFromHost): .sent
        case (.unknown, FragmentBoundary.firstFromController): .received
        case (.unknown, _): data?.openDirection ?? .unknown
        }
    }
}

extension CaptureAccount {
    /// Counts a fragment of a device that nobody knows, if it begins an operation.
    mutating func countUnknown(_ fragment: Span<UInt8>, isFirst: Bool) {
        guard isFirst, fragment.count > L2CAPReassembly.headerLength,
            fragment.uint16(at: 2) == L2CAPReassembly.attributeChannel
        else { return }
        operationsOfUnknownDevices += 1
    }
}
