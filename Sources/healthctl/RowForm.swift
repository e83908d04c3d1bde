import ControlProtocol
import Measurements
import Samples

extension CommandOption {
    /// The columns of a table for programs.
    static let columns = CommandOption(
        "columns", nil, "NAME,…", help: "only these columns, in this order (csv and tsv)")
    /// How times are written.
    static let timeFormat = CommandOption(
        "time-format", nil, "FORMAT",
        help: "times as in %Y/%m/%d %H:%M:%S; also %L and %z (csv, tsv)")
    /// How many decimals values have.
    static let decimals = CommandOption(
        "decimals", nil, "N", help: "round values to N decimals, halves to even (csv and tsv)")
}

/// What becomes of a row of samples before it is printed: chosen columns, times and numbers in a form.
struct RowForm: Equatable {
    /// The columns, in their order.
    let columns: [SampleColumn]
    private let timeFormat: [TimePart]
    private let decimals: Int?

    /// A part of the form of a time.
    private enum TimePart: Equatable {
        case text(Character)
        case field(Character)
    }

    /// The most decimals of a number.
    private static let mostDecimals = 18
    private static let fields: Set<Character> = ["Y", "m", "d", "H", "M", "S", "L", "z"]

    /// The form that options ask for; nil if they ask for none.
    ///
    /// - Throws: A usage failure.
    init?(_ session: Session) throws(Failure) {
        let invocation = session.invocation
        let options = [CommandOption.columns, .timeFormat, .decimals]
        guard let given = options.first(where: invocation.has) else { return nil }
        guard session.format == .csv || session.format == .tsv else {
            throw .usage("--\(given.name) is for -o csv and -o tsv")
        }
        columns = try invocation[.columns].map(Self.columns) ?? SampleColumn.allCases
        timeFormat = try invocation[.timeFormat].map(Self.timeParts) ?? []
        decimals = try invocation[.decimals].map(Self.decimals)
    }

    /// The heading of the columns, with tabs between them.
    var heading: String { columns.map { "\($0)" }.joined(separator: "\t") }

    /// The row in this form.
    func row(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let row = SampleRow(line)
        return Array(columns.map { field($0, row[$0]) }.joined(separator: "\t").utf8)
    }

    private func field(_ column: SampleColumn, _ text: String) -> String {
        switch column {
        case .start, .end: timeFormat.isEmpty ? text : time(text)
        case .value: decimals.map { rounded(text, $0) } ?? text
        case .type, .unit, .device, .subject, .site, .modality, .quality, .timeQuality, .source,
            .id, .seq:
            text
        }
    }

    private func time(_ text: String) -> String {
        guard let clock = ClockText(text) else { return text }
        let digits = Array(clock.dateTime)
        let places: [Character: Range<Int>] = [
            "Y": 0..<4, "m": 5..<7, "d": 8..<10, "H": 11..<13, "M": 14..<16, "S": 17..<19,
        ]
        return timeFormat.reduce(into: "") { result, part in
            switch part {
            case .text(let character): result.append(character)
            case .field("L"): result += clock.fraction.isEmpty ? "000" : clock.fraction.dropFirst()
            case .field("z"): result += clock.offset
            case .field(let field): result += String(digits[places[field] ?? 0..<0])
            }
        }
    }

    private func rounded(_ text: String, _ decimals: Int) -> String {
        guard let number = DecimalNumber(text) else { return text }
        let places = -number.exponent - decimals
        let mantissa =
            places > 0
            ? roundedHalfEven(Int128(number.mantissa), over: power10(places))
            : Int128(number.mantissa) * power10(-places)
        guard let mantissa = Int64(exactly: mantissa) else { return text }
        return DecimalNumber(mantissa: mantissa, exponent: -decimals).description
    }
}

extension RowForm {
    private static func columns(_ text: String) throws(Failure) -> [SampleColumn] {
        var columns: [SampleColumn] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let column = SampleColumn.allCases.first(where: { "\($0)" == name }) else {
                let known = SampleColumn.allCases.map { "\($0)" }
                throw .usage(
                    "there is no column `\(name)`"
                        + didYouMean(
                            nearest(to: String(name), in: known),
                            else: "there are " + known.joined(separator: ", ")))
            }
            columns.append(column)
        }
        return columns
    }

    private static func timeParts(_ text: String) throws(Failure) -> [TimePart] {
        var parts: [TimePart] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                parts.append(.text(character))
                continue
            }
            switch rest.popFirst() {
            case "%": parts.append(.text("%"))
            case let field? where fields.contains(field): parts.append(.field(field))
            case let field:
                throw .usage(
                    "--time-format knows %Y %m %d %H %M %S %L %z and %%, not `%\(field ?? " ")`")
            }
        }
        return parts
    }

    private static func decimals(_ text: String) throws(Failure) -> Int {
        guard let number = Int(text), (0...mostDecimals).contains(number) else {
            throw .usage("--decimals is a number from 0 to \(mostDecimals), not `\(text)`")
        }
        return number
    }
}
