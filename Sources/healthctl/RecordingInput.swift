import Glibc

/// A recording as it is read, piece by piece: a file, or standard input.
struct RecordingInput: ~Copyable {
    /// What it is called in messages.
    let name: String
    /// The size of a file in octets; nil where it is not known.
    let size: Int?
    /// How many octets were read.
    private(set) var position = 0
    private let descriptor: Descriptor
    private var first: [UInt8]?

    /// Opens the file of this path, or standard input for `-`, and looks at its beginning.
    ///
    /// - Throws: A failure if it cannot be read or is no text.
    init(_ path: String) throws(Failure) {
        let name = path == "-" ? "standard input" : path
        let descriptor = try openedInput(path, name)
        let first = try read(descriptor.number, name, ExitCode.noInput)
        if let kind = CaptureKind(beginning: first) {
            throw Failure(
                "\(name) is \(kind.title): replay takes .gattlog recordings, and healthctl cannot "
                    + "convert it yet", exitCode: ExitCode.dataError)
        }
        (self.name, self.first, size) = (name, first, sizeOfFile(descriptor.number))
        self.descriptor = descriptor
    }

    /// The descriptor to wait for; nil if the next piece is here already.
    var waitsFor: Int32? { first == nil ? descriptor.number : nil }

    /// The next piece; no octets at the end.
    ///
    /// - Throws: A failure if it cannot be read.
    mutating func next() throws(Failure) -> [UInt8] {
        let piece: [UInt8]
        if let first {
            piece = first
        } else {
            piece = try read(descriptor.number, "further", ExitCode.inputOutput)
        }
        first = nil
        position += piece.count
        return piece
    }
}

/// What a file is that is no recording, by its first octets.
enum CaptureKind: CaseIterable {
    /// Bluetooth HCI traffic, as Android and btmon write it.
    case btsnoop
    /// Packets, as tcpdump writes them.
    case pcap
    /// Packets, as Wireshark writes them.
    case pcapng
    /// Anything, compressed.
    case gzip

    /// The kind of a file that begins so; nil for any other.
    init?(beginning octets: [UInt8]) {
        let kind = Self.allCases.first { kind in
            kind.beginnings.contains { octets.starts(with: $0) }
        }
        guard let kind else { return nil }
        self = kind
    }

    /// What it is called in messages.
    var title: String {
        switch self {
        case .btsnoop: "a btsnoop capture"
        case .pcap: "a pcap capture"
        case .pcapng: "a pcapng capture"
        case .gzip: "compressed with gzip"
        }
    }

    /// Source: RFC 1761 (snoop, of which btsnoop is a kind), draft-ietf-opsawg-pcap, RFC 1952.
    private var beginnings: [[UInt8]] {
        switch self {
        case .btsnoop: [Array("btsnoop\0".utf8)]
        case .pcap:
            [
                [0xA1, 0xB2, 0xC3, 0xD4], [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
                [0x4D, 0x3C, 0xB2, 0xA1],
            ]
        case .pcapng: [[0x0A, 0x0D, 0x0D, 0x0A]]
        case .gzip: [[0x1F, 0x8B]]
        }
    }
}

private func openedInput(_ path: String, _ name: String) throws(Failure) -> Descriptor {
    do throws(SystemError) {
        return path == "-" ? Descriptor(owning: STDIN_FILENO) : try Descriptor(reading: path)
    } catch {
        throw Failure("cannot read \(name): \(error.text)", exitCode: ExitCode.noInput)
    }
}

private func read(_ descriptor: Int32, _ what: String, _ code: Int32) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
        return try readOctets(from: descriptor)
    } catch {
        throw Failure("cannot read \(what): \(error.text)", exitCode: code)
    }
}

private func sizeOfFile(_ descriptor: Int32) -> Int? {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(facts.st_size)
}
