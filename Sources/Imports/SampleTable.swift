internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples

/// Turns a table of samples with a header (CSV) into lines of an import.
///
/// There is a line for each line of the table, so that what the daemon says of a line is true of both.
struct SampleTable: ~Copyable {
    private let zone: Zone
    private var reader = DelimitedReader()
    private var columns: [Column?]?
    /// What there is to be said of single lines.
    private(set) var remarks = ImportRemarks()
    /// Records that became lines.
    private(set) var taken = 0
    /// Records without a value, which are none.
    private(set) var empty = 0
    /// Why nothing can be read; nil while it can.
    private(set) var damage: String?

    /// The columns that are read; `id`, `seq` and others say nothing that is kept.
    private enum Column: String, CaseIterable {
        case start, end, type, value, unit, device, subject, site, modality, quality
    }

    /// A table whose times without an offset are of a zone.
    init(zone: Zone) {
        self.zone = zone
    }

    /// Reads the next octets, and writes the lines that they give.
    mutating func read(_ octets: [UInt8], isEnd: Bool, into json: inout JSONWriter) {
        for record in reader.read(octets, isEnd: isEnd) where damage == nil {
            write(record, to: &json)
            // A line that gives no object stands as a blank one.
            for _ in 1..<max(record.lineEnds, 1) { json.octets.append(UInt8(ascii: "\n")) }
        }
    }

    /// What there is to be said, and was not given yet.
    mutating func takeRemarks() -> [String] { remarks.take() }

    private mutating func write(_ record: DelimitedReader.Record, to json: inout JSONWriter) {
        if let fields = record.fields, let columns {
            if write(fields, columns, record.line, to: &json) { return }
        } else if let fields = record.fields {
            takeHeader(fields)
        } else {
            remarks.add(line: record.line, "longer than \(DelimitedReader.longestRecord) octets")
        }
        json.octets.append(UInt8(ascii: "\n"))
    }

    private mutating func takeHeader(_ fields: [String]) {
        let mark = "\u{FEFF}"
        columns = fields.map { name in
            Column(rawValue: name.hasPrefix(mark) ? String(name.dropFirst(1)) : name)
        }
        let needed: [Column] = [.start, .type, .value]
        let missing = needed.filter { !(columns ?? []).contains($0) }
        guard !missing.isEmpty else { return }
        damage =
            "it is neither an export of Apple Health nor JSON lines, and as a table it has no column "
            + missing.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            + "; the first line names the columns"
    }

    /// Writes a line of the fields; false if there is none to write.
    private mutating func write(
        _ fields: [String], _ columns: [Column?], _ line: Int, to json: inout JSONWriter
    ) -> Bool {
        guard fields.count == columns.count else {
            if fields != [""] {
                remarks.add(
                    line: line, "it has \(fields.count) columns, the header has \(columns.count)")
            }
            return false
        }
        let zipped = zip(columns, fields).compactMap { column, field in column.map { ($0, field) } }
        guard zipped.contains(where: { $0 == .value && !$1.isEmpty }) else {
            empty += 1
            return false
        }
        taken += 1
        json.object { json in
            json.member("class", "sample")
            for (column, field) in zipped where !field.isEmpty { write(column, field, to: &json) }
        }
        json.endLine()
        return true
    }

    private func write(_ column: Column, _ field: String, to json: inout JSONWriter) {
        switch column {
        case .start: json.member("start", time(field))
        case .end: json.member("end", time(field))
        case .value: writeValue(field, to: &json)
        case .type: json.member("type", field)
        case .unit: json.member("unit", field)
        case .device: json.member("device", field)
        case .subject: json.member("subject", field)
        case .site: json.member("site", field)
        case .modality: json.member("modality", field)
        case .quality: json.member("quality", field)
        }
    }

    private func writeValue(_ field: String, to json: inout JSONWriter) {
        guard let number = DecimalNumber(field) else { return json.member("value", field) }
        json.member("value", writing: { number.append(to: &$0) })
    }

    /// The time with its offset; one that cannot be read stays, and the daemon says so.
    private func time(_ field: String) -> String {
        if let instant = Instant(fileTime: field) { return instant.text() }
        do throws(TimeExpressionError) {
            guard field.first?.isNumber ?? false, field.count >= 10 else { return field }
            let past = Instant(milliseconds: 0)
            return try TimeExpression.instant(from: field, zone: zone, now: past).text()
        } catch {
            return field
        }
    }
}
