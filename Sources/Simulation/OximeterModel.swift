internal import Measurements

/// A continuous pulse oximeter that fills every field of 2A5F, on the finger of a restless sleeper.
///
/// ```
/// steady --rarely--> falling --floor reached--> rising --rest reached--> steady
/// steady --rarely--> fingerOut --some seconds--> settling --some seconds--> steady
/// ```
struct OximeterModel: SensorModel {
    private enum Phase: Sendable {
        case steady
        case falling(floor: Int)
        case rising
        case fingerOut(left: Int)
        case settling(left: Int)
    }

    let device = RemoteDevice(
        DeviceAddress(bits: 0x001C_0501_0203), name: "Nonin3230", addressType: "public")
    let headers = ["Device: Nonin 3230 (generated)", "Zone: Etc/UTC"]
    let interval = 1000
    let introduction = [
        Packet.information(.manufacturerName, "Nonin Medical, Inc."),
        Packet.information(.modelNumber, "3230"),
        Packet(
            .read, .pulseOximeterService, .plxFeatures, [0x73, 0x00, 0x60, 0x21, 0x28, 0x0A, 0]),
        Packet.battery(84),
    ]

    private var phase = Phase.steady
    /// Oxygen saturation in tenths of a percent, and where it comes back to.
    private var saturation = 970
    private var rest = 970
    /// The same, averaged over a longer time.
    private var slowSaturation = 970
    private var pulse = 62
    /// Pulse amplitude index in hundredths of a percent.
    private var amplitude = 450

    mutating func packet(at time: Instant, _ random: inout RandomNumbers) -> Packet {
        advance(&random)
        return Packet(.notify, .pulseOximeterService, .plxContinuousMeasurement, value)
    }

    private mutating func advance(_ random: inout RandomNumbers) {
        switch phase {
        case .steady: rest(&random)
        case .falling(let floor):
            saturation -= random.inside(2...6)
            if saturation <= floor { phase = .rising }
        case .rising:
            saturation = min(saturation + random.inside(5...14), rest)
            if saturation == rest { phase = .steady }
        case .fingerOut(let left):
            phase = left > 0 ? .fingerOut(left: left - 1) : .settling(left: random.inside(4...9))
        case .settling(let left):
            phase = left > 0 ? .settling(left: left - 1) : .steady
        }
        drift(&random)
    }

    private mutating func rest(_ random: inout RandomNumbers) {
        if random.below(20) == 0 { rest = min(max(rest + random.inside(-3...3), 945), 985) }
        saturation += (rest - saturation).signum() * random.below(3)
        switch random.below(3600) {
        case 0..<12: phase = .falling(floor: random.inside(790...925))
        case 12: phase = .fingerOut(left: random.inside(10...180))
        default: break
        }
    }

    /// The heart beats faster while the blood gets back its oxygen.
    private mutating func drift(_ random: inout RandomNumbers) {
        slowSaturation += (saturation - slowSaturation) / 8
        let aim = if case .rising = phase { 84 } else { 62 }
        pulse += random.below(4) == 0 ? (aim - pulse).signum() : random.inside(-1...1)
        pulse = min(max(pulse, 44), 118)
        amplitude = min(max(amplitude + random.inside(-9...9), 40), 1900)
    }

    private var value: [UInt8] {
        var value: [UInt8] = [0x1F]
        value.reserveCapacity(20)
        if case .fingerOut = phase {
            value.append(contentsOf: Self.fingerOut)
            return value
        }
        appendRates(to: &value)
        if case .settling = phase {
            value.append(contentsOf: [0x60, 0x00, 0x00, 0x02, 0x00])
        } else {
            value.append(contentsOf: [0x00, 0x01, 0x00, 0x00, 0x00])
        }
        value.appendSFLOAT(amplitude, exponent: -2)
        return value
    }

    /// Normal, fast and slow; whole percents, as the device rounds them.
    private func appendRates(to value: inout [UInt8]) {
        value.appendSFLOAT(saturation / 10 * 10, exponent: -1)
        value.appendSFLOAT(pulse, exponent: 0)
        value.appendSFLOAT(saturation / 10 * 10, exponent: -1)
        value.appendSFLOAT(pulse + (saturation & 1), exponent: 0)
        value.appendSFLOAT(slowSaturation / 10 * 10, exponent: -1)
        value.appendSFLOAT(pulse, exponent: 0)
    }

    /// Six times NaN, measurement unavailable, sensor unconnected to user, and NaN once more.
    private static let fingerOut: [UInt8] =
        Array(repeatElement([0xFF, 0x07], count: 6).joined())
        + [0x00, 0x20, 0x00, 0x08, 0x00, 0xFF, 0x07]
}
