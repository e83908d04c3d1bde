import ControlProtocol
import JSON

/// The columns of a row, in the order of `SampleLine.columns`.
enum SampleColumn: Int, CaseIterable {
    /// When the measurement began.
    case start
    /// When it ended.
    case end
    /// What it measures.
    case type
    /// The number, or nothing.
    case value
    /// The unit of the number.
    case unit
    /// The address of the device.
    case device
    /// Whose it is.
    case subject
    /// Where on the body.
    case site
    /// How it was measured.
    case modality
    /// How far it can be relied on.
    case quality
    /// How its time came about.
    case timeQuality
    /// Where it came from.
    case source
    /// What names the sample.
    case id
    /// The number of its reading.
    case seq
}

/// One sample as a row of texts; what is missing is empty.
struct SampleRow: Equatable {
    private let fields: [String]

    /// The row that a line with tabs between its columns holds.
    init(_ line: ArraySlice<UInt8>) {
        fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The row of a sample that came as an object.
    init(_ object: JSONValue) {
        fields = SampleLine.columns.map { object.text($0) }
    }

    /// The row with these texts.
    init(_ text: (SampleColumn) -> String) {
        fields = SampleColumn.allCases.map(text)
    }

    /// The text of a column.
    subscript(column: SampleColumn) -> String {
        column.rawValue < fields.count ? fields[column.rawValue] : ""
    }

    /// The row with tabs between its columns.
    var line: String { fields.joined(separator: "\t") }
}

extension TextTable.Style {
    /// How the value of a sample of this quality looks.
    init(quality: String) {
        switch quality {
        case "ok", "": self = .plain
        case "questionable": self = .doubtful
        default: self = .bad
        }
    }
}
