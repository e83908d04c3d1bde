internal import Measurements

/// A thermometer patch that indicates a stamped temperature of the body each minute.
struct ThermometerModel: SensorModel {
    let device = RemoteDevice(
        DeviceAddress(bits: 0xF044_8B21_7C5A), name: "TempPatch", addressType: "random")
    let headers = ["Device: thermometer patch (generated)", "Zone: Etc/UTC"]
    let interval = 60_000
    let introduction = [
        Packet.information(.manufacturerName, "Generated"),
        Packet.information(.modelNumber, "TP-1"),
        Packet(.read, .healthThermometerService, .measurementInterval, [60, 0]),
        Packet.battery(91),
    ]

    /// Hundredths of a degree Celsius, and where they drift to.
    private var temperature = 3660
    private var aim = 3660

    mutating func packet(at time: Instant, _ random: inout RandomNumbers) -> Packet {
        if random.below(120) == 0 { aim = random.inside(3580...3930) }
        temperature += (aim - temperature).signum() * random.below(4) + random.inside(-1...1)
        return Packet(
            .indicate, .healthThermometerService, .temperatureMeasurement, value(at: time))
    }

    /// Celsius, time stamp, type body.
    private func value(at time: Instant) -> [UInt8] {
        var value: [UInt8] = [0x06]
        value.append(word: UInt16(truncatingIfNeeded: temperature))
        value.append(contentsOf: [0x00, 0xFE])
        let stamp = CivilTime(secondsSince1970: time.milliseconds.floorDivided(by: 1000))
        value.append(word: UInt16(truncatingIfNeeded: stamp.year))
        for part in [stamp.month, stamp.day, stamp.hour, stamp.minute, stamp.second] {
            value.append(UInt8(truncatingIfNeeded: part))
        }
        value.append(2)
        return value
    }
}
