internal import ControlProtocol
internal import Glibc
internal import JSON
internal import Measurements
internal import Storage

/// The answer to `backup`: a checked copy of the store under a new epoch, in pieces.
///
/// The copy is made beside the store and loses its name at once, so that whatever happens leaves
/// nothing behind.
struct BackupAnswer: Answer {
    private let storePath: String
    private var copy: UnnamedFile?
    private var epoch = ""
    private var offset = 0

    /// Octets of one piece; three become four in base64.
    private static let piece = 49_152

    init(storePath: String) {
        self.storePath = storePath
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        guard let copy else {
            try makeCopy(store)
            return AnswerPart(then: self)
        }
        let octets = try copy.read(Self.piece, at: offset)
        guard !octets.isEmpty else {
            return AnswerPart(
                last: [], [(key: "size", value: "\(offset)"), (key: "epoch", value: epoch)])
        }
        var json = JSONWriter()
        json.object { json in
            json.member("class", "chunk")
            json.member("offset", offset)
            json.member("data", base64(octets))
        }
        json.endLine()
        offset += octets.count
        return AnswerPart(json.octets, then: self)
    }

    private mutating func makeCopy(_ store: StoreReader) throws(AnswerError) {
        let path = "\(storePath).backup-\(StoreFile.newEpoch)"
        epoch = StoreFile.newEpoch
        defer { unlink(path) }
        let epoch = epoch
        try asking { () throws(StorageError) in try store.copy(to: path, epoch: epoch) }
        copy = try UnnamedFile(path)
    }
}

/// A file that is open but will have no name.
private final class UnnamedFile: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(AnswerError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure }
    }

    deinit { close(descriptor) }

    /// At most `count` octets from `offset` on; none at the end.
    func read(_ count: Int, at offset: Int) throws(AnswerError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        let got = pread(descriptor, &octets, count, off_t(offset))
        guard got >= 0 else { throw Self.failure }
        return Array(octets[..<got])
    }

    private static var failure: AnswerError {
        .request(ProtocolError(.internal, SystemError("the copy cannot be read").description))
    }
}

/// The octets in base64 (RFC 4648, section 4).
private func base64(_ octets: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((octets.count + 2) / 3 * 4)
    for start in stride(from: 0, to: octets.count, by: 3) {
        let group = octets[start..<min(start + 3, octets.count)]
        let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0..<4 {
            let isPadding = place > group.count
            text.append(
                isPadding ? UInt8(ascii: "=") : digits[word >> (18 - 6 * place) & 63])
        }
    }
    return String(decoding: text, as: UTF8.self)
}
