/// Aligned columns of text, with widths that stay once they are measured.
struct TextTable {
    /// One column.
    struct Column {
        /// Its heading.
        let title: String
        /// On which side its texts meet.
        let alignment: Alignment

        /// A column with the given parts.
        init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    /// On which side the texts of a column meet.
    enum Alignment {
        /// At their beginning.
        case left
        /// At their end.
        case right
        /// At the decimal point.
        case point
    }

    /// One text of a row.
    struct Cell {
        /// What it says, without control characters.
        let text: String
        /// How it looks on a terminal.
        let style: Style

        /// A cell with the given parts.
        init(_ text: String, _ style: Style = .plain) {
            self.text = printable(text)
            self.style = style
        }
    }

    /// How a text looks on a terminal, by what it means.
    enum Style: String {
        /// Nothing special.
        case plain = ""
        /// A heading.
        case heading = "1"
        /// As it should be.
        case good = "32"
        /// To be read with doubt.
        case doubtful = "33"
        /// Wrong.
        case bad = "31"
        /// Of less importance.
        case faint = "2"
    }

    private let columns: [Column]
    private let isColored: Bool
    private var widths: [Int]
    private var decimals: [Int]

    /// A table whose widths are those of the headings and of the given rows.
    ///
    /// Later rows may be wider; they then push what follows to the right.
    init(_ columns: [Column], measuring rows: [[Cell]], isColored: Bool) {
        self.columns = columns
        self.isColored = isColored
        widths = columns.map(\.title.count)
        decimals = columns.map { _ in 0 }
        for row in rows { measureDecimals(row) }
        for row in rows { measure(row) }
    }

    /// The whole table with its headings.
    static func text(
        _ columns: [Column], _ rows: [[Cell]], isColored: Bool
    ) -> String {
        let shown = columns.indices.filter { index in
            rows.contains { !$0[index].text.isEmpty }
        }
        let (columns, rows) = (shown.map { columns[$0] }, rows.map { row in shown.map { row[$0] } })
        let table = TextTable(columns, measuring: rows, isColored: isColored)
        return ([table.heading] + rows.map { table.line($0) }).map { $0 + "\n" }.joined()
    }

    /// The line with the headings.
    var heading: String {
        let cells = columns.map { Cell($0.title, .heading) }
        return line(cells, isHeading: true)
    }

    /// The line of a row, which may have more cells than there are columns.
    func line(_ cells: [Cell]) -> String {
        line(cells, isHeading: false)
    }

    private func line(_ cells: [Cell], isHeading: Bool) -> String {
        var text = ""
        var gap = 0
        for (index, cell) in cells.enumerated() {
            let (before, after) = padding(of: cell.text, in: index, isHeading: isHeading)
            text += cell.text.isEmpty ? "" : String(repeating: " ", count: gap + before)
            text += colored(cell)
            gap = (cell.text.isEmpty ? gap + before : 0) + after + 2
        }
        return text
    }

    private func padding(of text: String, in index: Int, isHeading: Bool) -> (Int, Int) {
        guard index < columns.count else { return (0, 0) }
        let free = max(widths[index] - width(of: text), 0)
        switch columns[index].alignment {
        case .left: return (0, free)
        case .right: return (free, 0)
        case .point:
            let after = isHeading ? 0 : min(free, decimals[index] - lengthOfDecimals(text))
            return (free - max(after, 0), max(after, 0))
        }
    }

    private func colored(_ cell: Cell) -> String {
        guard isColored, cell.style != .plain, !cell.text.isEmpty else { return cell.text }
        return "\u{1B}[\(cell.style.rawValue)m\(cell.text)\u{1B}[0m"
    }

    private mutating func measureDecimals(_ row: [Cell]) {
        for (index, cell) in row.enumerated() where columns[index].alignment == .point {
            decimals[index] = max(decimals[index], lengthOfDecimals(cell.text))
        }
    }

    private mutating func measure(_ row: [Cell]) {
        for (index, cell) in row.enumerated() {
            let isPoint = columns[index].alignment == .point
            let after = isPoint ? decimals[index] - lengthOfDecimals(cell.text) : 0
            widths[index] = max(widths[index], width(of: cell.text) + after)
        }
    }
}

/// The number of places that a text takes; octets are counted much faster than characters.
private func width(of text: String) -> Int {
    let octets = text.utf8.count
    return octets == text.unicodeScalars.count ? octets : text.count
}

/// The length of the point and what follows it.
private func lengthOfDecimals(_ text: String) -> Int {
    let octets = text.utf8
    return octets.firstIndex(of: UInt8(ascii: ".")).map { octets[$0...].count } ?? 0
}
