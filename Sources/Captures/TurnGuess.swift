/// Tells who sent a packet where the sniffer does not: central and peripheral take turns.
///
/// An event of a link begins with the central; the answer to a packet comes 150 µs behind its end.
/// Events are at least 7.5 ms apart, and no packet takes longer than 2.2 ms.
/// Source: Bluetooth Core, Vol 6 Part B 4.1.1 and 4.5.1.
struct TurnGuess {
    private static let pause: Int64 = 150
    /// What clocks of sniffers are off by, in µs.
    private static let tolerance: Int64 = 250

    private var last: (start: Int64, length: Int64, direction: PacketDirection)?

    /// A link on which nothing was sent yet.
    init() {}

    /// Who sent a packet: by the sniffer, by its turn, or else by its operation.
    mutating func direction(
        of packet: AirPacket, _ header: UInt8, _ payload: Span<UInt8>, _ microseconds: Int64
    ) -> PacketDirection {
        var direction = packet.direction
        if direction == .unknown { direction = turn(at: microseconds) }
        if direction == .unknown { direction = Self.sender(header, payload) }
        last = (microseconds, Self.length(payload.count), direction)
        return direction
    }

    /// Unknown if it is no answer to the packet before it.
    private func turn(at microseconds: Int64) -> PacketDirection {
        guard let last else { return .unknown }
        let (distance, overflow) = microseconds.subtractingReportingOverflow(last.start)
        guard !overflow, distance >= 0,
            distance <= last.length + Self.pause + Self.tolerance
        else { return .unknown }
        return last.direction == .sent ? .received : .sent
    }

    /// An operation that only a server sends comes from the sensor; all else begins an event.
    private static func sender(_ header: UInt8, _ payload: Span<UInt8>) -> PacketDirection {
        guard header & 3 == 2, payload.count > L2CAPReassembly.headerLength,
            payload.uint16(at: 2) == L2CAPReassembly.attributeChannel
        else { return .sent }
        let opcode = ATTOpcode(rawValue: payload[L2CAPReassembly.headerLength])
        return opcode?.sender == .server ? .received : .sent
    }

    /// The microseconds that a packet takes at one megabit a second, with all that stands around it.
    private static func length(_ count: Int) -> Int64 { Int64(count + 10) * 8 }
}
