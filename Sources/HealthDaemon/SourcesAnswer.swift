internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `sources`: what samples came from, sensors and imported files alike, and from when to when.
struct SourcesAnswer: Answer {
    private let zone: Zone
    private let names: SensorNames
    private let access: Access
    private var told = 0
    private var found = 0

    /// Sources of one part: each is looked up in the store.
    private static let partSize = 50

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        zone = try context.zone(request)
        names = context.names
        access = context.access
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        let (devices, newest) = try asking { () throws(StorageError) in
            (try store.devices(), try store.newestSeq())
        }
        var json = JSONWriter()
        for device in devices.dropFirst(told).prefix(Self.partSize) {
            told += 1
            try write(device, newest, store, to: &json)
        }
        if told < devices.count { return AnswerPart(json.octets, then: self) }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(found)")])
    }

    /// Writes a source of which there are samples that the caller may read.
    private mutating func write(
        _ device: Device, _ newest: Int64, _ store: StoreReader, to json: inout JSONWriter
    ) throws(AnswerError) {
        var types: [(SampleType, first: Instant, last: Instant)] = []
        for type in SampleType.allCases where access.read(type) == .authorized {
            guard let first = try edge(type, device, newest, store, .ascending),
                let last = try edge(type, device, newest, store, .descending)
            else { continue }
            types.append((type, first, last))
        }
        guard !types.isEmpty else { return }
        found += 1
        json.object { json in
            json.member("class", "source")
            json.member("device", device.address)
            json.member("kind", device.kind.rawValue)
            if let name = names.name(of: device) {
                json.member("name", name)
            }
            json.member("types", types.map { $0.0.rawValue })
            json.member("first", types.map(\.first).min(), in: zone)
            json.member("last", types.map(\.last).max(), in: zone)
        }
        json.endLine()
    }

    /// When the first or last sample of a type began; nil if there is none.
    private func edge(
        _ type: SampleType, _ device: Device, _ newest: Int64, _ store: StoreReader,
        _ order: SampleQuery.Order
    ) throws(AnswerError) -> Instant? {
        var query = SampleQuery(types: [type], newest: newest)
        query.modalities = Set(Modality.allCases)
        query.qualities = Set(Quality.allCases)
        (query.device, query.order) = (device.id, order)
        var scan = SampleScan(query, after: nil, limit: 1)
        while !scan.isDone {
            let page = try scan.nextPage(store, size: 1)
            if let sample = page.samples.first { return sample.reading.measuredFrom }
        }
        return nil
    }
}
