internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The lines of an answer to `stats` or `series`.
struct StatisticsTable: Sendable {
    private let request: StatisticsRequest
    private let buckets: [DateInterval]
    private let devices: [Int64: String]
    private let count: StatisticsCount
    /// One row a line.
    let rows: [StatisticsRow]

    /// The lines of what was counted.
    ///
    /// - Throws: `result-too-large` where filling the gaps makes too many.
    init(
        _ request: StatisticsRequest, _ count: StatisticsCount, _ store: StoreReader
    ) throws(AnswerError) {
        (self.request, self.count, buckets) = (request, count, count.query.buckets)
        rows = request.fillsGaps ? try Self.filled(count, request.grouping) : count.rows
        let devices = try asking { () throws(StorageError) in try store.devices() }
        self.devices = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0.address) })
    }

    /// The rows, with empty ones where a group has none; without groups there is one of all samples.
    private static func filled(
        _ count: StatisticsCount, _ grouping: StatisticsQuery.Grouping
    ) throws(AnswerError) -> [StatisticsRow] {
        let known = Dictionary(grouping: count.rows, by: \.place)
        var groups = Set(count.rows.map(\.group))
        if grouping == .none { groups = [.all] }
        guard groups.count * count.query.buckets.count <= StatisticsCount.mostRows else {
            throw .request(StatisticsCount.tooMuch)
        }
        return count.query.buckets.indices.flatMap { place in
            let present = known[place] ?? []
            let missing = groups.subtracting(present.map(\.group)).map {
                StatisticsRow(place, $0, without: count.query.functions)
            }
            return (present + missing).sorted { $0.order < $1.order }
        }
    }

    /// The line before all others.
    var header: [UInt8] {
        var words = SampleHeader.words(
            request.samples.query, request.samples.zone, request.samples.types)
        if let bucket = request.bucket { words.append(("bucket", bucket.name)) }
        if request.grouping != .none { words.append(("by", request.grouping.rawValue)) }
        words.append(("excluded", "\(count.excluded)"))
        if count.unsplit > 0 { words.append(("unsplit", "\(count.unsplit)")) }
        if request.format == .tsv {
            words.append(("columns", columns.joined(separator: ",")))
        }
        return SampleHeader.line(words)
    }

    /// What the last line says.
    var endDetails: [(key: String, value: String)] {
        [(key: "n", value: "\(rows.count)")] + count.damaged.endDetails
    }

    private var columns: [String] {
        let group = request.grouping == .none ? [] : [request.grouping.rawValue]
        return ["start", "end"] + group + ["count", "excluded"] + request.columns.map(\.name)
    }

    /// The lines of some rows.
    func text(of rows: ArraySlice<StatisticsRow>) -> [UInt8] {
        switch request.format {
        case .json: objects(rows)
        case .tsv: rows.flatMap { Array((cells($0).joined(separator: "\t") + "\n").utf8) }
        }
    }

    private func objects(_ rows: ArraySlice<StatisticsRow>) -> [UInt8] {
        var json = JSONWriter()
        for row in rows {
            json.object { json in write(row, to: &json) }
            json.endLine()
        }
        return json.octets
    }

    private func write(_ row: StatisticsRow, to json: inout JSONWriter) {
        let (start, end) = ends(row)
        json.member("class", request.bucket == nil ? "stats" : "bucket")
        json.member("type", request.type.rawValue)
        json.member("unit", request.unit.rawValue)
        json.member("start", start, in: request.samples.zone)
        json.member("end", end, in: request.samples.zone)
        if let name = name(of: row.group) {
            json.member(named: request.grouping.rawValue) { appendJSONString(name, to: &$0) }
        }
        json.member("count", row.count)
        json.member("excluded", row.excluded)
        for (function, answer) in answers(row) {
            json.member(named: function.name) { text in
                if let answer { answer.append(to: &text) } else { text += "null".utf8 }
            }
        }
    }

    private func cells(_ row: StatisticsRow) -> [String] {
        let (start, end) = ends(row)
        let times = [start, end].map { time in
            var text: [UInt8] = []
            SampleHeader.append(time, request.samples.zone, to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        return times + (name(of: row.group).map { [$0] } ?? [])
            + ["\(row.count)", "\(row.excluded)"]
            + answers(row).map { $0.answer?.description ?? "" }
    }

    /// The ends of a row's piece; nil where the interval has none.
    private func ends(_ row: StatisticsRow) -> (Instant?, Instant?) {
        guard request.bucket == nil else {
            return (buckets[row.place].start, buckets[row.place].end)
        }
        return (request.samples.query.start, request.samples.query.end)
    }

    private func answers(
        _ row: StatisticsRow
    ) -> [(function: StatisticFunction, answer: DecimalNumber?)] {
        zip(request.functions, row.answers).filter { $0.0 != .count }.map { function, answer in
            (function, answer.map { request.answer($0, to: function) })
        }
    }

    private func name(of group: StatisticsGroup) -> String? {
        switch group {
        case .all: nil
        case .device(let id): devices[id] ?? ""
        case .subject(let name): name
        case .source(let origin): origin.name
        }
    }
}

extension Set<DamagedBlock> {
    /// What the last line of an answer says of blocks that it could not read; mostly nothing.
    var endDetails: [(key: String, value: String)] {
        isEmpty ? [] : [(key: "damaged", value: "\(reduce(0) { $0 + $1.count })")]
    }
}
