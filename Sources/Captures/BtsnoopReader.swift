/// Reads btsnoop, as `btmon -w` and Android write it.
///
/// Source: RFC 1761 (snoop) with the changes that BlueZ's src/shared/btsnoop.c makes.
struct BtsnoopReader {
    private static let headerLength = 16
    private static let recordLength = 24
    /// 2000-01-01 in its microseconds, and in those since 1970.
    static let epoch = (
        btsnoop: Int64(0x00E0_3AB4_4A67_6000), unix: Int64(946_684_800_000_000)
    )

    private var link: LinkType?
    private var dropped: UInt32 = 0

    /// A reader at the start of a file.
    init() {}

    /// Whether the header of the file has come.
    var hasHeader: Bool { link != nil }

    /// Hands all records that are whole to the trace.
    ///
    /// - Returns: How many octets are done with.
    /// - Throws: `CaptureDamage` where the rest cannot be read.
    mutating func read(
        _ octets: Span<UInt8>, into trace: inout Trace
    ) throws(CaptureDamage) -> Int {
        var position = 0
        if link == nil {
            guard octets.count >= Self.headerLength else { return 0 }
            link = try Self.link(octets)
            position = Self.headerLength
        }
        while let end = try octets.endOfRecord(
            at: position, header: Self.recordLength, lengthAt: 4, .big,
            number: trace.records + 1)
        {
            record(octets.extracting(position..<end), into: &trace)
            position = end
        }
        return position
    }

    private static func link(_ octets: Span<UInt8>) throws(CaptureDamage) -> LinkType {
        let version = octets.uint32(at: 8, .big)
        guard version == 1 else {
            throw CaptureDamage("it is btsnoop of version \(version), and only 1 is known")
        }
        let number = octets.uint32(at: 12, .big)
        guard let link = LinkType(btsnoop: number) else {
            throw CaptureDamage("data link \(UnsupportedLinkType(number: number))")
        }
        return link
    }

    private mutating func record(_ record: Span<UInt8>, into trace: inout Trace) {
        guard let link else { return }
        let flags = record.uint32(at: 8, .big)
        let isCut = record.uint32(at: 0, .big) > record.uint32(at: 4, .big)
        let time = Int64(bitPattern: record.bigUInt64(at: 16))
            .subtractingReportingOverflow(Self.epoch.btsnoop - Self.epoch.unix)
        var facts = PacketFacts(link: link, microseconds: time.overflow ? .min : time.partialValue)
        Self.tell(flags, &facts)
        trace.beginRecord(isCut: isCut)
        count(drops: record.uint32(at: 12, .big), &trace)
        trace.take(record.extracting(Self.recordLength..<record.count), facts)
    }

    /// The flags hold adapter and kind with 2001, else the direction and whether it is data.
    private static func tell(_ flags: UInt32, _ facts: inout PacketFacts) {
        guard facts.link != .monitor else {
            facts.kind = UInt16(truncatingIfNeeded: flags)
            facts.adapter = UInt16(truncatingIfNeeded: flags >> 16)
            return
        }
        facts.direction = flags & 1 == 0 ? .sent : .received
        switch flags & 3 {
        case 2: facts.kind = UInt16(HCIPacketKind.command)
        case 3: facts.kind = UInt16(HCIPacketKind.event)
        default: facts.kind = UInt16(HCIPacketKind.acl)
        }
    }

    /// The field counts from the beginning of the file.
    private mutating func count(drops total: UInt32, _ trace: inout Trace) {
        if total > dropped { trace.tellDropped(Int(total - dropped)) }
        dropped = max(dropped, total)
    }
}
