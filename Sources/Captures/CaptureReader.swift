/// The readers of the containers: each takes whole records off the front of what has come.
struct CaptureReader {
    private enum State {
        case btsnoop(BtsnoopReader)
        case pcap(PcapReader)
        case pcapng(PcapngReader)
    }

    private var state: State

    /// A reader of one of the containers; nil for what is none.
    init?(_ format: CaptureFormat) {
        switch format {
        case .btsnoop: state = .btsnoop(BtsnoopReader())
        case .pcap: state = .pcap(PcapReader())
        case .pcapng: state = .pcapng(PcapngReader())
        case .gattlog, .gzip: return nil
        }
    }

    /// Whether the file may end where the last call of `read` has ended.
    var isBetweenRecords: Bool {
        switch state {
        case .btsnoop(let reader): reader.hasHeader
        case .pcap(let reader): reader.hasHeader
        case .pcapng(let reader): reader.isBetweenBlocks
        }
    }

    /// Hands all packets that are whole to the trace.
    ///
    /// - Returns: How many octets are done with.
    /// - Throws: `CaptureDamage` where the rest cannot be read.
    mutating func read(
        _ octets: Span<UInt8>, into trace: inout Trace
    ) throws(CaptureDamage) -> Int {
        switch state {
        case .btsnoop(var reader):
            defer { state = .btsnoop(reader) }
            return try reader.read(octets, into: &trace)
        case .pcap(var reader):
            defer { state = .pcap(reader) }
            return try reader.read(octets, into: &trace)
        case .pcapng(var reader):
            defer { state = .pcapng(reader) }
            return try reader.read(octets, into: &trace)
        }
    }
}

/// What all containers have in common.
enum CaptureLimit {
    /// The longest packet in octets: what tcpdump and Wireshark write at most.
    ///
    /// A length field that says more is damaged, for the longest packet of HCI has 65,539 octets.
    static let packet = 262_144
}

extension Span<UInt8> {
    /// Where the record ends that begins at an offset: a header that holds a length, and so many octets.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - header: The octets of its header.
    ///   - place: Where in the header the length stands.
    ///   - order: Which octet of the length comes first.
    ///   - number: The number of the record in the file.
    /// - Returns: nil if it is not whole.
    /// - Throws: `CaptureDamage` if it is longer than any.
    func endOfRecord(
        at start: Int, header: Int, lengthAt place: Int, _ order: OctetOrder, number: Int
    ) throws(CaptureDamage) -> Int? {
        guard count - start >= header else { return nil }
        let length = uint32(at: start + place, order)
        guard length <= CaptureLimit.packet else { throw .packetTooLong(length, record: number) }
        let end = start + header + Int(length)
        return count >= end ? end : nil
    }
}

extension CaptureDamage {
    /// A packet that says that it is longer than any.
    static func packetTooLong(_ length: UInt32, record: Int) -> CaptureDamage {
        CaptureDamage(
            "record \(record) says that it has \(length) octets, and the longest has "
                + "\(CaptureLimit.packet): the rest cannot be read")
    }
}
