internal import BlueZ
internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `why`: what holds between healthd and its sensors, in plain words.
struct WhyAnswer: RadioAnswer {
    private let device: String?
    private let facts: DaemonFacts
    private let storeState: StoreState
    private let names: SensorNames
    var radio: RadioReport?

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        device = request.arguments.first
        facts = context.facts
        storeState = context.writer.storeState
        names = context.names
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let (devices, streams) = try asking { () throws(StorageError) in
            (try store.devices(), try store.streams())
        }
        let chosen = try device.map { (name) throws(AnswerError) in try address(name, devices) }
        var json = JSONWriter()
        var count = 0
        // Where an import came from is no reason why there is no reading.
        let told = devices.filter { chosen != nil || $0.kind == .ble }
        let others = Self.others(told, heard: Set(streams.map(\.device.id)))
        for (address, finding) in findings(of: chosen, others) {
            Self.write(address, finding, to: &json)
            count += 1
        }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(count)")])
    }

    /// The device that was named: a wanted sensor, or one that the store has readings of.
    private func address(_ name: String, _ devices: [Device]) throws(AnswerError) -> String {
        let sensors = radio?.snapshot.sensors ?? []
        let address = DeviceAddress(name)
        let sensor = sensors.first {
            $0.address == address || names[$0.address] == name || $0.name == name
        }
        if let sensor {
            return sensor.address.description
        }
        let id = try DeviceChoice.find(name, devices, names)
        return devices.first { $0.id == id }?.address ?? name
    }

    /// What concerns all sensors, then what concerns each; nothing that a single sensor asked for has
    /// not to do with.
    private func findings(
        of chosen: String?, _ stored: [(address: String, finding: Finding)]
    ) -> [(String?, Finding)] {
        let sensors = (radio?.snapshot.sensors ?? []).filter {
            chosen == nil || $0.address.description == chosen
        }
        let live = Set(sensors.map(\.address.description))
        let others = stored.filter {
            !live.contains($0.address) && (chosen == nil || $0.address == chosen)
        }
        return GeneralFindings(facts, storeState, radio).all.map { (nil, $0) }
            + sensors.flatMap { sensor in
                sensor.findings.map { (sensor.address.description, $0) }
            } + others.map { ($0.address, $0.finding) }
    }

    /// What holds of the store's devices as far as they are not read.
    private static func others(
        _ devices: [Device], heard: Set<Int64>
    ) -> [(address: String, finding: Finding)] {
        devices.map { device in
            guard device.kind == .ble else { return (device.address, imported) }
            return (device.address, heard.contains(device.id) ? recorded : unread)
        }
    }

    private static let recorded = Finding(
        .ok, "recorded", "There are stored readings of it; no sensor at this address is read now.",
        evidence: "it is in the store, and neither paired nor configured",
        nextStep: "To read it live: healthctl pair ADDRESS")

    private static let imported = Finding(
        .ok, "imported", "Its samples were taken from a file; nothing of it could be read live.",
        evidence: "it is in the store as the source of an import",
        nextStep: "To bring in newer samples: healthctl import FILE")

    private static let unread = Finding(
        .ok, "unread", "No sensor at this address is read, and there are no readings of it.",
        evidence: "it is in the store without a reading, and neither paired nor configured",
        nextStep: "To read it live: healthctl pair ADDRESS")

    private static func write(
        _ device: String?, _ finding: Finding, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("class", "finding")
            json.member("device", device)
            finding.write(to: &json)
        }
        json.endLine()
    }
}

/// What holds for all sensors: the store, the source, the collector, bluetoothd and the adapters.
struct GeneralFindings {
    /// The findings, worst first as far as they have one origin.
    let all: [Finding]

    init(_ facts: DaemonFacts, _ store: StoreState, _ radio: RadioReport?) {
        all =
            Self.store(store) + Self.source(facts, radio) + (radio?.snapshot.findings ?? [])
            + Self.emptiness(radio)
    }

    private static func store(_ state: StoreState) -> [Finding] {
        guard case .failing(let error) = state else { return [] }
        return [
            Finding(
                .fail, "store-\(state.name)", "Readings cannot be stored or read as they should.",
                evidence: error.reply.text,
                nextStep: "See the log of healthd; nothing has to be restarted afterwards.")
        ]
    }

    private static func source(_ facts: DaemonFacts, _ radio: RadioReport?) -> [Finding] {
        switch facts.source {
        case .none:
            return [
                Finding(
                    .warn, "source-none", "No sensor is read.",
                    evidence: "healthd runs with the source none",
                    nextStep: "Replay a recording, or set source = bluez in healthd.conf.")
            ]
        case .bluez where radio == nil:
            return [
                Finding(
                    .warn, "collector-busy", "How the sensors fare is not known just now.",
                    evidence: "the collector did not answer in time", nextStep: "Ask again.")
            ]
        case .bluez: return []
        }
    }

    /// Where all is well but nobody sends.
    private static func emptiness(_ radio: RadioReport?) -> [Finding] {
        guard let snapshot = radio?.snapshot, snapshot.sensors.isEmpty,
            !snapshot.findings.contains(where: { $0.level == .fail })
        else { return [] }
        return [
            Finding(
                .warn, "no-sensor", "No sensor is read, because none is paired.",
                evidence: "bluetoothd knows no paired oximeter, thermometer or heart rate strap",
                nextStep: "healthctl pair")
        ]
    }
}
