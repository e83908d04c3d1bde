/// Whether a heart rate sensor touches the skin.
package enum SensorContact: Equatable, Sendable {
    /// The sensor cannot tell.
    case unsupported
    /// It does not touch, or not well.
    case notDetected
    /// It touches.
    case detected
}

/// A Heart Rate Measurement (0x2A37), 2 octets or more.
///
/// Source: Heart Rate Service 1.0, Heart Rate Measurement.
package struct HeartRateMeasurement: Equatable, Sendable {
    /// Heart rate, in beats per minute.
    package let heartRate: UInt16
    /// True if the heart rate was sent in two octets.
    package let is16Bit: Bool
    /// Whether the sensor touches the skin.
    package let contact: SensorContact
    /// Energy spent since the last reset, in kilojoule; stays at 65535 when full.
    package let energyExpended: UInt16?
    /// Times between beats, in 1/1024 s, oldest first; nil if the flags announce none.
    package let rrIntervals: [UInt16]?
    /// The reserved flag bits that were set.
    package let reservedFlags: UInt8
    /// The number of octets behind the last field; half an interval counts as one.
    package let trailing: Int

    /// The measurement that the octets hold; announced intervals may be none at all.
    ///
    /// - Throws: `MalformedValue` if the flags promise more than there is.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let flags = Flags(rawValue: try fields.uint8("Flags"))
        is16Bit = flags.contains(.is16Bit)
        heartRate =
            flags.contains(.is16Bit)
            ? try fields.uint16("Heart Rate") : UInt16(try fields.uint8("Heart Rate"))
        contact = flags.contact
        energyExpended = flags.contains(.energy) ? try fields.uint16("Energy Expended") : nil
        rrIntervals = flags.contains(.intervals) ? try fields.rrIntervals() : nil
        reservedFlags = flags.rawValue & 0xE0
        trailing = fields.remaining
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let is16Bit = Flags(rawValue: 1 << 0)
        static let contactDetected = Flags(rawValue: 1 << 1)
        static let contactSupported = Flags(rawValue: 1 << 2)
        static let energy = Flags(rawValue: 1 << 3)
        static let intervals = Flags(rawValue: 1 << 4)

        var contact: SensorContact {
            guard contains(.contactSupported) else { return .unsupported }
            return contains(.contactDetected) ? .detected : .notDetected
        }
    }
}

extension FieldReader {
    fileprivate mutating func rrIntervals() throws(MalformedValue) -> [UInt16] {
        var intervals: [UInt16] = []
        intervals.reserveCapacity(remaining / 2)
        while remaining >= 2 { intervals.append(try uint16("RR-Interval")) }
        return intervals
    }
}
