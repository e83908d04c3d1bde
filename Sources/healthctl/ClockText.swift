/// A time as the daemon writes it, taken apart: `2026-11-29T22:00:00.123+01:00`.
struct ClockText {
    /// `2026-11-29 22:00:00`.
    let dateTime: String
    /// `.123`, or nothing for a whole second.
    let fraction: String
    /// `+01:00`.
    let offset: String

    private static let lengthOfDateTime = 19
    private static let lengthOfFraction = 4

    /// The parts of a time; nil for a text of another form.
    init?(_ text: String) {
        let octets = Array(text.utf8)
        guard octets.count > Self.lengthOfDateTime + Self.lengthOfFraction else { return nil }
        guard octets[10] == UInt8(ascii: "T"), octets[Self.lengthOfDateTime] == UInt8(ascii: ".")
        else { return nil }
        let (date, rest) = (octets[..<10], octets[Self.lengthOfDateTime...])
        let time = octets[11..<Self.lengthOfDateTime]
        dateTime =
            "\(String(decoding: date, as: UTF8.self)) \(String(decoding: time, as: UTF8.self))"
        let fraction = String(decoding: rest.prefix(Self.lengthOfFraction), as: UTF8.self)
        self.fraction = fraction == ".000" ? "" : fraction
        offset = String(decoding: rest.dropFirst(Self.lengthOfFraction), as: UTF8.self)
    }
}

/// A time of the daemon's as a person reads it, cut to seconds; any other text as it is.
func shortTime(_ text: String) -> String {
    ClockText(text)?.dateTime ?? text
}
