/// Why a clock was set last.
///
/// Source: Current Time Service 1.1, Adjust Reason; bits 4 to 7 are reserved.
package struct AdjustReason: OptionSet, Hashable, Sendable {
    /// The bits as sent.
    package let rawValue: UInt8

    /// The set of these bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A person set it.
    package static let manual = AdjustReason(rawValue: 1 << 0)
    /// A better clock set it.
    package static let externalReference = AdjustReason(rawValue: 1 << 1)
    /// The time zone changed.
    package static let timeZone = AdjustReason(rawValue: 1 << 2)
    /// Daylight saving time began or ended.
    package static let dst = AdjustReason(rawValue: 1 << 3)

    /// The names of the flags that are set, lowest bit first; reserved bits have none.
    package var names: [String] { flagNames(UInt32(rawValue), from: 0, Self.bitNames) }

    private static let bitNames = [
        "manual", "external_reference", "time_zone", "dst",
    ]
}

/// A Current Time (0x2A2B), 10 octets: what a device's clock shows at the moment of reading.
///
/// Source: Current Time Service 1.1, Current Time.
package struct CurrentTime: Equatable, Sendable {
    /// The date and time of day.
    package let dateTime: DateTime
    /// The day of the week, 1 (Monday) to 7 (Sunday); 0 is unknown, more is reserved.
    package let dayOfWeek: UInt8
    /// The fraction of the second, in 1/256 s.
    package let fractions256: UInt8
    /// Why the clock was set last.
    package let adjustReason: AdjustReason
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The time that the octets hold.
    ///
    /// - Throws: `MalformedValue`, also if there is no such date or time.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let octets = try fields.octets(DateTime.length, "Date Time")
        dayOfWeek = try fields.uint8("Day of Week")
        fractions256 = try fields.uint8("Fractions256")
        adjustReason = AdjustReason(rawValue: try fields.uint8("Adjust Reason"))
        trailing = fields.remaining
        guard let dateTime = DateTime(octets) else { throw .invalidDateTime }
        self.dateTime = dateTime
    }

    /// The day's name, or `unknown`; nil if the number is reserved.
    package var dayName: String? {
        Self.days.indices.contains(Int(dayOfWeek)) ? Self.days[Int(dayOfWeek)] : nil
    }

    private static let days = [
        "unknown", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
}
