internal import Measurements

/// A heart-rate strap that sends each second the RR intervals of the beats since the packet before.
struct StrapModel: SensorModel {
    let device = RemoteDevice(
        DeviceAddress(bits: 0xD3A1_0E5F_7742), name: "Strap H10", addressType: "random")
    let headers = ["Device: heart-rate strap (generated)", "Zone: Etc/UTC"]
    let interval = 1000
    let introduction = [
        Packet.information(.manufacturerName, "Generated"),
        Packet.information(.modelNumber, "HS-1"),
        Packet(.read, .heartRateService, .bodySensorLocation, [1]),
        Packet.battery(100),
    ]

    private var rate = 64
    private var aim = 64
    /// Seconds for which the strap has lost the skin.
    private var withoutContact = 0
    /// 1/1024 s since the last beat that was sent.
    private var elapsed = 0

    mutating func packet(at time: Instant, _ random: inout RandomNumbers) -> Packet {
        advance(&random)
        let value = withoutContact > 0 ? [0x04, 0x00] : beats(&random)
        return Packet(.notify, .heartRateService, .heartRateMeasurement, value)
    }

    private mutating func advance(_ random: inout RandomNumbers) {
        withoutContact = max(withoutContact - 1, 0)
        if random.below(3600) == 0 { withoutContact = random.inside(5...40) }
        if random.below(90) == 0 { aim = random.inside(50...165) }
        rate += (aim - rate).signum() * random.below(3)
    }

    /// Contact, and the RR intervals that ended within this second.
    private mutating func beats(_ random: inout RandomNumbers) -> [UInt8] {
        var value: [UInt8] = [0x16, UInt8(truncatingIfNeeded: rate)]
        elapsed += 1024
        var interval = 61_440 / rate + random.inside(-25...25)
        while elapsed >= interval {
            value.append(word: UInt16(truncatingIfNeeded: interval))
            elapsed -= interval
            interval = 61_440 / rate + random.inside(-25...25)
        }
        return value
    }
}
