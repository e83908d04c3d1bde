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

    init(facts: DaemonFacts, writer: Writer, zone: Zone) {
        self.facts = facts
        self.writer = writer
        self.zone = zone
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let (devices, last, size) = try asking { () throws(StorageError) in
            (try store.devices().count, try Self.lastReading(store), try store.fileSize())
        }
        var json = JSONWriter()
        json.object { json in
            writeDaemon(to: &json, now)
            json.member("devices", devices)
            json.member("lastReading", last, in: zone)
            json.member("age", last.map { max(0, (now.milliseconds - $0.milliseconds) / 1000) })
            writeStore(to: &json, size)
            writeCounters(to: &json)
            writeReasons(to: &json, hasDevices: devices > 0)
        }
        json.endLine()
        return AnswerPart(last: json.octets)
    }

    private static func lastReading(_ store: StoreReader) throws(StorageError) -> Instant? {
        var last: Instant?
        for stream in try store.streams() {
            guard let time = try store.newestReception(of: stream) else { continue }
            last = max(last ?? time, time)
        }
        return last
    }

    private func writeDaemon(to json: inout JSONWriter, _ now: Instant) {
        json.member("class", "status")
        json.member("state", "running")
        json.member("server", facts.server)
        json.member("source", facts.source.rawValue)
        json.member("epoch", facts.epoch)
        json.member("anchor", "\(facts.epoch):\(writer.committedSeq)")
        json.member("started", facts.started, in: zone)
        json.member("uptime", max(0, (now.milliseconds - facts.started.milliseconds) / 1000))
        json.member("pid", getpid())
    }

    private func writeStore(to json: inout JSONWriter, _ size: Int64) {
        json.object("store") { json in
            json.member("path", facts.storePath)
            json.member("size", size)
            json.member("state", "ok")
        }
    }

    private func writeCounters(to json: inout JSONWriter) {
        let counters = writer.countersNow
        json.object("counters") { json in
            json.member("stored", counters.stored)
            json.member("duplicate", counters.duplicate)
            json.member("undecodable", counters.undecodable)
            json.member("skipped", counters.skipped)
        }
    }

    private func writeReasons(to json: inout JSONWriter, hasDevices: Bool) {
        json.array("reasons") { json in
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
