internal import Measurements

extension Diagnosis {
    static func daemon(_ radio: RadioFacts, _ now: Instant) -> Finding? {
        switch radio.daemon {
        case .present: nil
        case .noBus(let error):
            Finding(
                .fail, "bus-closed", "healthd cannot reach this computer's message bus (D-Bus).",
                evidence: "\(error)", nextStep: "See systemctl status dbus.")
        case .denied(let error):
            Finding(
                .fail, "access-denied",
                "healthd is not allowed to talk to the Bluetooth service (bluetoothd).",
                evidence: "\(error)",
                nextStep: "Look at the D-Bus policy bluetooth.conf, at group bluetooth, and at "
                    + "AppArmor or the container that healthd runs in; then restart healthd.")
        case .absent(let since):
            Finding(
                .fail, "bluetoothd-absent", "The Bluetooth service (bluetoothd) is not running.",
                evidence: "nobody owns org.bluez"
                    + (since.map { " for \(Age(from: $0, to: now))" } ?? ""),
                nextStep: "sudo systemctl start bluetooth. If systemctl says that a condition "
                    + "failed, this computer has no Bluetooth adapter.")
        case .unresponsive(let since, let calls):
            Finding(
                .fail, "bluetoothd-unresponsive",
                "The Bluetooth service (bluetoothd) runs, but does not answer.",
                evidence: "\(calls) calls without a reply in \(Age(from: since, to: now))",
                nextStep: "sudo systemctl restart bluetooth")
        }
    }

    /// What holds for each adapter, or that there is none.
    static func adapters(_ radio: RadioFacts, _ now: Instant) -> [Finding?] {
        guard radio.daemon == .present else { return [] }
        guard !radio.adapters.isEmpty else {
            return [
                Finding(
                    .fail, "no-adapter", "This computer has no Bluetooth adapter that works.",
                    evidence: "bluetoothd has no object with Adapter1",
                    nextStep: "Plug one in; if one is in, look for it in dmesg.")
            ]
        }
        return radio.adapters.flatMap { [off($0, radio), searched($0, now)] }
    }

    /// An adapter that is off matters less where another one is on.
    private static func off(_ adapter: RadioFacts.Adapter, _ radio: RadioFacts) -> Finding? {
        guard !adapter.isPowered else { return nil }
        let level: Finding.Level = radio.isReady ? .warn : .fail
        switch radio.block {
        case .soft:
            return Finding(
                level, "adapter-blocked", "Bluetooth is switched off by software (airplane mode).",
                evidence: "\(adapter.name) is off, and rfkill has a soft block",
                nextStep: "sudo rfkill unblock bluetooth")
        case .hard:
            return Finding(
                level, "adapter-blocked-hard",
                "Bluetooth is switched off by a switch or a key of this computer.",
                evidence: "\(adapter.name) is off, and rfkill has a hard block",
                nextStep: "Find that switch or key, or the setting in the firmware.")
        case .none, .unknown:
            return Finding(
                level, "adapter-off", "The Bluetooth adapter is switched off.",
                evidence: "\(adapter.name) (\(adapter.address)) has Powered = false",
                nextStep: "bluetoothctl power on. To have healthd do that: power_on = auto in "
                    + "healthd.conf.")
        }
    }

    /// On some adapters a search keeps sensors away, on others not: so it is a hint, no cause.
    private static func searched(_ adapter: RadioFacts.Adapter, _ now: Instant) -> Finding? {
        guard let since = adapter.searchedSince else { return nil }
        return Finding(
            .warn, "searched-by-others",
            "Another program is searching for Bluetooth devices. With some adapters sensors stay "
                + "away meanwhile.",
            evidence: "\(adapter.name) has Discovering = true for \(Age(from: since, to: now)), "
                + "not by healthd",
            nextStep: "If readings are missing, close Bluetooth settings and other such programs.")
    }

    static func profile(_ radio: RadioFacts) -> Finding? {
        guard radio.daemon == .present, let error = radio.profileFailure else { return nil }
        return Finding(
            .fail, "profile-refused",
            "The Bluetooth service does not connect sensors for healthd.",
            evidence: "RegisterApplication: \(error)", nextStep: "sudo systemctl restart bluetooth")
    }

    static func clock(_ radio: RadioFacts) -> Finding? {
        guard radio.isClockSynchronised == false else { return nil }
        return Finding(
            .warn, "host-clock",
            "This computer's clock is not known to be right, so the sensors' clocks are not set.",
            evidence: "the kernel says that the clock is not synchronised",
            nextStep: "timedatectl set-ntp true, and see that the network is there.")
    }
}
