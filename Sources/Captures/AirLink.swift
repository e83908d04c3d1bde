internal import Measurements

/// One link as a sniffer hears it.
///
/// ```
///   requested ──first packet──► open ──end of the link, or a new request──► over
///                               │
///                               └─ clear ──encryption starts──► encrypted: counted, not read
/// ```
struct AirLink {
    private enum State {
        /// It was asked for; the device and whether its address is random.
        case requested(DeviceAddress, isRandom: Bool)
        case open(LinkData)
        case over
    }

    /// What is known of its encryption.
    private enum Encryption {
        case clear
        /// Keys were agreed on; the next packet but one is encrypted.
        case starting
        case encrypted
    }

    /// What all of its packets begin with.
    let accessAddress: UInt32
    /// What its checksums begin with; nil if that is not known.
    let checksumSeed: UInt32?
    private let central: DeviceAddress?
    private let peripheral: DeviceAddress?
    private var state: State
    private var encryption = Encryption.clear
    private var fromCentral = SequenceFilter()
    private var fromPeripheral = SequenceFilter()
    private var turns = TurnGuess()

    /// The link that a request asks for; nil if it is too short.
    ///
    /// Central's and peripheral's address, access address, seed and what does not matter here.
    /// Source: Bluetooth Core, Vol 6 Part B 2.3.3.1.
    init?(request unit: Span<UInt8>) {
        guard unit.count >= 36 else { return nil }
        let peripheral = unit.address(at: 8)
        central = unit.address(at: 2)
        self.peripheral = peripheral
        accessAddress = unit.uint32(at: 14)
        checksumSeed = unit.uint24(at: 18)
        state = .requested(peripheral, isRandom: unit[0] & 0x80 != 0)
    }

    /// A link whose beginning is missing.
    init(_ accessAddress: UInt32, _ conversation: Conversation) {
        self.accessAddress = accessAddress
        checksumSeed = nil
        central = nil
        peripheral = nil
        state = .open(LinkData(conversation))
    }

    /// Whether it has ended.
    var isOver: Bool {
        switch state {
        case .over: true
        case .requested, .open: false
        }
    }

    /// Whether both are of one request, which several sniffers have heard.
    func isSame(as other: AirLink) -> Bool {
        accessAddress == other.accessAddress && checksumSeed == other.checksumSeed
            && central == other.central && peripheral == other.peripheral
    }

    /// Whether it must have ended when the other was asked for.
    func isReplaced(by other: AirLink) -> Bool {
        accessAddress == other.accessAddress
            || (central == other.central && peripheral == other.peripheral)
    }

    /// Takes in that it has ended.
    mutating func disconnect(at instant: Instant, _ gatt: inout GATTTrace) {
        if case .open(var data) = state { data.disconnect(instant, &gatt) }
        state = .over
    }

    /// Takes in that the capture has ended.
    mutating func finish(_ gatt: inout GATTTrace) {
        if case .open(var data) = state { data.finish(&gatt) }
        state = .over
    }
}

extension AirLink {
    /// Takes in a packet whose checksum is right: a header of two octets, and what is sent.
    ///
    /// Source: Bluetooth Core, Vol 6 Part B 2.4.
    mutating func take(
        _ unit: Span<UInt8>, _ packet: AirPacket, _ facts: PacketFacts, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        open(instant, &gatt)
        let start = unit[0] & 0x20 == 0 ? 2 : 3  // an octet on a tone that is sent behind it
        guard unit.count >= start else { return gatt.account.malformed += 1 }
        let payload = unit.extracting(start..<unit.count)
        let direction = turns.direction(of: packet, unit[0], payload, facts.microseconds)
        guard isNew(unit[0], payload, direction) else {
            if !payload.isEmpty { gatt.account.retransmissions += 1 }
            return
        }
        guard !payload.isEmpty else { return }
        guard !isEncrypted(unit[0] & 3, payload, packet) else {
            return gatt.account.encrypted += 1
        }
        take(payload, unit[0] & 3, direction, instant, &gatt)
    }

    private mutating func open(_ instant: Instant, _ gatt: inout GATTTrace) {
        guard case .requested(let device, let isRandom) = state else { return }
        let conversation = gatt.connect(device, isRandom: isRandom, adapter: nil, at: instant)
        state = conversation.map { .open(LinkData($0)) } ?? .over
    }

    private mutating func isNew(
        _ header: UInt8, _ payload: Span<UInt8>, _ direction: PacketDirection
    ) -> Bool {
        switch direction {
        case .sent: fromCentral.isNew(header, payload)
        case .received, .unknown: fromPeripheral.isNew(header, payload)
        }
    }

    private mutating func take(
        _ payload: Span<UInt8>, _ kind: UInt8, _ direction: PacketDirection,
        _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard case .open(var data) = state else { return }
        switch kind {
        case 1, 2:
            state = .over  // so that the data are moved and not copied
            data.take(payload, isFirst: kind == 2, direction, instant, &gatt)
            state = .open(data)
        case 3 where payload[0] == LinkControl.terminate:
            data.disconnect(instant, &gatt)
            state = .over
        case 3: break
        default: gatt.account.malformed += 1
        }
    }
}

/// The operations between two link layers that matter here.
///
/// Source: Bluetooth Core, Vol 6 Part B 2.4.2.
private enum LinkControl {
    static let terminate: UInt8 = 0x02
    static let encryptionResponse: UInt8 = 0x04
    static let startEncryptionRequest: UInt8 = 0x05
    static let reject: UInt8 = 0x0D
    static let rejectExtended: UInt8 = 0x11
}

extension AirLink {
    /// Whether a packet is encrypted: by what the sniffer tells, else by what both have agreed on.
    private mutating func isEncrypted(
        _ kind: UInt8, _ payload: Span<UInt8>, _ packet: AirPacket
    ) -> Bool {
        let isExpected = encryption(of: kind, payload) == .encrypted
        return packet.isClear.map { !$0 } ?? isExpected
    }

    /// What a packet is in, and what those after it will be in.
    private mutating func encryption(of kind: UInt8, _ payload: Span<UInt8>) -> Encryption {
        let operation = kind == 3 ? payload[0] : nil
        switch encryption {
        case .encrypted: return .encrypted
        case .starting where operation == LinkControl.reject && payload.count == 2,
            .starting where operation == LinkControl.rejectExtended && payload.count == 3:
            encryption = .clear
        case .starting
        where operation != LinkControl.startEncryptionRequest || payload.count != 1:
            encryption = .encrypted
            return .encrypted
        case .starting, .clear:
            if operation == LinkControl.encryptionResponse { encryption = .starting }
            if operation == LinkControl.startEncryptionRequest { encryption = .encrypted }
        }
        return .clear
    }
}
