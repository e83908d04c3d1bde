internal import Measurements

/// The kinds of packets of the Linux monitor that matter here.
///
/// Source: BlueZ, src/shared/btsnoop.h; the others are notes, commands, sound and management.
enum MonitorKind {
    /// An adapter is there: type, bus, address, name.
    static let newIndex: UInt16 = 0
    /// An adapter is gone.
    static let deletedIndex: UInt16 = 1
    /// An event of a controller.
    static let event: UInt16 = 3
    /// Data to a controller.
    static let sentData: UInt16 = 4
    /// Data from a controller.
    static let receivedData: UInt16 = 5
    /// An adapter is used from now on.
    static let openIndex: UInt16 = 8
    /// An adapter is not used any more.
    static let closedIndex: UInt16 = 9
    /// A text.
    static let systemNote: UInt16 = 12
}

extension HCITrace {
    /// Takes in a packet of the Linux monitor, whose adapter and kind are told beside it.
    mutating func take(
        monitor packet: Span<UInt8>, _ facts: PacketFacts, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        var facts = facts
        switch facts.kind {
        case MonitorKind.sentData, MonitorKind.receivedData:
            facts.direction = facts.kind == MonitorKind.sentData ? .sent : .received
            take(packet, HCIPacketKind.acl, facts, instant, &gatt)
        case MonitorKind.event: take(packet, HCIPacketKind.event, facts, instant, &gatt)
        case MonitorKind.deletedIndex, MonitorKind.closedIndex:
            disconnectAll(facts.adapter, instant, &gatt)
        default: break
        }
    }

    /// Takes in the same with adapter and kind before it, the high octets first.
    mutating func take(
        monitorWithHeader packet: Span<UInt8>, _ facts: PacketFacts, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        guard packet.count >= 4 else { return gatt.account.malformed += 1 }
        var facts = facts
        facts.adapter = packet.uint16(at: 0, .big)
        facts.kind = packet.uint16(at: 2, .big)
        take(monitor: packet.extracting(4..<packet.count), facts, instant, &gatt)
    }
}
