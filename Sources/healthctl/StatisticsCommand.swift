import ControlProtocol
import JSON

/// `healthctl stats` and `healthctl series`: what values come to.
enum StatisticsCommand {
    /// Prints the lines as the daemon sends them, or as a table.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let isJSON = session.format == .json || session.format == .jsonPretty
        let request = try session.request(
            arguments: session.invocation.arguments,
            [Request.Option(key: "format", value: isJSON ? "json" : "tsv")])
        var connection = try session.connect()
        try connection.send(request)
        var reply = StatisticsReply(format: session.format)
        while let line = try connection.nextLine() { try reply.take(line, &session.output) }
        try session.output.write(reply.table(isColored: session.isColored))
        let remarks = reply.header?.remarks(samples: reply.samples) ?? []
        for text in remarks { session.remark(text) }
        remarkOnDamage(connection.details, session)
        let isEmpty = reply.samples == 0
        return isEmpty && session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }
}

/// Says how many readings are missing because the store is damaged.
func remarkOnDamage(_ details: [String: String]?, _ session: Session) {
    guard let damaged = details?["damaged"].flatMap({ Int($0) }) else { return }
    let lost = count(damaged, "reading")
    session.remark("warning: \(lost) of the interval cannot be read, the store is damaged there")
}

/// The lines of a reply with statistics.
struct StatisticsReply {
    /// What the reply begins with.
    private(set) var header: ReplyHeader?
    /// How many values there were, as far as the lines tell it.
    private(set) var samples = 0
    private let format: OutputFormat
    private var rows: [[String]] = []

    /// A reply of which nothing has come.
    init(format: OutputFormat) {
        self.format = format
    }

    /// Prints a line, or keeps it for the table.
    ///
    /// - Throws: A failure of the output.
    mutating func take(_ line: ReplyLine, _ output: inout StandardOutput) throws(Failure) {
        switch line {
        case .remark(let text): try begin(text, &output)
        case .object(let text):
            var parser = JSONParser()
            let value = try object(text, with: &parser)
            samples += value["count"]?.integer ?? 0
            try print(text, value, &output)
        case .row(let text):
            let cells = text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            samples += count(in: cells)
            try print(text, cells, &output)
        case .end: break
        }
    }

    private mutating func begin(
        _ text: ArraySlice<UInt8>, _ output: inout StandardOutput
    ) throws(Failure) {
        guard header == nil, let found = ReplyHeader(text) else { return }
        header = found
        guard format == .csv else { return }
        let row = Array(found.columns.joined(separator: "\t").utf8)
        try output.write(csvRecord(ofRow: row[...]))
    }

    private func count(in cells: [String]) -> Int {
        guard let place = header?.columns.firstIndex(of: "count"), place < cells.count else {
            return 0
        }
        return Int(cells[place]) ?? 0
    }

    private func print(
        _ text: ArraySlice<UInt8>, _ value: JSONValue, _ output: inout StandardOutput
    ) throws(Failure) {
        guard format == .jsonPretty else { return try output.writeLine(text) }
        try output.write(indented(value))
    }

    private mutating func print(
        _ text: ArraySlice<UInt8>, _ cells: [String], _ output: inout StandardOutput
    ) throws(Failure) {
        switch format {
        case .csv: try output.write(csvRecord(ofRow: text))
        case .tsv: try output.writeLine(text)
        case .table, .text, .json, .jsonPretty, .ndjson, .gattlog: rows.append(cells)
        }
    }

    /// The table of the rows that were kept; nothing without rows.
    func table(isColored: Bool) -> String {
        guard let header, !rows.isEmpty else { return "" }
        let columns = header.columns.map { name in
            let isName = ["start", "end", "device", "subject", "source"].contains(name)
            return TextTable.Column(name.uppercased(), isName ? .left : .point)
        }
        let cells = rows.map { row in
            row.map { TextTable.Cell($0.isEmpty ? "-" : shortTime($0)) }
        }
        let unit = sign(ofUnit: header.unit)
        let title = "\(header.type)\(unit.isEmpty ? "" : ", \(unit)"), \(header.zone ?? "")"
        return printable(title) + "\n" + TextTable.text(columns, cells, isColored: isColored)
    }
}
