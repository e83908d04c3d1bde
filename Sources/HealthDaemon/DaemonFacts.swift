internal import ControlProtocol
internal import Measurements
internal import Samples

/// What does not change while the daemon runs.
struct DaemonFacts: Sendable {
    /// The program and its version, as the greeting says it.
    let server: String
    /// What names the store.
    let epoch: String
    /// The zone of sensors' clocks and of answers that ask for no other.
    let zone: Zone
    /// Where readings come from.
    let source: Configuration.Source
    /// When the daemon was started.
    let started: Instant
    /// The store's file.
    let storePath: String
    /// The uid that the daemon runs as.
    let uid: UInt32

    /// Whether a user may change what is stored: root, and the daemon's own.
    func isAdministrator(_ user: UInt32) -> Bool { user == 0 || user == uid }

    /// The zone that a request asks for, or the daemon's.
    func zone(_ request: Request) throws(ProtocolError) -> Zone {
        guard let name = request["tz"] else { return zone }
        guard let zone = Zone(named: name) else {
            throw ProtocolError(
                .badValue, "unknown time zone `\(name)`; write it as Europe/Berlin or UTC"
            ).with("key", "tz")
        }
        return zone
    }

    /// The answer to a request that a worker answers.
    func answer(to request: Request, writer: Writer) throws(ProtocolError) -> any Answer {
        let now = Clock.now
        switch request.verb {
        case "help": return HelpAnswer()
        case "types": return TypesAnswer()
        case "devices": return DevicesAnswer(zone: try zone(request))
        case "status":
            return StatusAnswer(facts: self, writer: writer, zone: try zone(request))
        case "latest": return try LatestAnswer(request, facts: self, writer: writer, now: now)
        case "samples": return try SamplesAnswer(request, facts: self, writer: writer, now: now)
        default:
            preconditionFailure("the table of verbs has \(request.verb), and nothing answers it")
        }
    }
}
