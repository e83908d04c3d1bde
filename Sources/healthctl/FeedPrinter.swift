import ControlProtocol
import JSON

/// Prints records of the feed, a line each, in one of the forms.
///
/// In the forms for programs the columns are those of samples, and behind them what happened.
struct FeedPrinter {
    private let format: OutputFormat
    private let table: TextTable

    /// What the feed can be printed as.
    static let formats: [OutputFormat] = [.table, .json, .csv, .tsv]

    /// As wide as what sensors send.
    private static let usual = [
        "2026-11-29 22:00:00", "oxygenSaturation", "000.00", "/min", "00:1C:05:01:02:03",
    ]

    /// A printer that has printed nothing, for times of a zone.
    init(format: OutputFormat, zone: String, isColored: Bool) {
        self.format = format
        let columns = [
            TextTable.Column("TIME (\(zone))"), TextTable.Column("TYPE"),
            TextTable.Column("VALUE", .point), TextTable.Column("UNIT"), TextTable.Column("DEVICE"),
        ]
        let cells = Self.usual.map { TextTable.Cell($0) }
        table = TextTable(columns, measuring: [cells], isColored: isColored)
    }

    /// The line that stands above all others, with its end; empty if there is none.
    var heading: [UInt8] {
        switch format {
        case .table, .text, .ndjson, .gattlog: Array("\(table.heading)\n".utf8)
        case .csv: csvRecord(ofRow: Self.columns[...])
        case .json, .jsonPretty, .tsv: []
        }
    }

    /// The line of a record, which came as a text and was taken apart.
    func line(_ text: ArraySlice<UInt8>, _ record: JSONValue) -> [UInt8] {
        switch format {
        case .json, .jsonPretty: return text + [UInt8(ascii: "\n")]
        case .tsv: return row(record) + [UInt8(ascii: "\n")]
        case .csv: return csvRecord(ofRow: row(record)[...])
        case .table, .text, .ndjson, .gattlog: return Array("\(table.line(cells(record)))\n".utf8)
        }
    }

    private static let columns = Array("\(SampleLine.columns.joined(separator: "\t"))\tclass".utf8)

    private func row(_ record: JSONValue) -> [UInt8] {
        Array("\(SampleRow(record).line)\t\(record.text("class"))".utf8)
    }

    private func cells(_ record: JSONValue) -> [TextTable.Cell] {
        let quality = TextTable.Style(quality: record.text("quality"))
        let value = record.text("value")
        return [
            TextTable.Cell(shortTime(record.text("start"))), TextTable.Cell(record.text("type")),
            TextTable.Cell(value.isEmpty ? record["absent"]?.string ?? "-" : value, quality),
            TextTable.Cell(sign(ofUnit: record.text("unit"))),
            TextTable.Cell(record.text("device"), .faint),
        ] + notes(record)
    }

    /// What has no column: that a sample changed or is gone, and what it has that is unusual.
    private func notes(_ record: JSONValue) -> [TextTable.Cell] {
        let change: String? =
            switch record.text("class") {
            case "update": "updated"
            case "delete" where record["end"] != nil:
                "all deleted until \(shortTime(record.text("end")))"
            case "delete": "deleted: \(record.text("id"))"
            default: nil
            }
        let quality = record.text("quality")
        let words = [
            change, record.text("site"), quality == "ok" ? nil : words(ofName: quality),
            record.text("subject") == "me" ? nil : record.text("subject"),
        ]
        return words.compactMap(\.self).filter { !$0.isEmpty }.map { TextTable.Cell($0, .doubtful) }
    }
}
