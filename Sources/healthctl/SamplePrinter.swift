import ControlProtocol
import JSON

/// Prints samples, which come as rows or objects, in one of the forms.
struct SamplePrinter {
    /// The name of the zone of the times, for the heading.
    var zone: String?
    /// What becomes of a row before it is printed; nil leaves it as it is.
    var form: RowForm?
    private let format: OutputFormat
    private var table: SampleTable
    private var isFirst = true

    /// A printer that has printed nothing.
    init(format: OutputFormat, isColored: Bool) {
        self.format = format
        table = SampleTable(isColored: isColored)
    }

    /// Prints what the daemon sent for one sample: an object for the JSON forms, else a row.
    ///
    /// - Throws: A failure of the output.
    mutating func print(
        _ line: ArraySlice<UInt8>, to output: inout StandardOutput
    ) throws(Failure) {
        defer { isFirst = false }
        let line = form.map { $0.row(line)[...] } ?? line
        switch format {
        case .json, .tsv: try output.writeLine(line)
        case .jsonPretty:
            var parser = JSONParser()
            try output.write(indented(try object(line, with: &parser)))
        case .csv:
            if isFirst { try writeHeader(to: &output) }
            try output.write(csvRecord(ofRow: line))
        case .table, .text, .ndjson, .gattlog:
            try table.add(SampleRow(line), zone: zone, to: &output)
        }
    }

    /// Prints what was held back, and the header of a CSV file without records.
    ///
    /// - Throws: A failure of the output.
    mutating func finish(_ output: inout StandardOutput) throws(Failure) {
        if format == .csv, isFirst { try writeHeader(to: &output) }
        try table.finish(zone: zone, to: &output)
    }

    private func writeHeader(to output: inout StandardOutput) throws(Failure) {
        let row = form?.heading ?? SampleLine.columns.joined(separator: "\t")
        try output.write(csvRecord(ofRow: Array(row.utf8)[...]))
    }
}

/// A record of RFC 4180 for a row with tabs between its columns.
func csvRecord(ofRow row: ArraySlice<UInt8>) -> [UInt8] {
    var record: [UInt8] = []
    record.reserveCapacity(row.count + 2)
    let needsQuotes = row.contains { isSpecial($0) }
    guard needsQuotes else {
        for octet in row { record.append(octet == tab ? comma : octet) }
        record.append(contentsOf: "\r\n".utf8)
        return record
    }
    let fields = row.split(separator: tab, omittingEmptySubsequences: false).map(csvField)
    return Array(fields.joined(separator: [comma])) + Array("\r\n".utf8)
}

private func csvField(_ field: ArraySlice<UInt8>) -> [UInt8] {
    guard field.contains(where: isSpecial) else { return Array(field) }
    let quote = UInt8(ascii: "\"")
    let doubled = field.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return [quote] + doubled + [quote]
}

private func isSpecial(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "\"") || octet == comma || octet == UInt8(ascii: "\r")
}

private let tab = UInt8(ascii: "\t")
private let comma = UInt8(ascii: ",")
