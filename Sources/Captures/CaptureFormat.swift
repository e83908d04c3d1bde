/// What a file is, by its first octets.
package enum CaptureFormat: Equatable, Sendable {
    /// A recording of healthd.
    case gattlog
    /// Bluetooth traffic, as Android and btmon write it.
    case btsnoop
    /// Packets, as tcpdump writes them.
    case pcap
    /// Packets, as Wireshark writes them.
    case pcapng
    /// Anything, compressed.
    case gzip

    /// So many octets tell one capture from another; a file that has fewer is judged by those.
    static let enough = 16

    /// What a file is that begins so, and has no more if `isWhole`; nil if only more octets will tell.
    ///
    /// - Parameters:
    ///   - octets: The first octets.
    ///   - isWhole: Whether the file has no more.
    ///   - text: What was found before in fewer of them.
    /// - Throws: `CaptureDamage` that says what it is, and what to do, if it is nothing of these.
    init?(
        beginning octets: Span<UInt8>, isWhole: Bool, _ text: inout TextBeginning
    ) throws(CaptureDamage) {
        guard !octets.isEmpty else { throw CaptureDamage("it is empty") }
        if let known = Self.beginnings.first(where: { octets.starts(with: $0.octets) }) {
            self = known.format
            return
        }
        if let other = Self.others.first(where: { octets.starts(with: $0.octets) }) {
            throw CaptureDamage(other.what)
        }
        switch text.kind(octets, isWhole: isWhole) {
        case .recording: self = .gattlog
        case .undecided: return nil
        case .otherText: throw CaptureDamage("it is a text, but no recording: \(Self.choice)")
        case .noText:
            throw CaptureDamage("it is neither a recording nor a capture: \(Self.choice)")
        }
    }

    /// What it is called in messages.
    package var title: String {
        switch self {
        case .gattlog: "gattlog"
        case .btsnoop: "btsnoop"
        case .pcap: "pcap"
        case .pcapng: "pcapng"
        case .gzip: "gzip"
        }
    }

    private static let choice = "those are .gattlog, btsnoop, pcap and pcapng, also in gzip"

    /// Source: RFC 1761 (snoop, of which btsnoop is a kind), draft-ietf-opsawg-pcap, RFC 1952.
    private static let beginnings: [(octets: [UInt8], format: CaptureFormat)] = [
        (Array("btsnoop\0".utf8), .btsnoop),
        ([0xA1, 0xB2, 0xC3, 0xD4], .pcap), ([0xD4, 0xC3, 0xB2, 0xA1], .pcap),
        ([0xA1, 0xB2, 0x3C, 0x4D], .pcap), ([0x4D, 0x3C, 0xB2, 0xA1], .pcap),
        ([0x0A, 0x0D, 0x0D, 0x0A], .pcapng), ([0x1F, 0x8B], .gzip),
    ]

    /// What is taken for a capture by mistake; Android packs its log into an archive.
    private static let others: [(octets: [UInt8], what: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "it is a PNG image, not a capture: \(choice)"),
        ([0xFF, 0xD8, 0xFF], "it is a JPEG image, not a capture: \(choice)"),
        (Array("%PDF-".utf8), "it is a PDF document, not a capture: \(choice)"),
        ([0x7F, 0x45, 0x4C, 0x46], "it is a program, not a capture: \(choice)"),
        (Array("SQLite format 3\0".utf8), "it is an SQLite database, not a capture: \(choice)"),
        (
            [0x50, 0x4B, 0x03, 0x04],
            "it is a ZIP archive: unpack it first; in Android's bug reports look for btsnoop_hci.log"
        ),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "it is compressed: unpack it first with `xz -d`"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed: unpack it first with `zstd -d`"),
        (Array("BZh".utf8), "it is compressed: unpack it first with `bzip2 -d`"),
        (Array("snoop\0".utf8), "it is a snoop capture of Solaris; Bluetooth has btsnoop"),
        ([0xA1, 0xB2, 0xCD, 0x34], "it is a modified pcap: convert it with `editcap FILE NEW`"),
        ([0x34, 0xCD, 0xB2, 0xA1], "it is a modified pcap: convert it with `editcap FILE NEW`"),
    ]
}
