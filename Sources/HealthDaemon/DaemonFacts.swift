internal import ControlProtocol
internal import Measurements
internal import Samples

/// What does not change while the daemon runs.
struct DaemonFacts: Sendable {
    /// The program and its version, as the greeting says it.
    let server: String
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

}

/// Everything that an answer is made from besides the request and the store.
struct RequestContext: Sendable {
    /// What does not change while the daemon runs.
    let facts: DaemonFacts
    /// The writer, for how far it is and what it counted.
    let writer: Writer
    /// What the caller may do.
    let access: Access
    /// Who the caller is.
    let uid: UInt32
    /// When the request came.
    let now: Instant
    /// How the serving thread fares.
    let serving: ServingCounters
    /// What people call sensors.
    let names: SensorNames
    /// Which sources' amounts are preferred.
    let priority: SourcePriority
    /// Where those who record get what comes.
    let tee: EventTee

    /// The zone that a request asks for, or the daemon's.
    func zone(_ request: Request) throws(ProtocolError) -> Zone {
        guard let name = request["tz"] else { return facts.zone }
        guard let zone = Zone(named: name) else {
            throw ProtocolError(
                .badValue, "unknown time zone `\(name)`; write it as Europe/Berlin or UTC"
            ).with("key", "tz")
        }
        return zone
    }

    /// The answer to a request that a worker answers.
    func answer(to request: Request) throws(ProtocolError) -> any Answer {
        switch request.verb {
        case "help": HelpAnswer()
        case "types": TypesAnswer()
        case "access": AccessAnswer(access, uid: uid)
        case "metrics": MetricsAnswer(self)
        case "why": try WhyAnswer(request, self)
        case "gaps": try GapsAnswer(request, self)
        case "devices": DevicesAnswer(self, zone: try zone(request))
        case "sources": try SourcesAnswer(request, self)
        case "readings": try ReadingsAnswer(request, self)
        case "status": StatusAnswer(self, zone: try zone(request))
        case "latest": try LatestAnswer(request, self)
        case "samples": try SamplesAnswer(request, self)
        case "stats", "series": try StatisticsAnswer(request, self)
        case "report": try Report.answer(to: request, self)
        case "reprocess": try ReprocessAnswer(request, self)
        case "changes", "follow": try FollowAnswer(request, self)
        case "explain": try ExplainAnswer(request, self)
        case "record": try RecordAnswer(self)
        case "delete": try DeleteAnswer(request, self)
        case "assign": try AssignAnswer(request, self)
        case "checkpoint": CheckpointAnswer()
        case "backup": BackupAnswer(storePath: facts.storePath)
        default:
            preconditionFailure("the table of verbs has \(request.verb), and nothing answers it")
        }
    }
}

/// How the serving thread fares.
struct ServingCounters: Sendable {
    /// Connections that are open.
    var connections = 0
    /// Connections that follow.
    var followers = 0
    /// Requests since the start.
    var requests = 0
    /// Connections that were refused since the start.
    var refused = 0
}
