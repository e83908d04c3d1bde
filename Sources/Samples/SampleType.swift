package import Measurements

/// What a sample measures; the raw values are the names of HealthKit.
package enum SampleType: String, CaseIterable, Sendable {
    /// Oxygen saturation of the blood.
    case oxygenSaturation
    /// Heart or pulse rate.
    case heartRate
    /// How strong the pulsing part of an oximeter's signal is.
    case perfusionIndex
    /// Temperature of the body.
    case bodyTemperature
    /// Time between two heart beats.
    case heartRateInterval
    /// Charge of a sensor's battery.
    case batteryLevel
    /// Steps walked.
    case stepCount

    /// Short names that a request may use.
    package var aliases: [String] {
        switch self {
        case .oxygenSaturation: ["spo2"]
        case .heartRate: ["hr", "pulseRate", "pr", "pulse"]
        case .perfusionIndex: ["pi", "pulseAmplitudeIndex"]
        case .bodyTemperature: ["temp", "temperature"]
        case .heartRateInterval: ["rr"]
        case .batteryLevel: ["battery"]
        case .stepCount: ["steps"]
        }
    }

    /// The units that a request can ask for, the default one first.
    package var units: [SampleUnit] {
        switch self {
        case .oxygenSaturation: [.percent, .fraction]
        case .perfusionIndex, .batteryLevel: [.percent]
        case .heartRate: [.perMinute]
        case .bodyTemperature: [.celsius, .fahrenheit, .kelvin]
        case .heartRateInterval: [.milliseconds, .seconds]
        case .stepCount: [.count]
        }
    }

    /// The unit of answers that ask for no other.
    package var defaultUnit: SampleUnit {
        switch self {
        case .oxygenSaturation, .perfusionIndex, .batteryLevel: .percent
        case .heartRate: .perMinute
        case .bodyTemperature: .celsius
        case .heartRateInterval: .milliseconds
        case .stepCount: .count
        }
    }

    /// The values that can be true, in the default unit; nil where there is no upper end.
    package var range: (lower: Int, upper: Int?) {
        switch self {
        case .oxygenSaturation: (1, 100)
        case .heartRate: (1, 511)
        case .perfusionIndex, .batteryLevel: (0, 100)
        case .bodyTemperature: (10, 50)
        case .heartRateInterval: (100, 5000)
        case .stepCount: (0, nil)
        }
    }

    /// LOINC codes, the general one first.
    package var loinc: [String] {
        switch self {
        case .oxygenSaturation: ["2708-6", "59408-5"]
        case .heartRate: ["8867-4", "8889-8"]
        case .perfusionIndex: ["61006-3"]
        case .bodyTemperature: ["8310-5"]
        case .stepCount: ["55423-8"]
        case .heartRateInterval, .batteryLevel: []
        }
    }

    /// The code of ISO/IEEE 11073-10101, or nil.
    package var mdc: Int? {
        switch self {
        case .oxygenSaturation: 150_456
        case .heartRate: 149_530
        case .perfusionIndex: 150_448
        case .bodyTemperature: 150_364
        case .heartRateInterval, .batteryLevel, .stepCount: nil
        }
    }

    /// Exponents of numbers that a sensor can mean: -9 to 7.
    package static let exponents = -9...7

    /// The type that a request names, by id or alias, in any case of letters.
    package init?(named text: String) {
        let wanted = text.lowercased()
        let match = Self.allCases.first { type in
            ([type.rawValue] + type.aliases).contains { $0.lowercased() == wanted }
        }
        guard let match else { return nil }
        self = match
    }

    /// Whether a number in `unit` lies in the range that can be true.
    package func contains(_ number: DecimalNumber, in unit: SampleUnit) -> Bool {
        guard Self.exponents.contains(number.exponent) else { return false }
        if unit == defaultUnit, number.exponent <= 0 { return isInside(number) }
        return spans(number, in: unit)
    }

    /// Whether a number of any exponent in `unit` lies in the range that can be true.
    func spans(_ number: DecimalNumber, in unit: SampleUnit) -> Bool {
        let (least, greatest) = bounds(in: unit)
        return isInside(number, least, greatest)
    }

    /// Whether a number without zeros behind its mantissa lies in the range of the default unit.
    private func isInside(_ number: DecimalNumber) -> Bool {
        let (lower, upper) = range
        var scale: Int64 = 1
        for _ in 0..<(-number.exponent) { scale *= 10 }
        guard number.mantissa >= Int64(lower) * scale else { return false }
        guard let upper else { return true }
        return number.mantissa <= Int64(upper) * scale
    }

    private func isInside(
        _ number: DecimalNumber, _ least: DecimalNumber, _ greatest: DecimalNumber?
    ) -> Bool {
        number >= least && greatest.map { number <= $0 } ?? true
    }

    /// The range's ends in another unit; both convert exactly.
    private func bounds(in unit: SampleUnit) -> (DecimalNumber, DecimalNumber?) {
        let (lower, upper) = range
        let least = DecimalNumber(lower)
        return (
            defaultUnit.convert(least, to: unit) ?? least,
            upper.map { defaultUnit.convert(DecimalNumber($0), to: unit) ?? DecimalNumber($0) }
        )
    }
}

extension SampleType {
    /// The type of a small number.
    init?(place: Int) {
        guard let type = Self.allCases.first(where: { $0.place == place }) else { return nil }
        self = type
    }

    /// A small number for each type, for sets in one word; stored, so that it never changes.
    package var place: Int {
        switch self {
        case .oxygenSaturation: 0
        case .heartRate: 1
        case .perfusionIndex: 2
        case .bodyTemperature: 3
        case .heartRateInterval: 4
        case .batteryLevel: 5
        case .stepCount: 6
        }
    }
}
