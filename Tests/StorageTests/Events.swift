import Measurements
import Samples

/// 2026-06-01T12:00:00Z, when the tests' recordings begin.
let noon = Instant(milliseconds: 1_780_315_200_000)

/// One event of a sensor.
func event(
    _ kind: GATTEvent.Kind, _ characteristic: BluetoothUUID? = nil, _ value: [UInt8] = [],
    at milliseconds: Int64, device: UInt64 = 1, instance: Int = 0,
    origin: GATTEvent.Origin = .replay
) -> GATTEvent {
    GATTEvent(
        kind, origin: origin, device: RemoteDevice(DeviceAddress(bits: device)),
        characteristic: characteristic, instance: instance, value: value,
        at: noon.advanced(byMilliseconds: milliseconds))
}

/// A battery level, the shortest packet that is one sample.
func battery(
    _ level: UInt8, at milliseconds: Int64, device: UInt64 = 1,
    origin: GATTEvent.Origin = .replay
) -> GATTEvent {
    event(.notify, .batteryLevel, [level], at: milliseconds, device: device, origin: origin)
}

/// A PLX Continuous Measurement; the words are SFLOATs of exponent 0.
func continuous(
    _ spo2: UInt16, _ pulse: UInt16 = 60, status: UInt16? = nil, at milliseconds: Int64,
    device: UInt64 = 1, instance: Int = 0
) -> GATTEvent {
    let value =
        [status == nil ? 0 : 4] + octets(spo2) + octets(pulse) + (status.map(octets) ?? [])
    return event(
        .notify, .plxContinuousMeasurement, value, at: milliseconds, device: device,
        instance: instance)
}

/// A PLX Spot-Check Measurement with a stamp `minute` minutes after noon, and a status.
func spotCheck(
    _ spo2: UInt16, minute: Int, status: UInt16 = 0, at milliseconds: Int64, device: UInt64 = 1
) -> GATTEvent {
    let value = [3] + octets(spo2) + octets(60) + stamp(minute: minute) + octets(status)
    return event(
        .indicate, .plxSpotCheckMeasurement, value, at: milliseconds, device: device)
}

/// A Temperature Measurement in tenths of a degree, with a stamp `minute` minutes after noon.
func temperature(
    _ tenths: UInt16, minute: Int? = nil, fahrenheit: Bool = false, at milliseconds: Int64,
    device: UInt64 = 1
) -> GATTEvent {
    let flags: UInt8 = (fahrenheit ? 1 : 0) | (minute == nil ? 0 : 2)
    let value = [flags] + octets(tenths) + [0, 0xFF] + (minute.map(stamp) ?? [])
    return event(.indicate, .temperatureMeasurement, value, at: milliseconds, device: device)
}

/// The bit of a Measurement Status that marks data from memory.
let fromStorage: UInt16 = 1 << 9

/// The low octet and the high one.
func octets(_ word: UInt16) -> [UInt8] { [UInt8(word & 0xFF), UInt8(word >> 8)] }

/// A Date Time on 2026-06-01, `minute` minutes after noon of the same clock.
private func stamp(minute: Int) -> [UInt8] {
    octets(2026) + [6, 1, UInt8(12 + minute / 60), UInt8(minute % 60), 0]
}
