/// Why a text is no time or no duration.
package struct TimeExpressionError: Error, Equatable, Sendable {
    /// What is wrong with the text.
    package enum Reason: Error, Equatable, Sendable {
        /// There is nothing in it.
        case empty
        /// It is longer than any time.
        case tooLong
        /// It has none of the forms of a time.
        case unknownForm
        /// It has digits and dashes but not where a date has them.
        case dateForm
        /// It has digits and colons but not where a time of day has them.
        case timeForm
        /// The calendar does not have the date.
        case noSuchDate
        /// The clock does not have the time of day.
        case noSuchTime
        /// `@` is not followed by a number of seconds.
        case unixSecondsForm
        /// It is not a row of whole numbers with units.
        case durationForm
        /// The result has a year of other than four digits.
        case outOfRange
        /// It is longer than any two times are apart.
        case durationTooLong
    }

    /// The text, as far as it can be shown: printable ASCII, cut to the longest that a time has.
    package let text: String
    /// What is wrong with it.
    package let reason: Reason

    /// The largest number of octets that a time or duration has.
    package static let longestText = 64

    /// The error that `text` is wrong for `reason`.
    package init(_ text: String, _ reason: Reason) {
        let shown = text.utf8.prefix(Self.longestText).map { octet in
            (0x20...0x7E).contains(octet) ? octet : UInt8(ascii: "?")
        }
        self.text = String(decoding: shown, as: UTF8.self)
        self.reason = reason
    }
}

extension TimeExpressionError: CustomStringConvertible {
    /// One line for the person who wrote the text.
    package var description: String {
        "bad \([.durationForm, .durationTooLong].contains(reason) ? "duration" : "time") `\(text)`: \(reason.explanation)"
    }
}

extension TimeExpressionError.Reason {
    /// What to write instead.
    package var explanation: String {
        switch self {
        case .empty, .unknownForm:
            "write it as 2026-11-29, 2026-11-29 22:00, 22:00, today, yesterday 22:00, monday, "
                + "now, -1h30m, @1764450000 or 2026-11-29T22:00:00+01:00"
        case .tooLong: "it has more than \(TimeExpressionError.longestText) octets"
        case .dateForm: "a date is written as year-month-day, 2026-11-29"
        case .timeForm: "a time of day is written as 22:00, 22:00:05 or 22:00:05.250"
        case .noSuchDate: "there is no such date"
        case .noSuchTime: "hours go from 00 to 23, minutes and seconds from 00 to 59"
        case .unixSecondsForm: "after @ stand seconds since 1970, @1764450000 or @1764450000.250"
        case .durationForm: "write whole numbers with ms, s, m, h, d or w, such as 90s or 1h30m"
        case .durationTooLong: "it is longer than all of time from year 0000 to 9999"
        case .outOfRange: "the year must be one from 0000 to 9999"
        }
    }
}
