import JSON

/// What follows from what the daemon and the host say: a check a subject, or one for each thing wrong.
struct DoctorChecks {
    /// What the daemon says.
    let daemon: DaemonReport
    /// What the host says.
    let host: HostReport

    /// Checks of what was seen.
    init(_ daemon: DaemonReport, _ host: HostReport) {
        self.daemon = daemon
        self.host = host
    }

    /// All checks, in the order of their subjects.
    var all: [DoctorCheck] {
        DoctorCheck.Subject.allCases.flatMap { subject -> [DoctorCheck] in
            let found = findings(of: subject).filter { $0.level != .ok }
            return found.isEmpty ? [check(subject)].compactMap { $0 } : found
        }
    }

    private func findings(of subject: DoctorCheck.Subject) -> [DoctorCheck] {
        daemon.findings.filter { Self.subject($0) == subject }
            .map { DoctorCheck(subject, finding: $0) }
    }

    /// What a finding of healthd's is about.
    static func subject(_ finding: JSONValue) -> DoctorCheck.Subject {
        switch finding.text("code") {
        case "bus-closed", "access-denied", "bluetoothd-absent", "bluetoothd-unresponsive",
            "profile-refused":
            .bluetoothd
        case "no-adapter", "adapter-off", "wanted-adapter-missing": .controller
        case "adapter-blocked", "adapter-blocked-hard": .rfkill
        case "searched-by-others": .scanners
        case "host-clock": .clock
        case "bond-lost", "bond-wanted", "bonded-elsewhere", "not-paired", "removed-elsewhere":
            .bonds
        case let code where code.hasPrefix("store-"): .store
        default: .sensors
        }
    }

    /// What is to be said of a subject where healthd has found nothing wrong; nil if it must be asked.
    private func check(_ subject: DoctorCheck.Subject) -> DoctorCheck? {
        switch subject {
        case .daemon: daemonCheck
        case .socket: socketCheck
        case .access: accessCheck
        case .configuration: configurationCheck
        case .store: storeCheck
        case .disk: diskCheck
        case .clock: clockCheck
        case .bluetoothd: bluetoothdCheck
        case .controller: controllerCheck
        case .rfkill: rfkillCheck
        case .scanners: scannersCheck
        case .bonds: bondsCheck
        case .sensors: sensorsCheck
        }
    }
}

// MARK: - healthd

extension DoctorChecks {
    private var daemonCheck: DoctorCheck {
        guard let failure = daemon.failure else {
            let server = daemon.status.text("server")
            return DoctorCheck(.daemon, .ok, "\(server) answers at \(host.socket.path)")
        }
        let state = host.units["healthd"] ?? ""
        return DoctorCheck(
            .daemon, .fail, failure.message,
            evidence: state.isEmpty ? "" : "`systemctl is-active healthd` says: \(state)",
            next: state == "inactive" || state == "failed"
                ? "sudo systemctl enable --now healthd; why it ended: journalctl -u healthd -n 30"
                : "")
    }

    private var socketCheck: DoctorCheck {
        let (socket, user) = (host.socket, host.socket.user)
        if socket.isOpen {
            return DoctorCheck(
                .socket, .ok, "\(user) may open \(socket.path) (group \(socket.group))")
        }
        guard socket.isThere else {
            return DoctorCheck(
                .socket, .fail, "there is no socket at \(socket.path) that \(user) can see",
                next: "start healthd, or name its socket: --socket PATH or HEALTHD_SOCKET")
        }
        return DoctorCheck(
            .socket, .fail, "\(user) may not open \(socket.path)",
            evidence: socket.isListed
                ? "\(user) is in group \(socket.group), but this login is older than that"
                : "\(user) is not in group \(socket.group)",
            next: socket.isListed
                ? "log out and in again" : "sudo adduser \(user) \(socket.group), then log in again"
        )
    }

    private var accessCheck: DoctorCheck? {
        guard let answer = daemon.answers["access"] else { return refused(.access, "access") }
        let types = answer.filter { $0["type"] != nil }
        let open = types.count { $0.text("read") == "authorized" }
        let text = "\(host.socket.user) may read \(open) of \(types.count) types"
        guard open < types.count else { return DoctorCheck(.access, .ok, text) }
        return DoctorCheck(
            .access, open == 0 ? .fail : .warn, text, evidence: "healthctl access says why",
            next: "whoever may edit healthd.conf grants rights in its section [access]")
    }

    private var configurationCheck: DoctorCheck {
        guard let said = host.configuration else {
            return DoctorCheck(
                .configuration, .warn, "no healthd was found to check its configuration with",
                next: "healthd --check-config")
        }
        let text = said.text.split(separator: "\n").joined(separator: "; ")
        guard said.code == 0 else {
            return DoctorCheck(
                .configuration, .fail, "healthd.conf cannot be taken as it is", evidence: text,
                next: "mend the line, then: sudo systemctl restart healthd")
        }
        return DoctorCheck(.configuration, .ok, text.isEmpty ? "nothing is wrong with it" : text)
    }

    private var storeCheck: DoctorCheck? {
        guard daemon.failure == nil else { return nil }
        let store = daemon.status["store"] ?? .null
        guard store.text("state") == "ok" else { return refused(.store, "status") }
        let octets = store["size"]?.integer.map { size(octets: $0) } ?? ""
        return DoctorCheck(.store, .ok, "\(store.text("path")), \(octets), is whole")
    }

    /// An answer that was not given.
    private func refused(_ subject: DoctorCheck.Subject, _ request: String) -> DoctorCheck? {
        daemon.refusals[request].flatMap { failure in
            daemon.failure == nil ? DoctorCheck(subject, .fail, failure.message) : nil
        }
    }
}
