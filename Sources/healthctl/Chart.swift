import Measurements

/// A chart in text: a band from the least to the greatest value of each column, gaps left open.
struct Chart {
    /// What there is of one column.
    struct Column: Equatable {
        /// The least value.
        let least: DecimalNumber
        /// The greatest value.
        let greatest: DecimalNumber
    }

    private let columns: [Column?]
    private let height: Int
    private let signs: Signs
    private let low: DecimalNumber
    private let high: DecimalNumber

    /// What a chart is drawn with.
    struct Signs {
        /// Lines of one row of text that are told apart: full, upper and lower half.
        let band: [Character]
        /// The left edge, the corner, and the line below.
        let frame: [Character]

        /// Block elements and box drawing characters.
        static let unicode = Signs(band: [" ", "▄", "▀", "█"], frame: ["│", "└", "─"])
        /// What every terminal can show.
        static let ascii = Signs(band: [" ", "#"], frame: ["|", "+", "-"])

        /// How many lines a row of text has.
        var linesOfRow: Int { band.count == 2 ? 1 : 2 }
    }

    /// A chart of `height` rows; nil stands for a column without values.
    ///
    /// - Returns: nil if no column has values.
    init?(_ columns: [Column?], height: Int, _ signs: Signs) {
        let present = columns.compactMap { $0 }
        guard let low = present.map(\.least).min(), let high = present.map(\.greatest).max() else {
            return nil
        }
        (self.columns, self.height, self.signs) = (columns, height, signs)
        (self.low, self.high) = (low, high)
    }

    /// The rows from above, then the line that is broken where there are no values.
    var lines: [String] {
        let bands = columns.map { $0.map(band) }
        let labels = (0..<height).map(label)
        let width = labels.map(\.count).max() ?? 0
        let rows = (0..<height).map { row in
            let text = String(bands.map { cell($0, row) })
            return "\(labels[row].leftPadded(to: width)) \(signs.frame[0])\(text)"
        }
        let line = String(columns.map { $0 == nil ? " " : signs.frame[2] })
        return rows + ["\(String(repeating: " ", count: width)) \(signs.frame[1])\(line)"]
    }

    private func label(_ row: Int) -> String {
        row == 0 ? high.description : row == height - 1 && high != low ? low.description : ""
    }

    /// The lines that a column's band takes, counted from below.
    private func band(_ column: Column) -> ClosedRange<Int> {
        line(column.least)...line(column.greatest)
    }

    private func line(_ value: DecimalNumber) -> Int {
        let exponent = min(value.exponent, low.exponent, high.exponent, 0)
        let (value, low, high) = (
            value.units(of: exponent), low.units(of: exponent), high.units(of: exponent)
        )
        let last = Int128(height * signs.linesOfRow - 1)
        guard high > low else { return Int(last) }
        return Int(((value - low) * last * 2 + high - low) / ((high - low) * 2))
    }

    private func cell(_ band: ClosedRange<Int>?, _ row: Int) -> Character {
        guard let band else { return " " }
        let lowest = (height - 1 - row) * signs.linesOfRow
        let bits = (0..<signs.linesOfRow).reduce(0) {
            band.contains(lowest + $1) ? $0 | 1 << $1 : $0
        }
        return signs.band[bits]
    }
}

extension DecimalNumber {
    /// The number in units of a power of ten that is not above its own.
    fileprivate func units(of power: Int) -> Int128 {
        Int128(mantissa) * power10(exponent - power)
    }
}

extension String {
    /// The text with blanks before it, so that it is at least so long.
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }
}
