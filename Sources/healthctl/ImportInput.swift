import Glibc
import Imports
import Samples

/// A file of samples as it is read, piece by piece, and given as the lines that the daemon imports.
struct ImportInput: SentInput, ~Copyable {
    /// What it is called in messages.
    let name: String
    /// The size of a file in octets; nil where it is not known.
    var size: Int? { first?.size }
    /// How many octets were read.
    private(set) var position = 0
    /// What turns it into lines.
    private(set) var converter: ImportConverter

    private let descriptor: Descriptor
    private let first: FileFacts?
    private var ready: [UInt8] = []
    private var hasMore = true
    private var isEnded = false

    /// Opens the file of this path, or standard input for `-`, and looks at its beginning.
    ///
    /// - Throws: A failure if it cannot be read, or holds nothing that can be imported.
    static func opened(_ path: String, zone: Zone) throws(Failure) -> ImportInput {
        let name = path == "-" ? "standard input" : path
        var input = ImportInput(name, try openedInput(path, name), zone)
        try input.readPiece(or: ExitCode.noInput)
        input.ready = input.convert()
        guard let damage = input.damage, input.ready.isEmpty else { return input }
        throw Failure("\(name): \(damage)", exitCode: ExitCode.dataError)
    }

    private init(_ name: String, _ descriptor: consuming Descriptor, _ zone: Zone) {
        self.name = name
        first = FileFacts(descriptor.number)
        converter = ImportConverter(zone: zone)
        self.descriptor = descriptor
    }

    /// Why it cannot be read to its end, once that is known.
    var damage: String? { converter.damage }

    /// The descriptor to wait for; nil if the next piece is here already.
    var waitsFor: Int32? { hasMore || isEnded || !ready.isEmpty ? nil : descriptor.number }

    /// The next lines, maybe none although more will come; nil at the end.
    ///
    /// - Throws: A failure if it cannot be read.
    mutating func next() throws(Failure) -> [UInt8]? {
        if !ready.isEmpty {
            defer { ready = [] }
            return ready
        }
        if !hasMore {
            guard !isEnded else { return nil }
            try readPiece(or: ExitCode.inputOutput)
        }
        return convert()
    }

    /// What there is to be said, and was not given yet.
    mutating func takeRemarks() -> [String] { converter.takeRemarks() }

    private mutating func readPiece(or code: Int32) throws(Failure) {
        let piece: [UInt8]
        do throws(SystemError) {
            piece = try readOctets(from: descriptor.number)
        } catch {
            throw Failure("cannot read \(name): \(error.text)", exitCode: code)
        }
        position += piece.count
        if piece.isEmpty { converter.finish() } else { converter.feed(piece) }
        isEnded = piece.isEmpty
        hasMore = true
    }

    private mutating func convert() -> [UInt8] {
        let lines = converter.next()
        hasMore = lines != nil
        if damage != nil { (isEnded, hasMore) = (true, false) }
        return lines ?? []
    }
}
