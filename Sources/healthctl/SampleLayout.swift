/// Which columns a table of samples has, and how wide they are.
struct SampleLayout {
    private let contents: SampleCells
    private let table: TextTable

    /// The layout that shows what differs among the given rows, and what is not as it usually is.
    init(_ rows: [SampleRow], zone: String?, isColored: Bool) {
        contents = SampleCells(rows)
        let titles = contents.columns.map { Self.column($0, zone: zone) }
        table = TextTable(titles, measuring: rows.map(contents.cells), isColored: isColored)
    }

    /// The line with the headings.
    var heading: String { table.heading }

    /// The line of a row.
    func line(_ row: SampleRow) -> String {
        table.line(contents.cells(row) + contents.notes(row))
    }

    private static func column(_ column: SampleColumn, zone: String?) -> TextTable.Column {
        switch column {
        case .start: TextTable.Column(zone.map { "TIME (\($0))" } ?? "TIME")
        case .value: TextTable.Column("VALUE", .point)
        case .timeQuality: TextTable.Column("CLOCK")
        default: TextTable.Column("\(column)".uppercased())
        }
    }
}
