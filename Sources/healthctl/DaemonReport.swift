import ControlProtocol
import JSON

/// What the daemon says of itself and of its sensors, as far as it answers.
struct DaemonReport {
    /// Why it cannot be reached; nil if it answers.
    var failure: Failure?
    /// The answers, by the request.
    var answers: [String: [JSONValue]] = [:]
    /// Why requests failed, by the request.
    var refusals: [String: Failure] = [:]

    /// What is asked, in this order.
    static let requests = ["status", "access", "why", "devices", "metrics", "gaps start=-7d"]
}

extension DaemonReport {
    /// Asks everything; stops where nobody answers.
    init(asking session: Session) {
        self.init()
        for request in Self.requests {
            do throws(Failure) {
                answers[request] = try Self.ask(request, session)
            } catch {
                refusals[request] = error
                guard error.exitCode != ExitCode.unavailable else {
                    failure = error
                    return
                }
            }
        }
    }

    private static func ask(
        _ line: String, _ session: Session
    ) throws(Failure) -> [JSONValue] {
        let words = line.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
        let options = words.dropFirst().map { Request.Option(key: $0[0], value: $0[1]) }
        let request = Request(verb: words[0][0], arguments: [], options: options)
        return try healthctl.ask(request, session).objects
    }

    /// Its status; null if it does not answer.
    var status: JSONValue { answers["status"]?.first ?? .null }
    /// Where its store is.
    var storePath: String? { status["store"]?["path"]?.string }
    /// What it has found out, about all sensors and about each.
    var findings: [JSONValue] { answers["why"] ?? [] }
}
