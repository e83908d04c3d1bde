/// The make-believe sensors.
package enum SimulatedSensor: String, CaseIterable, Sendable {
    /// A continuous pulse oximeter with every field, a packet a second.
    case oximeter
    /// A thermometer patch with a clock, an indication a minute.
    case thermometer
    /// A heart-rate strap with RR intervals, a packet a second.
    case strap

    /// The header lines of its recordings.
    package var headers: [String] { model.headers }

    /// What it does.
    var model: any SensorModel {
        switch self {
        case .oximeter: OximeterModel()
        case .thermometer: ThermometerModel()
        case .strap: StrapModel()
        }
    }
}
