internal import BlueZ
internal import ControlProtocol
internal import Glibc
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `status`: how the daemon fares, and why there is no reading.
struct StatusAnswer: RadioAnswer {
    private let facts: DaemonFacts
    private let writer: Writer
    private let zone: Zone
    var radio: RadioReport?

    init(_ context: RequestContext, zone: Zone) {
        facts = context.facts
        writer = context.writer
        self.zone = zone
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let (devices, last) = try asking { () throws(StorageError) in
            (try store.devices().count, try store.newestReception(of: store.streams())?.at)
        }
        let report = try StoreReport(facts, writer, store, now, zone)
        var json = JSONWriter()
        json.object { json in
            writeDaemon(to: &json, now)
            json.member("devices", devices)
            json.member("lastReading", last, in: zone)
            json.member("age", last.map { Staleness.seconds(now.milliseconds - $0.milliseconds) })
            report.write(to: &json)
            writeCounters(to: &json)
            writeBluetooth(to: &json)
            writeReasons(to: &json)
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

    /// Why there is no reading, or why there might be none: what holds for all, and the worst of each.
    private func writeReasons(to json: inout JSONWriter) {
        let general = GeneralFindings(facts, writer.storeState, radio).all.map {
            (nil as String?, $0)
        }
        let single = (radio?.snapshot.sensors ?? []).compactMap { sensor in
            sensor.findings.first.map { (sensor.address.description as String?, $0) }
        }
        json.array("reasons") { json in
            for (device, finding) in general + single where finding.level != .ok {
                json.object { json in
                    json.member("device", device)
                    finding.write(to: &json)
                }
            }
        }
    }

    private func writeBluetooth(to json: inout JSONWriter) {
        guard let snapshot = radio?.snapshot else { return }
        json.array("adapters") { json in
            for adapter in snapshot.adapters {
                json.object { json in
                    json.member("adapter", adapter.name)
                    json.member("address", adapter.address.description)
                    json.member("powered", adapter.isPowered)
                    json.member("discovering", adapter.isDiscovering)
                }
            }
        }
        json.member("sensors", snapshot.sensors.count)
        json.member("sensorsLive", snapshot.sensors.count { $0.state == "live" })
    }
}
