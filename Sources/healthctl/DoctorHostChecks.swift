import JSON

// MARK: - The host, Bluetooth and the sensors

extension DoctorChecks {
    /// A month of the busiest household; below it, the writer's own room for a checkpoint.
    private static let (little, least) = (200_000_000, 20_000_000)

    /// A store that fills its disk sooner is worth a word: room takes time to be made.
    private static let soon = 90

    /// How much room there is for readings to come, and how long it lasts.
    var diskCheck: DoctorCheck? {
        guard let space = host.space else { return nil }
        let growth = daemon.status["store"]?["growth"] ?? .null
        let text =
            "\(size(octets: space.free)) of \(size(octets: space.all)) are free"
            + StatusCommand.growth(growth, "; the store grows by ")
        let isSoon = (growth["daysUntilFull"]?.integer ?? .max) < Self.soon
        guard space.free < Self.little || isSoon else { return DoctorCheck(.disk, .ok, text) }
        return DoctorCheck(
            .disk, space.free < Self.least ? .fail : .warn, text,
            next:
                "make room where the store is, or limit how long readings are kept: [retention] in "
                + "healthd.conf; readings wait in memory when the disk is full")
    }

    /// Whether times can be trusted.
    var clockCheck: DoctorCheck {
        guard !host.isClockSynchronised else {
            return DoctorCheck(.clock, .ok, "this computer's clock is synchronised")
        }
        return DoctorCheck(
            .clock, .warn, "this computer's clock is not synchronised",
            evidence: "the kernel says so (adjtimex: STA_UNSYNC)",
            next: "sudo timedatectl set-ntp true; until then no sensor's clock is set")
    }

    /// Which bluetoothd there is, and what follows from that.
    var bluetoothdCheck: DoctorCheck {
        let state = host.units["bluetooth"] ?? ""
        guard let version = host.bluetoothdVersion else {
            return DoctorCheck(
                .bluetoothd, isCollecting ? .fail : .warn, "no bluetoothd is installed",
                next: "sudo apt install bluez")
        }
        let seen = "\(BluetoothdVersion(version).notes)"
        guard daemon.failure == nil || state != "inactive" && state != "failed" else {
            return DoctorCheck(
                .bluetoothd, .fail, "bluetoothd \(version) does not run",
                evidence: "`systemctl is-active bluetooth` says: \(state)",
                next: "sudo systemctl enable --now bluetooth")
        }
        guard BluetoothdVersion(version).isKnown else {
            return DoctorCheck(
                .bluetoothd, .warn,
                "bluetoothd \(version) is older than any that healthd was tried with",
                next: "bluez 5.55 or later")
        }
        return DoctorCheck(.bluetoothd, .ok, "bluetoothd \(version): \(seen)")
    }

    /// Whether there is an adapter.
    var controllerCheck: DoctorCheck {
        let adapters = daemon.status["adapters"]?.array ?? []
        if let adapter = adapters.first(where: { $0["powered"]?.bool == true }) {
            return DoctorCheck(
                .controller, .ok, "\(adapter.text("adapter")) (\(adapter.text("address"))) is on")
        }
        guard host.adapters.isEmpty else {
            return DoctorCheck(
                .controller, .ok, "the kernel has \(host.adapters.joined(separator: ", "))")
        }
        return DoctorCheck(
            .controller, isCollecting ? .fail : .warn, "this computer has no Bluetooth adapter",
            evidence: "/sys/class/bluetooth is empty",
            next: "plug one in; of one that is there `dmesg | grep -i bluetooth` says more")
    }

    /// Whether Bluetooth is switched off.
    var rfkillCheck: DoctorCheck {
        guard !host.blocked.isEmpty else {
            return DoctorCheck(.rfkill, .ok, "Bluetooth is not blocked")
        }
        return DoctorCheck(
            .rfkill, .fail, "Bluetooth is blocked: \(host.blocked.joined(separator: "; "))",
            evidence: "/sys/class/rfkill", next: "sudo rfkill unblock bluetooth")
    }

    /// Whether somebody else searches.
    var scannersCheck: DoctorCheck? {
        guard daemon.status["adapters"] != nil else { return nil }
        return DoctorCheck(.scanners, .ok, "no other program keeps the adapter searching")
    }

    /// Whether sensors are paired.
    var bondsCheck: DoctorCheck? {
        guard let sensors = daemon.status["sensors"]?.integer, sensors > 0 else { return nil }
        return DoctorCheck(
            .bonds, .ok, "\(count(sensors, "sensor")) and this computer know each other")
    }

    /// How the sensors fare where none is in trouble.
    var sensorsCheck: DoctorCheck? {
        guard let sensors = daemon.status["sensors"]?.integer, sensors > 0 else { return nil }
        let live = daemon.status["sensorsLive"]?.integer ?? 0
        return DoctorCheck(.sensors, .ok, "\(count(sensors, "sensor")), \(live) sending now")
    }

    /// Whether sensors are to be read at all, as far as that is known.
    private var isCollecting: Bool { daemon.status.text("source") != "none" }
}

/// A version of bluetoothd, such as 5.66, and what differs between them.
struct BluetoothdVersion {
    private let parts: [Int]

    /// The version that a text says.
    init(_ text: String) {
        parts = text.split(separator: ".").map { Int($0) ?? 0 }
    }

    /// Whether healthd was tried with one as old.
    var isKnown: Bool { isAtLeast(55) }

    /// What follows from the version.
    var notes: String {
        [
            isAtLeast(65) ? nil : "it does not say which sensors have a bond (from 5.65)",
            isAtLeast(83)
                ? "it says why a link ended" : "it does not say why a link ended (from 5.83)",
            isAtLeast(86) ? "it stops calling a sensor that has lost its bond" : nil,
        ].compactMap { $0 }.joined(separator: "; ")
    }

    private func isAtLeast(_ minor: Int) -> Bool {
        let major = parts.first ?? 0
        return major > 5 || major == 5 && parts.count > 1 && parts[1] >= minor
    }
}
