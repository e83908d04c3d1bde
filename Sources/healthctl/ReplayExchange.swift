import ControlProtocol
import Glibc
import JSON

/// Something that is sent to the daemon piece by piece, and converted on the way.
protocol SentInput: ~Copyable {
    /// What it is called in messages.
    var name: String { get }
    /// The size of a file in octets; nil where it is not known.
    var size: Int? { get }
    /// How many octets were read.
    var position: Int { get }
    /// Why it cannot be read to its end, once that is known.
    var damage: String? { get }
    /// The descriptor to wait for; nil if the next piece is here already.
    var waitsFor: Int32? { get }
    /// The next octets to send, maybe none although more will come; nil at the end.
    mutating func next() throws(Failure) -> [UInt8]?
    /// What there is to be said, and was not given yet.
    mutating func takeRemarks() -> [String]
}

/// One replay or import: lines go out while the daemon's lines come in, so that neither side waits
/// for the other.
struct ReplayExchange<Input: SentInput & ~Copyable>: ~Copyable {
    /// What it came to.
    private(set) var account: ReplayAccount
    /// What is sent.
    private(set) var input: Input
    private var connection: Connection
    private var filter = LoneDotFilter()
    private var progress: ReplayProgress?
    private var pending: ArraySlice<UInt8> = []
    private var isSent = false
    private var parser = JSONParser()

    /// An exchange about an input that was opened over a connection on which nothing was asked yet.
    init(_ input: consuming Input, over connection: consuming Connection, isQuiet: Bool) {
        account = ReplayAccount(name: input.name)
        if !isQuiet {
            progress = ReplayProgress(
                name: input.name, size: input.size,
                isTerminal: Environment.isTerminal(STDERR_FILENO), start: Environment.milliseconds)
        }
        self.input = input
        self.connection = connection
    }

    /// Sends the request and then the input, until the daemon has answered.
    ///
    /// - Throws: The daemon's failure, or one of input or output.
    mutating func run(_ request: Request, _ session: inout Session) throws(Failure) {
        defer { wipeProgress() }
        do throws(Failure) {
            try exchange(request, &session)
        } catch {
            throw error.message.isEmpty ? error : named(error)
        }
    }

    private func named(_ failure: Failure) -> Failure {
        Failure("\(input.name): \(failure.message)", exitCode: failure.exitCode)
    }

    private mutating func exchange(
        _ request: Request, _ session: inout Session
    ) throws(Failure) {
        try connection.send(request)
        while let line = try connection.nextLine() {
            try take(line, &session)
            if case .remark(let text) = line, text.elementsEqual("# send".utf8) { break }
        }
        while try takeArrived(&session) { try step(&session) }
    }

    /// Takes in what is here; false once the reply has ended.
    private mutating func takeArrived(_ session: inout Session) throws(Failure) -> Bool {
        while let line = try connection.arrivedLine() { try take(line, &session) }
        return connection.details == nil
    }

    private mutating func step(_ session: inout Session) throws(Failure) {
        showProgress()
        while pending.isEmpty, !isSent, input.waitsFor == nil { try fill(&session) }
        let isHungry = pending.isEmpty && !isSent
        var entries = [
            pollfd(
                fd: connection.number, events: Int16(pending.isEmpty ? POLLIN : POLLIN | POLLOUT),
                revents: 0),
            pollfd(fd: isHungry ? input.waitsFor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, progress == nil ? -1 : Int32(ReplayProgress.step)) > 0 else {
            return
        }
        if entries[1].revents != 0 { try fill(&session) }
        if entries[0].revents & Int16(POLLOUT) != 0 { try sendPending() }
        if entries[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { try connection.receive() }
    }

    private mutating func fill(_ session: inout Session) throws(Failure) {
        let piece = try input.next()
        isSent = piece == nil
        pending = (piece.map { filter.pass($0) } ?? filter.end())[...]
        for remark in input.takeRemarks() {
            wipeProgress()
            session.remark("\(input.name): \(remark)")
        }
    }

    /// Where the daemon takes no more, it has said why: that is read next.
    private mutating func sendPending() throws(Failure) {
        do throws(Failure) {
            pending = pending.dropFirst(try connection.send(pending, waiting: false))
        } catch {
            (pending, isSent) = ([], true)
        }
    }
}

extension ReplayExchange where Input: ~Copyable {
    private mutating func take(_ line: ReplyLine, _ session: inout Session) throws(Failure) {
        switch line {
        case .remark(let text):
            account.take(remark: text)
            guard text.starts(with: "# line ".utf8) else { return }
            wipeProgress()
            session.remark("\(input.name): \(String(decoding: text.dropFirst(2), as: UTF8.self))")
        case .object(let text): try take(object: text, &session)
        case .row, .end: break
        }
    }

    private mutating func take(
        object text: ArraySlice<UInt8>, _ session: inout Session
    ) throws(Failure) {
        let object = try object(text, with: &parser)
        let remark = account.take(object)
        switch session.format {
        case .json: try session.output.writeLine(text)
        case .jsonPretty: try session.output.write(indented(object))
        case .table, .text, .csv, .tsv, .ndjson, .gattlog:
            guard let remark else { return }
            wipeProgress()
            session.remark(remark)
        }
    }

    private mutating func showProgress() {
        let text = progress?.text(
            octets: input.position, account.progress, at: Environment.milliseconds)
        if let text { writeToStandardError(text) }
    }

    private mutating func wipeProgress() {
        if let text = progress?.end(), !text.isEmpty { writeToStandardError(text) }
    }
}
