internal import Measurements

/// What a handle is taken for, that its device told nothing about.
enum HandleGuess: Equatable {
    /// Its values look like those of this characteristic and of no other.
    case taken(BluetoothUUID, instance: Int)
    /// Its values looked like something and then did not.
    case refused

    /// What it is taken for.
    var uuid: BluetoothUUID? {
        switch self {
        case .taken(let uuid, _): uuid
        case .refused: nil
        }
    }

    private static let candidates: [BluetoothUUID] = [
        .plxContinuousMeasurement, .plxSpotCheckMeasurement, .temperatureMeasurement,
        .intermediateTemperature, .heartRateMeasurement,
    ]

    /// The one characteristic that a value looks like: no octet and no flag is left over, the numbers
    /// are those of a living person, and it came the way the standard says.
    ///
    /// Two octets are a heart rate only where the client has asked for notifications.
    ///
    /// - Returns: nil if there is none or more than one.
    static func only(
        _ value: [UInt8], _ kind: GATTEvent.Kind, isSubscribed: Bool
    ) -> BluetoothUUID? {
        let fitting = candidates.filter { uuid in
            guard Self.kind(of: uuid) == kind, let shape = Shape(value, uuid) else { return false }
            let isLongEnough = value.count > 2 || isSubscribed
            return shape.isExact && shape.isPlausible && isLongEnough
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Whether a later value still has the form of this characteristic, whatever its numbers are.
    static func fits(_ value: [UInt8], _ uuid: BluetoothUUID, _ kind: GATTEvent.Kind) -> Bool {
        Self.kind(of: uuid) == kind && Shape(value, uuid)?.isExact == true
    }

    private static func kind(of uuid: BluetoothUUID) -> GATTEvent.Kind {
        switch uuid {
        case .plxSpotCheckMeasurement, .temperatureMeasurement: .indicate
        default: .notify
        }
    }
}

/// How well octets fit a characteristic.
private struct Shape {
    /// Whether no octet and no flag is left over.
    let isExact: Bool
    /// Whether the numbers are those of a living person.
    let isPlausible: Bool

    /// The fit of octets; nil if they do not decode.
    init?(_ value: [UInt8], _ uuid: BluetoothUUID) {
        do throws(MalformedValue) {
            switch uuid {
            case .plxContinuousMeasurement:
                self = try PLXContinuousMeasurement(decoding: value).shape
            case .plxSpotCheckMeasurement: self = try PLXSpotCheckMeasurement(decoding: value).shape
            case .temperatureMeasurement, .intermediateTemperature:
                self = try TemperatureMeasurement(decoding: value).shape
            case .heartRateMeasurement: self = try HeartRateMeasurement(decoding: value).shape
            default: return nil
            }
        } catch {
            return nil
        }
    }

    init(leftOver: Int, isPlausible: Bool) {
        isExact = leftOver == 0
        self.isPlausible = isPlausible
    }
}

extension PLXContinuousMeasurement {
    fileprivate var shape: Shape {
        Shape(
            leftOver: trailing + Int(reservedFlags),
            isPlausible: isPlausiblePair(normal.spo2, normal.pulseRate))
    }
}

extension PLXSpotCheckMeasurement {
    fileprivate var shape: Shape {
        Shape(
            leftOver: trailing + Int(reservedFlags),
            isPlausible: isPlausiblePair(spo2, pulseRate))
    }
}

extension TemperatureMeasurement {
    fileprivate var shape: Shape {
        let range =
            switch unit {
            case .celsius: 20...45
            case .fahrenheit: 68...113
            }
        return Shape(
            leftOver: trailing + Int(reservedFlags),
            isPlausible: isNumber(temperature, in: range))
    }
}

extension HeartRateMeasurement {
    fileprivate var shape: Shape {
        Shape(
            leftOver: trailing + Int(reservedFlags),
            isPlausible: (25...250).contains(heartRate) && rrIntervals?.isEmpty != true)
    }
}

/// A finger that is out of the probe has neither number; one alone says as little.
private func isPlausiblePair(_ spo2: MedicalFloat, _ pulseRate: MedicalFloat) -> Bool {
    isNumber(spo2, in: 30...100) && isNumber(pulseRate, in: 20...300)
}

private func isNumber(_ value: MedicalFloat, in range: ClosedRange<Int>) -> Bool {
    guard let number = value.number else { return false }
    return DecimalNumber(range.lowerBound) <= number && number <= DecimalNumber(range.upperBound)
}
