import ControlProtocol
import Glibc

/// Who takes the lines of a reply that does not end.
protocol LiveClient: ~Copyable {
    /// When `settle` is wanted though nothing came, in milliseconds of the steady clock.
    var deadline: Int? { get }
    /// Whether somebody must read standard output.
    var needsReader: Bool { get }
    /// The request that goes on where the client is, on a connection that began with a greeting.
    mutating func request(_ greeting: [String: String]) -> Request
    /// Takes in a line; false if it was the last one wanted.
    mutating func take(_ line: ReplyLine) throws(Failure) -> Bool
    /// Brings what was taken in to where it belongs; false if a signal came in between.
    mutating func settle(at now: Int, until interruption: Int32) throws(Failure) -> Bool
    /// Takes in the end of the reply, for which another request asked.
    mutating func end(_ details: [String: String])
}

/// A reply that does not end and survives the daemon: it is asked for again from where it was.
///
/// ```
/// connect --> follow --(hang-up, silence, passing failure)--> wait 0.2 to 5 s --> connect
///                |--(the client has enough, a signal)--> end
/// ```
struct LiveReply: ~Copyable {
    /// Why it ended.
    enum End: Equatable {
        /// The client has enough.
        case enough
        /// By a signal.
        case signal(Int32)
    }

    private let session: Session
    private let interruption: Interruption
    private let longestSilence: Int
    private var outage = Outage()
    private var hasConnected = false

    /// So many milliseconds may pass between a request that ends a reply and that end.
    private static let farewell = 2000

    /// A reply that was not asked for yet.
    ///
    /// - Parameters:
    ///   - session: The way to the daemon.
    ///   - longestSilence: After so many milliseconds without a line the connection is given up.
    /// - Throws: A failure if signals cannot be taken.
    init(_ session: Session, longestSilence: Int) throws(Failure) {
        self.session = session
        self.longestSilence = longestSilence
        interruption = try Interruption()
    }

    /// The descriptor of the signals that end it.
    var interruptionNumber: Int32 { interruption.number }

    /// Hands lines to a client until it has enough or a signal comes.
    ///
    /// - Throws: A failure that does not pass by waiting, or one of the first connection.
    mutating func follow(_ client: inout some LiveClient & ~Copyable) throws(Failure) -> End {
        while true {
            do throws(Failure) {
                return try followOnce(&client)
            } catch {
                guard hasConnected, error.isPassing else { throw error }
                if outage.begin() { session.remark("\(error.message); trying again") }
            }
            if let signal = pause(outage.delay()) { return .signal(signal) }
        }
    }

    private func pause(_ milliseconds: Int) -> Int32? {
        var entry = pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, Int32(milliseconds)) > 0 ? interruption.taken() : nil
    }

    private mutating func followOnce(_ client: inout some LiveClient & ~Copyable) throws(Failure)
        -> End
    {
        var connection = try session.connect()
        try connection.send(client.request(connection.greeting))
        hasConnected = true
        var heard: Int?
        let start = Environment.milliseconds
        while true {
            if try takeArrived(&connection, &client) { return .enough }
            guard connection.details == nil else { throw Unreachable.hangUp }
            if heard != nil, outage.end() { session.remark("healthd is back") }
            let isSettled = try settle(&client)
            let wake = wait(&connection, client.deadline, heard ?? start, client.needsReader)
            switch isSettled ? wake : .signal {
            case .line:
                try connection.receive()
                heard = Environment.milliseconds
            case .signal: return try end(&connection, &client, isSettled)
            case .time: try checkSilence(since: heard ?? start)
            case .noReader: throw Failure("", exitCode: ExitCode.brokenPipe)
            }
        }
    }

    private func checkSilence(since heard: Int) throws(Failure) {
        let silence = Environment.milliseconds - heard
        guard silence < longestSilence else { throw Unreachable.silence(silence / 1000) }
    }

    private func end(
        _ connection: inout Connection, _ client: inout some LiveClient & ~Copyable,
        _ isSettled: Bool
    ) throws(Failure) -> End {
        let signal = interruption.taken() ?? SIGINT
        if isSettled { try close(&connection, &client) }
        return .signal(signal)
    }

    /// True if the client has enough.
    private func takeArrived(
        _ connection: inout Connection, _ client: inout some LiveClient & ~Copyable
    ) throws(Failure) -> Bool {
        while let line = try connection.arrivedLine() {
            guard try client.take(line) else { return true }
        }
        return false
    }

    private func settle(_ client: inout some LiveClient & ~Copyable) throws(Failure) -> Bool {
        try client.settle(at: Environment.milliseconds, until: interruption.number)
    }
}

extension LiveReply {
    /// What ended the waiting.
    private enum Wake {
        case line
        case signal
        case time
        case noReader
    }

    private func wait(
        _ connection: inout Connection, _ deadline: Int?, _ heard: Int, _ needsReader: Bool
    ) -> Wake {
        let until = min(deadline ?? .max, heard + longestSilence)
        var entries = [
            pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: needsReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
        ]
        let time = max(0, min(until - Environment.milliseconds, Int(Int32.max)))
        guard poll(&entries, 3, Int32(time)) > 0 else { return .time }
        if entries[0].revents != 0 { return .signal }
        if entries[2].revents != 0 { return .noReader }
        return .line
    }

    /// Ends the reply by another request, so that the daemon tells how far it was.
    private func close(
        _ connection: inout Connection, _ client: inout some LiveClient & ~Copyable
    ) throws(Failure) {
        do throws(Failure) {
            try connection.send(Request(verb: "ping"))
            let limit = Environment.milliseconds + Self.farewell
            while connection.details == nil {
                guard wait(&connection, limit, limit, client.needsReader) == .line,
                    Environment.milliseconds < limit
                else { return }
                try connection.receive()
                if try takeArrived(&connection, &client) { return }
                guard try settle(&client) else { return }
            }
            client.end(connection.details ?? [:])
        } catch {
            guard error.isPassing else { throw error }
        }
    }
}
