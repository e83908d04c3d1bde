/// How far a sample can be relied on; the first case that holds, from `absent` to `ok`.
package enum Quality: String, CaseIterable, Sendable {
    /// Nothing speaks against the value.
    case ok
    /// The sensor doubts the value.
    case questionable
    /// The value lies outside what can be true of its type.
    case outOfRange
    /// The sensor says that the value is wrong.
    case invalid
    /// A demonstration or a test, not a person's value.
    case demo
    /// There is no value, and the sensor says why.
    case absent

    /// What answers hold unless a request asks for more.
    package static let standard: Set<Quality> = [.ok, .questionable]
}

/// How a value was measured.
package enum Modality: String, CaseIterable, Sendable {
    /// One finished measurement.
    case spot
    /// A stream at the sensor's normal averaging.
    case continuous
    /// A stream at short averaging.
    case fast
    /// A stream at long averaging.
    case slow
    /// A value shown while a measurement settles.
    case intermediate
    /// The settled value of a thermometer.
    case final
    /// A heart-rate strap's value.
    case strap
    /// From another program's file.
    case imported

    /// What answers hold unless a request asks for more.
    package static let standard: Set<Modality> =
        Set(allCases).subtracting([.fast, .slow, .intermediate])
}

/// How a sample's time came about.
package enum TimeQuality: Int, CaseIterable, Sendable {
    /// The time of reception; the device sent none.
    case received = 0
    /// The device's time, corrected by its own clock as read in the same link.
    case mapped = 1
    /// The device's time, from a clock known to be set.
    case synced = 2
    /// The device's time; its clock could not be read.
    case unverified = 3
    /// The time of reception; the device's time cannot be right.
    case untrusted = 4
    /// As given in another program's file.
    case manual = 5

    /// The name in answers.
    package var name: String {
        switch self {
        case .received: "received"
        case .mapped: "mapped"
        case .synced: "synced"
        case .unverified: "unverified"
        case .untrusted: "untrusted"
        case .manual: "manual"
        }
    }
}
