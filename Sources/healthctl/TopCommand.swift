import ControlProtocol
import Glibc
import JSON

/// `healthctl top`: every sensor and its newest values, drawn anew each second.
enum TopCommand {
    private static let pause = 1000

    /// Draws until `q`, Ctrl-C or another signal; without a terminal it prints one picture.
    ///
    /// - Throws: The daemon's failure where one picture is all that is wanted.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        var screen = TopScreen()
        guard Environment.isTerminal(STDOUT_FILENO) else {
            let picture = try lines(&screen, session)
            try session.output.write(picture.map { $0 + "\n" }.joined())
            return ExitCode.success
        }
        let interruption = try Interruption()
        return draw(&screen, session, until: interruption)
    }

    private static func draw(
        _ screen: inout TopScreen, _ session: Session, until interruption: borrowing Interruption
    ) -> Int32 {
        let terminal = TerminalScreen()
        while true {
            do throws(Failure) {
                terminal.show(try lines(&screen, session))
            } catch {
                terminal.show([printable(error.message), "", "trying again; q ends"])
            }
            waitForKeyOrSignal(interruption)
            if let signal = interruption.taken() { return ExitCode.signal(signal) }
            if terminal.key() == UInt8(ascii: "q") { return ExitCode.success }
        }
    }

    private static func waitForKeyOrSignal(_ interruption: borrowing Interruption) {
        var entries = [
            pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        let isTerminal = Environment.isTerminal(STDIN_FILENO)
        poll(&entries, isTerminal ? 2 : 1, Int32(pause))
    }

    /// What is shown now.
    ///
    /// - Throws: The daemon's failure.
    private static func lines(
        _ screen: inout TopScreen, _ session: Session
    ) throws(Failure) -> [String] {
        var connection = try session.connect()
        let devices = try ask(request("devices"), over: &connection)
        var pairs: [(JSONValue, [JSONValue])] = []
        for device in devices {
            let address = Request.Option(key: "device", value: device.text("device"))
            pairs.append((device, try ask(request("latest", [address]), over: &connection)))
        }
        let live = devices.count { $0.text("state") == "live" }
        let title = "\(count(devices.count, "device")), \(live) sending now; \(session.socketPath)"
        return screen.lines(
            pairs, title: title, at: Environment.milliseconds, isColored: session.isColored)
    }

    private static func request(_ verb: String, _ options: [Request.Option] = []) -> Request {
        Request(verb: verb, arguments: [], options: options)
    }
}
