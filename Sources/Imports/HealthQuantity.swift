internal import ControlProtocol
internal import Measurements
internal import Samples

/// A type of HealthKit that is imported.
///
/// Source: developer.apple.com, HealthKit, HKQuantityTypeIdentifier and HKUnit.
struct HealthQuantity {
    /// What it is here.
    let type: SampleType
    private let units: [String: SampleUnit]

    /// The types that are imported, by HealthKit's names.
    static let all: [String: HealthQuantity] = [
        "HKQuantityTypeIdentifierOxygenSaturation":
            HealthQuantity(type: .oxygenSaturation, units: ["%": .fraction]),
        "HKQuantityTypeIdentifierHeartRate":
            HealthQuantity(type: .heartRate, units: ["count/min": .perMinute]),
        "HKQuantityTypeIdentifierBodyTemperature":
            HealthQuantity(
                type: .bodyTemperature,
                units: ["degC": .celsius, "degF": .fahrenheit, "K": .kelvin]),
        "HKQuantityTypeIdentifierStepCount":
            HealthQuantity(type: .stepCount, units: ["count": .count]),
    ]

    /// The number of a record as it is stored; a percentage of HealthKit is a share of one.
    func value(
        _ text: String, _ unit: String
    ) throws(ImportDamage) -> (DecimalNumber, SampleUnit) {
        guard let known = units[unit] else {
            throw ImportDamage("unit: \(type.rawValue) does not come in `\(unit)`")
        }
        guard let number = DecimalNumber(text) else {
            throw ImportDamage("value: expected a number of at most 18 digits, not `\(text)`")
        }
        return number.stored(from: known)
    }
}
