import CLinux
import Captures
import Glibc

/// A recording or a capture as it is read, piece by piece: a file, or standard input.
///
/// A recording is given as it is, a capture as the recording that it is converted to.
struct RecordingInput: SentInput, ~Copyable {
    /// What it is called in messages.
    let name: String
    /// The size of a file in octets; nil where it is not known.
    var size: Int? { first?.size }
    /// How many octets were read.
    private(set) var position = 0
    /// Why it cannot be read to its end, once that is known.
    private(set) var damage: String?

    private let descriptor: Descriptor
    private let first: FileFacts?
    private var capture: Capture
    private var writer: RecordingWriter
    private var ready: [UInt8] = []
    private var hasMore = true
    private var isEnded = false

    /// Opens the file of this path, or standard input for `-`, and looks at its beginning.
    ///
    /// - Throws: A failure if it cannot be read, or is neither a recording nor a capture.
    static func opened(
        _ path: String, _ options: CaptureOptions
    ) throws(Failure) -> RecordingInput {
        let name = path == "-" ? "standard input" : path
        var input = RecordingInput(name, try openedInput(path, name), options)
        try input.readPiece(or: ExitCode.noInput)
        input.ready = input.convert()
        guard let damage = input.damage, input.capture.account.records == 0 else { return input }
        throw Failure("\(name): \(damage)", exitCode: ExitCode.dataError)
    }

    private init(_ name: String, _ descriptor: consuming Descriptor, _ options: CaptureOptions) {
        self.name = name
        first = FileFacts(descriptor.number)
        capture = Capture(handles: options.handles, deviceOfUnknownLinks: options.device)
        writer = RecordingWriter(name)
        self.descriptor = descriptor
    }

    /// The descriptor to wait for; nil if the next piece is here already.
    var waitsFor: Int32? { hasMore || isEnded ? nil : descriptor.number }

    /// The next octets of the recording, maybe none although more will come; nil at the end.
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

    /// What a capture came to; nil for a recording.
    var account: CaptureReport? {
        guard let format = capture.format, format != .gattlog else { return nil }
        return CaptureReport(name: name, format: format, capture.account, writer.remarks)
    }

    /// Records that were read of a capture so far.
    var records: Int { capture.records }

    /// What there is to be said, and was not given yet.
    mutating func takeRemarks() -> [String] { writer.takeRemarks() }
}

extension RecordingInput {
    private mutating func readPiece(or code: Int32) throws(Failure) {
        let piece: [UInt8]
        do throws(SystemError) {
            piece = try readOctets(from: descriptor.number)
        } catch {
            throw Failure("cannot read \(name): \(error.text)", exitCode: code)
        }
        position += piece.count
        if piece.isEmpty { finish() } else { capture.feed(piece) }
        hasMore = !piece.isEmpty
    }

    /// What is ready of the capture as it can be given; it has no more once nothing is left of a piece.
    private mutating func convert() -> [UInt8] {
        guard !isEnded else { return writer.take() }
        do throws(CaptureDamage) {
            if let output = try capture.next() { writer.write(output) } else { hasMore = false }
        } catch {
            finish()
        }
        return writer.take()
    }

    private mutating func finish() {
        let end = capture.finish()
        writer.write(end.output)
        if capture.format != nil, capture.format != .gattlog { writer.begin() }
        (isEnded, hasMore) = (true, false)
        damage = damage(end.damage?.why, FileFacts(descriptor.number))
    }

    /// A file that only grew was read to its end.
    private func damage(_ damage: String?, _ last: FileFacts?) -> String? {
        guard let first, let last, last != first else { return damage }
        if let damage { return "\(damage); the file changed while it was read" }
        return last.size > first.size ? nil : "the file changed while it was read"
    }
}

/// What tells whether a file has changed.
struct FileFacts: Equatable {
    /// The size in octets.
    let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// The facts of a file; nil if it is no file.
    init?(_ descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int(facts.st_size)
        seconds = facts.st_mtim.tv_sec
        nanoseconds = facts.st_mtim.tv_nsec
    }
}

/// Opens the file of a path, or standard input for `-`.
///
/// - Throws: A failure that names it.
func openedInput(_ path: String, _ name: String) throws(Failure) -> Descriptor {
    do throws(SystemError) {
        return path == "-" ? Descriptor(owning: STDIN_FILENO) : try Descriptor(reading: path)
    } catch {
        throw Failure("cannot read \(name): \(error.text)", exitCode: ExitCode.noInput)
    }
}
