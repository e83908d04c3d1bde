/// A Date Time (0x2A08), 7 octets: what the sensor's clock shows, without any zone.
///
/// Year, month and day may each be unknown (0 in the octets).
/// Source: GATT Specification Supplement, Date Time.
package struct DateTime: Equatable, Sendable {
    /// The year, 1582 to 9999; nil if the sensor does not know it.
    package let year: Int?
    /// The month, 1 to 12; nil if the sensor does not know it.
    package let month: Int?
    /// The day of the month, 1 to 31; nil if the sensor does not know it.
    package let day: Int?
    /// The hour, 0 to 23.
    package let hour: Int
    /// The minute, 0 to 59.
    package let minute: Int
    /// The second, 0 to 59.
    package let second: Int
    /// The number of octets behind a Date Time that stands alone; 0 inside another value.
    package let trailing: Int

    /// The date and time that the octets of a characteristic hold.
    ///
    /// - Throws: `MalformedValue`, also if there is no such date or time.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let octets = try fields.octets(Self.length, "Date Time")
        guard let time = DateTime(octets, trailing: fields.remaining) else {
            throw .invalidDateTime
        }
        self = time
    }

    /// The number of octets of a Date Time.
    static let length = 7

    /// The date and time that seven octets stand for.
    ///
    /// - Returns: nil if there is no such date or time.
    init?(_ octets: [UInt8], trailing: Int = 0) {
        guard octets.count == Self.length else { return nil }
        let year = Int(octets[0]) | Int(octets[1]) << 8
        self.year = year == 0 ? nil : year
        month = octets[2] == 0 ? nil : Int(octets[2])
        day = octets[3] == 0 ? nil : Int(octets[3])
        hour = Int(octets[4])
        minute = Int(octets[5])
        second = Int(octets[6])
        self.trailing = trailing
        guard isPossible else { return nil }
    }

    /// The date and time as one value; nil if a part of the date is unknown.
    package var civilTime: CivilTime? {
        guard let year, let month, let day else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Unknown parts pass for the longest: a leap year, a month of 31 days, the first of a month.
    private var isPossible: Bool {
        let year = year ?? 2000
        return (1582...9999).contains(year)
            && CivilTime(
                year: year, month: month ?? 1, day: day ?? 1, hour: hour, minute: minute,
                second: second) != nil
    }
}

/// The time stamp inside a measurement.
package enum TimeStamp: Equatable, Sendable {
    /// A date and time, perhaps with unknown parts.
    case known(DateTime)
    /// Seven octets that are no date and time; the measurement around them is still good.
    case impossible([UInt8])

    /// The time as one value; nil if it is impossible or a part of the date is unknown.
    package var civilTime: CivilTime? {
        guard case .known(let time) = self else { return nil }
        return time.civilTime
    }
}

extension FieldReader {
    /// Reads the seven octets of a Time Stamp.
    mutating func timeStamp() throws(MalformedValue) -> TimeStamp {
        let octets = try octets(DateTime.length, "Time Stamp")
        return DateTime(octets).map(TimeStamp.known) ?? .impossible(octets)
    }
}
