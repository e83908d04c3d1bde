/// The forms of what is printed on standard output.
enum OutputFormat: String, CaseIterable, Sendable {
    /// Aligned columns or lines for a person.
    case table
    /// Lines for a person about one thing.
    case text
    /// One JSON object a line, as the daemon sends it.
    case json
    /// JSON objects with a member a line.
    case jsonPretty = "json-pretty"
    /// RFC 4180 with a header.
    case csv
    /// Columns with tabs between them, without a header.
    case tsv
    /// Sources and samples as JSON objects, which can be imported.
    case ndjson
    /// Packets as a recording.
    case gattlog

    /// What samples can be printed as.
    static let forSamples: [OutputFormat] = [.table, .json, .jsonPretty, .csv, .tsv]
    /// What can be exported.
    static let forExport: [OutputFormat] = [.ndjson, .csv, .gattlog]
    /// What other answers of the daemon can be printed as.
    static let forObjects: [OutputFormat] = [.table, .json, .jsonPretty]
    /// What decoded values can be printed as.
    static let forValues: [OutputFormat] = [.text, .json, .jsonPretty]
}
