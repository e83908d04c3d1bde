internal import ControlProtocol
internal import Glibc
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `status`: how the daemon fares, and why there is no reading.
struct StatusAnswer: Answer {
    private let facts: DaemonFacts
    private let writer: Writer
    private let zone: Zone

    init(_ context: RequestContext, zone: Zone) {
        facts = context.facts
        writer = context.writer
        self.zone = zone
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let (devices, last, size) = try asking { () throws(StorageError) in
            (
                try store.devices().count, try store.newestReception(of: store.streams())?.at,
                try store.fileSize()
            )
        }
        var json = JSONWriter()
        json.object { json in
            writeDaemon(to: &json, now)
            json.member("devices", devices)
            json.member("lastReading", last, in: zone)
            json.member("age", last.map { Staleness.seconds(now.milliseconds - $0.milliseconds) })
            writeStore(to: &json, size)
            writeCounters(to: &json)
            writeReasons(to: &json, hasDevices: devices > 0)
        }
        json.endLine()
        return AnswerPart(last: json.octets)
    }

    private func writeDaemon(to json: inout JSONWriter, _ now: Instant) {
        json.member("class", "status")
        json.member("state", "running")
        json.member("server", facts.server)
        json.member("source", facts.source.rawValue)
        json.member("epoch", writer.epoch)
        json.member("anchor", "\(writer.epoch):\(writer.committedSeq)")
        json.member("started", facts.started, in: zone)
        json.member("uptime", max(0, (now.milliseconds - facts.started.milliseconds) / 1000))
        json.member("pid", getpid())
    }

    private func writeStore(to json: inout JSONWriter, _ size: Int64) {
        json.object("store") { json in
            json.member("path", facts.storePath)
            json.member("size", size)
            json.member("state", writer.storeState.name)
        }
    }

    private func writeCounters(to json: inout JSONWriter) {
        let counters = writer.countersNow
        json.object("counters") { json in
            json.member("stored", counters.stored)
            json.member("duplicate", counters.duplicate)
            json.member("undecodable", counters.undecodable)
            json.member("skipped", counters.skipped)
            if counters.lost > 0 { json.member("lost", counters.lost) }
        }
    }

    private func writeReasons(to json: inout JSONWriter, hasDevices: Bool) {
        json.array("reasons") { json in
            if case .failing(let error) = writer.storeState {
                Self.write(
                    "readings cannot be stored or read as they should", error.reply.text,
                    "see the log of healthd; nothing needs to be restarted once it is put right",
                    to: &json)
            }
            switch facts.source {
            case .none:
                Self.write(
                    "no sensor is read", "healthd runs with the source none",
                    "replay a recording, or set source = bluez in the configuration", to: &json)
            case .bluez:
                Self.write(
                    "no sensor is read", "this version does not read live sensors yet",
                    "replay a recording with healthctl replay FILE", to: &json)
            }
        }
    }

    private static func write(
        _ text: String, _ evidence: String, _ next: String, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("text", text)
            json.member("evidence", evidence)
            json.member("next", next)
        }
    }
}
