/// Reads pcap, in both orders of octets, with microseconds and nanoseconds.
///
/// Source: draft-ietf-opsawg-pcap.
struct PcapReader {
    private static let headerLength = 24
    private static let recordLength = 16

    private struct Format {
        let order: OctetOrder
        let unitsInSecond: UInt32
        let link: LinkType
    }

    private var format: Format?

    /// A reader at the start of a file.
    init() {}

    /// Whether the header of the file has come.
    var hasHeader: Bool { format != nil }

    /// Hands all records that are whole to the trace.
    ///
    /// - Returns: How many octets are done with.
    /// - Throws: `CaptureDamage` where the rest cannot be read.
    mutating func read(
        _ octets: Span<UInt8>, into trace: inout Trace
    ) throws(CaptureDamage) -> Int {
        var position = 0
        if format == nil {
            guard octets.count >= Self.headerLength else { return 0 }
            format = try Self.format(octets)
            position = Self.headerLength
        }
        guard let format else { return position }
        while let end = try octets.endOfRecord(
            at: position, header: Self.recordLength, lengthAt: 8, format.order,
            number: trace.records + 1)
        {
            Self.record(octets.extracting(position..<end), format, into: &trace)
            position = end
        }
        return position
    }

    private static func format(_ octets: Span<UInt8>) throws(CaptureDamage) -> Format {
        let order: OctetOrder = octets[0] == 0xA1 ? .big : .little
        let version = octets.uint16(at: 4, order)
        guard version == 2 else {
            throw CaptureDamage("it is pcap of version \(version), and only 2 is known")
        }
        // Above the number stands the length of a checksum.
        let number = octets.uint32(at: 20, order) & 0xFFFF
        guard let link = LinkType(pcap: number) else {
            throw CaptureDamage("link type \(UnsupportedLinkType(number: number))")
        }
        let magic = octets.uint32(at: 0, order)
        return Format(
            order: order, unitsInSecond: magic == 0xA1B2_3C4D ? 1_000_000_000 : 1_000_000,
            link: link)
    }

    private static func record(
        _ record: Span<UInt8>, _ format: Format, into trace: inout Trace
    ) {
        let seconds = record.uint32(at: 0, format.order)
        var fraction = record.uint32(at: 4, format.order)
        trace.beginRecord(
            isCut: record.uint32(at: 12, format.order) > record.uint32(at: 8, format.order))
        if fraction >= format.unitsInSecond {
            trace.tellFractionBeyondSecond()
            fraction = format.unitsInSecond - 1
        }
        let microseconds = fraction / (format.unitsInSecond / 1_000_000)
        let facts = PacketFacts(
            link: format.link, microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds))
        trace.take(record.extracting(recordLength..<record.count), facts)
    }
}
