/// Why a characteristic's octets do not decode.
package enum MalformedValue: Error, Equatable, Sendable {
    /// There are no octets at all.
    case empty
    /// The flags promise a field that the octets do not hold.
    case truncated(field: StaticString, offset: Int, needed: Int, have: Int)
    /// The whole value is a date, and there is no such date.
    case invalidDateTime
    /// A field of an imported sample has a number that stands for nothing.
    case unknownNumber(field: StaticString)

    /// The short name that `healthctl decode` prints.
    package var symbol: String {
        switch self {
        case .empty: "empty"
        case .truncated: "truncated"
        case .invalidDateTime: "invalid_datetime"
        case .unknownNumber: "unknown_number"
        }
    }

    /// The reason in plain words.
    package var explanation: String {
        switch self {
        case .empty: "no octets"
        case .truncated(let field, let offset, let needed, let have):
            "\(field) needs \(needed) octets at offset \(offset), the value has \(have)"
        case .invalidDateTime: "there is no such date or time"
        case .unknownNumber(let field): "\(field) has a number that stands for nothing"
        }
    }

    package static func == (left: MalformedValue, right: MalformedValue) -> Bool {
        left.explanation == right.explanation
    }
}
