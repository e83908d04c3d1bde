import BlueZ
import DBus
import Measurements

/// What the tests of the diagnosis judge.
enum Facts {
    static let now = Instant(milliseconds: 1_796_025_600_000)
    static let address = DeviceAddress(bits: 0xC0FF_EE00_0001)
    static let error = BusError(
        name: "org.bluez.Error.NotPermitted", text: "Notify acquired")

    static func before(_ milliseconds: Int64) -> Instant {
        now.advanced(byMilliseconds: -milliseconds)
    }
}

extension RadioFacts.Adapter {
    static let on = RadioFacts.Adapter(
        address: DeviceAddress(bits: 0xAA01), name: "hci0", isPowered: true)
}

extension RadioFacts {
    static let well = RadioFacts(daemon: .present).with {
        $0.adapters = [.on]
        $0.isClockSynchronised = true
    }

    func with(_ change: (inout RadioFacts) -> Void) -> RadioFacts {
        var facts = self
        change(&facts)
        return facts
    }
}

extension SensorFacts {
    /// A streaming oximeter that sends.
    static let well = SensorFacts(Facts.address).with {
        $0.adapter = "hci0"
        $0.isPaired = true
        $0.isTrusted = true
        $0.isConnected = true
        $0.linkedAt = Facts.before(60_000)
        $0.isResolved = true
        $0.isArmed = true
        $0.isStreaming = true
        $0.services = [.pulseOximeterService]
        $0.lastSeen = Facts.before(2000)
        $0.lastFrame = Facts.before(2000)
        $0.clock = .right
    }

    /// A spot-check thermometer that sleeps.
    static let asleep = well.with {
        $0.isConnected = false
        $0.linkedAt = nil
        $0.isResolved = false
        $0.isStreaming = false
        $0.services = [.healthThermometerService]
        $0.lastSeen = Facts.before(3_600_000)
        $0.lastFrame = Facts.before(3_600_000)
    }

    func with(_ change: (inout SensorFacts) -> Void) -> SensorFacts {
        var facts = self
        change(&facts)
        return facts
    }
}
