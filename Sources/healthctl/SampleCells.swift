/// Turns samples into the cells of a table whose columns the first of them decide.
struct SampleCells {
    /// The columns.
    let columns: [SampleColumn]
    private let hidden: [SampleColumn]
    private let usual: SampleRow
    private let showsFraction: Bool
    private let offset: String?

    /// All columns that a table can have, in its order.
    private static let order: [SampleColumn] = [
        .start, .end, .type, .value, .unit, .site, .modality, .quality, .timeQuality, .device,
        .subject,
    ]
    private static let always: Set<SampleColumn> = [.start, .value, .unit, .device]

    /// Cells for rows like these.
    init(_ rows: [SampleRow]) {
        let usual = SampleRow(usualBeside: rows.first)
        let isShown = { (column: SampleColumn) in
            Self.always.contains(column) || rows.contains { $0.differs(in: column, from: usual) }
        }
        columns = Self.order.filter(isShown)
        hidden = Self.order.filter { !isShown($0) }
        let times = rows.compactMap { ClockText($0[.start]) }
        let first = times.first?.offset
        offset = times.allSatisfy { $0.offset == first } ? first : nil
        showsFraction = times.contains { !$0.fraction.isEmpty }
        self.usual = usual
    }

    /// The cells of a row.
    func cells(_ row: SampleRow) -> [TextTable.Cell] {
        columns.map { cell(row, $0) }
    }

    /// What there is no column for, such as `quality=questionable`.
    func notes(_ row: SampleRow) -> [TextTable.Cell] {
        hidden.filter { row.differs(in: $0, from: usual) }
            .map { TextTable.Cell("\($0)=\(row[$0])", .doubtful) }
    }

    private func cell(_ row: SampleRow, _ column: SampleColumn) -> TextTable.Cell {
        let style = TextTable.Style(quality: row[.quality])
        switch column {
        case .start: return TextTable.Cell(time(row[.start]))
        case .end: return TextTable.Cell(time(row[.end]))
        case .value: return TextTable.Cell(row[.value].isEmpty ? "-" : row[.value], style)
        case .unit: return TextTable.Cell(sign(ofUnit: row[.unit]))
        case .quality: return TextTable.Cell(row[.quality], style)
        case .device: return TextTable.Cell(row[.device], .faint)
        default: return TextTable.Cell(row[column])
        }
    }

    /// The offset is shown where it is not the same for all, so that no hour is told twice.
    private func time(_ text: String) -> String {
        guard let time = ClockText(text) else { return text }
        let fraction = showsFraction && time.fraction.isEmpty ? ".000" : time.fraction
        return time.dateTime + fraction + (time.offset == offset ? "" : " \(time.offset)")
    }
}

extension SampleRow {
    /// What needs no column: what is as it mostly is, and of two columns what the first row has.
    fileprivate init(usualBeside first: SampleRow?) {
        self.init { column in
            switch column {
            case .type, .modality: first?[column] ?? ""
            case .subject: "me"
            case .quality: "ok"
            case .timeQuality: "received"
            default: ""
            }
        }
    }

    fileprivate func differs(in column: SampleColumn, from usual: SampleRow) -> Bool {
        self[column] != (column == .end ? self[.start] : usual[column])
    }
}
