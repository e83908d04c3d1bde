import BlueZ
import DBus
import Measurements
import Testing

/// 2026-11-30T08:00:00.500Z, a Monday.
private let start = Instant(milliseconds: 1_796_025_600_500)

/// A zone one hour east of UTC.
private let localTime: @Sendable (Instant) -> LocalTime = { instant in
    let seconds = instant.milliseconds.floorDivided(by: 1000) + 3600
    return LocalTime(CivilTime(secondsSince1970: seconds), offset: 3600)
}

/// A sensor with a clock, at the other end.
struct ClockSensor {
    var setting: ClockSetting?
    var now: Int64 = 0
    var actions: [ClockSetting.Action] = []

    init(_ characteristics: [CharacteristicObject], _ wish: ClockSetting.Wish = .correct) {
        setting = ClockSetting(among: characteristics, wish: wish, localTime: localTime)
    }

    mutating func handle(_ event: ClockSetting.Event) {
        let moment = Moment(wall: start.advanced(byMilliseconds: now), boot: now)
        actions += setting?.handle(event, at: moment) ?? []
    }

    mutating func pass(_ milliseconds: Int64) {
        let end = now + milliseconds
        while let due = setting?.nextDeadline, due <= end {
            now = max(now, due)
            handle(.deadline)
            guard (setting?.nextDeadline ?? .max) > now else {
                Issue.record("a deadline that is due again at once is a busy loop")
                break
            }
        }
        now = end
    }

    /// The link is quiet, and the sensor shows this.
    mutating func show(_ octets: [UInt8]) {
        handle(.begin)
        pass(500)
        handle(.read(.success(octets)))
    }

    var outcome: ClockSetting.Outcome? {
        for case .finished(let outcome) in actions { return outcome }
        return nil
    }

    var writes: [[UInt8]] {
        actions.compactMap { if case .write(_, let octets) = $0 { octets } else { nil } }
    }

    var notes: [String] {
        actions.compactMap {
            if case .note(let event, let text) = $0 { "\(event.rawValue): \(text)" } else { nil }
        }
    }
}

extension ClockSensor {
    static func offer(
        _ uuid: BluetoothUUID, _ flags: CharacteristicObject.Flags = [.read, .write]
    ) -> CharacteristicObject {
        CharacteristicObject(path: "/dev/service0001/char\(uuid)", uuid: uuid, flags: flags)
    }

    static let dateTime = [offer(.dateTime)]
    static let currentTime = [offer(.currentTime)]
    /// 09:00:00 and 08:00:00 of that Monday, and the first second of 2000.
    static let right: [UInt8] = [0xEA, 0x07, 11, 30, 9, 0, 0]
    static let anHourBehind: [UInt8] = [0xEA, 0x07, 11, 30, 8, 0, 0]
    static let factory: [UInt8] = [0xD0, 0x07, 1, 1, 0, 0, 0]
    static let refusal = BusError(
        name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0x80")
}
