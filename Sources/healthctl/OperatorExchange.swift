import ControlProtocol
import Glibc
import JSON

/// One exchange about a sensor: the daemon says how far it is and asks, the operator answers.
///
/// Hanging up cancels what is being done, so that a signal needs no further word.
struct OperatorExchange: ~Copyable {
    private var connection: Connection
    private let interruption: Interruption
    private var input: OperatorInput
    private var printer: OperatorPrinter
    private var parser = JSONParser()
    private var heard = Environment.milliseconds

    /// The daemon gives a sign of life every 15 seconds, in milliseconds.
    private static let longestSilence = 60_000

    /// An exchange over a connection on which nothing was asked yet.
    ///
    /// - Throws: A failure if signals cannot be taken.
    init(over connection: consuming Connection, _ session: Session) throws(Failure) {
        interruption = try Interruption()
        self.connection = connection
        input = OperatorInput()
        printer = OperatorPrinter(session)
    }

    /// Asks for something, and goes on until the daemon has done it.
    ///
    /// - Returns: The exit code: 0, or that of a signal.
    /// - Throws: The daemon's failure, or that a question cannot be answered.
    mutating func run(_ request: Request, _ output: inout StandardOutput) throws(Failure) -> Int32 {
        try connection.send(request)
        while true {
            try takeArrived(&output)
            if connection.details != nil { return ExitCode.success }
            if input.isWanted, let line = input.next() {
                try answer(line)
            } else if let signal = try wait() {
                return ExitCode.signal(signal)
            }
        }
    }

    private mutating func takeArrived(_ output: inout StandardOutput) throws(Failure) {
        while let line = try connection.arrivedLine() {
            heard = Environment.milliseconds
            guard case .object(let text) = line else { continue }
            let message = try object(text, with: &parser)
            try printer.print(message, text, to: &output)
            if printer.needsAnswer(message) { input.isWanted = true }
        }
        try output.flush()
    }

    /// Waits for the daemon, the operator or a signal.
    private mutating func wait() throws(Failure) -> Int32? {
        var entries = [
            pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input.isWanted ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
        ]
        let silence = Environment.milliseconds - heard
        guard silence < Self.longestSilence else { throw Unreachable.silence(silence / 1000) }
        _ = poll(&entries, 3, Int32(Self.longestSilence - silence))
        if entries[0].revents != 0 { return interruption.taken() ?? SIGINT }
        if entries[2].revents != 0 { try input.receive() }
        if entries[1].revents != 0 { try connection.receive() }
        return nil
    }

    private mutating func answer(_ line: String) throws(Failure) {
        guard let answer = printer.answer(line) else { return }
        input.isWanted = false
        try connection.send(Request(verb: "answer", arguments: [answer]))
    }
}

/// The lines that an operator types, or a script sends.
struct OperatorInput {
    private var lines = LineBuffer(limit: 1024)
    private var isAtEnd = false
    /// Whether an answer is waited for.
    var isWanted = false

    /// The next line that has come; nil if none is whole.
    mutating func next() -> String? {
        let line = lines.next() ?? (isAtEnd ? lines.last() : nil)
        return line.map { String(decoding: $0.octets, as: UTF8.self) }
    }

    /// Takes in what has come.
    ///
    /// - Throws: A failure at the end of the input, where nobody can answer.
    mutating func receive() throws(Failure) {
        guard !isAtEnd else { throw Self.nobody }
        do throws(SystemError) {
            let octets = try readOctets(from: STDIN_FILENO)
            isAtEnd = octets.isEmpty
            lines.append(octets)
        } catch {
            throw Self.nobody
        }
    }

    private static let nobody = Failure.usage(
        "the sensor asks something, and there is no terminal to answer on")
}
