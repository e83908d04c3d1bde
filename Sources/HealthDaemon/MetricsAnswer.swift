internal import BlueZ
internal import ControlProtocol
internal import Glibc
internal import JSON
internal import Measurements
internal import Storage

/// The answer to `metrics`: numbers for programs that watch the daemon.
struct MetricsAnswer: RadioAnswer {
    private let context: RequestContext
    var radio: RadioReport?

    init(_ context: RequestContext) {
        self.context = context
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let size = try asking { () throws(StorageError) in try store.fileSize() }
        let counters = context.writer.countersNow
        var json = JSONWriter()
        json.object { json in
            json.member("class", "metrics")
            json.member(
                "uptime", max(0, now.milliseconds - context.facts.started.milliseconds) / 1000)
            json.member("seq", context.writer.committedSeq)
            json.member("stored", counters.stored)
            json.member("duplicate", counters.duplicate)
            json.member("undecodable", counters.undecodable)
            json.member("skipped", counters.skipped)
            json.member("commits", counters.commits)
            json.member("durableCommits", counters.durableCommits)
            json.member("failures", counters.failures)
            json.member("lost", counters.lost)
            json.member("connections", context.serving.connections)
            json.member("followers", context.serving.followers)
            json.member("requests", context.serving.requests)
            json.member("refused", context.serving.refused)
            json.member("storeSize", size)
            json.member("logSize", Self.size(of: context.facts.storePath + "-wal"))
            json.member("residentMemory", Self.residentMemory)
            json.member("descriptors", Self.descriptors)
            if let radio { Self.write(radio, to: &json) }
        }
        json.endLine()
        return AnswerPart(last: json.octets)
    }

    /// What was counted between the sensors and here.
    private static func write(_ radio: RadioReport, to json: inout JSONWriter) {
        let sensors = radio.snapshot.sensors
        json.member("sensors", sensors.count)
        json.member("sensorsLive", sensors.count { $0.state == "live" })
        json.member("links", sensors.reduce(0) { $0 + $1.links })
        json.member("frames", sensors.reduce(0) { $0 + $1.frames })
        json.member("busOpenings", radio.counters.openings)
        json.member("busCalls", radio.counters.calls)
        json.member("busTimeouts", radio.counters.timeouts)
        json.member("pendingCalls", radio.pendingCalls)
        json.object("bluez") { json in
            for (name, value) in radio.snapshot.counters { json.member(name, value) }
        }
    }

    /// Descriptors that are open now.
    private static var descriptors: Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count - 3  // neither this directory nor its two dots
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Octets of memory in use; the kernel counts pages.
    private static var residentMemory: Int {
        let fields = (SmallFile.text(at: "/proc/self/statm") ?? "").split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
