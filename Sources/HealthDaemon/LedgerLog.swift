internal import BlueZ
internal import DBus
internal import Measurements
internal import Storage

/// What happens to sensors, as lines for the operator.
enum LedgerLog {
    /// Says it in the log, as loud as it matters.
    static func write(_ entry: LedgerEntry) {
        Log.write(level(of: entry.event), text(of: entry))
    }

    /// The line for people: what happened to whom, and what else there is to know.
    static func text(of entry: LedgerEntry) -> String {
        let what = entry.event.rawValue.split(separator: "-").joined(separator: " ")
        let whom = entry.device.map { "sensor \($0): " } ?? ""
        return whom + what + (entry.detail.isEmpty ? "" : ": \(entry.detail)")
    }

    private static func level(of event: LedgerEntry.Event) -> Log.Level {
        switch event {
        case .bondLost, .bluetoothdUnresponsive: .failure
        case .bluetoothdDown, .adapterRemoved, .adapterOff, .stuck, .resolvedEmpty,
            .refused, .agentRefused, .clockRefused, .recordsRefused, .possibleLoss, .flapping,
            .silent, .lost, .removedElsewhere:
            .warning
        case .bluetoothdUp, .adapterAdded, .adapterOn, .adopted, .clockSet, .recordsFetched,
            .recordsDeleted, .paired, .forgotten, .unwanted, .hostClockSet,
            .rearmed:
            .notice
        case .hostSuspended, .hostResumed, .linkUp, .firstFrame, .linkDown, .clockRead, .started,
            .stopped:
            .info
        // The collector has said in plain words that the bus is closed.
        case .advertised, .servicesResolved, .armed, .busClosed: .detail
        }
    }
}

extension LedgerRow {
    /// An entry as the store keeps it.
    init(_ entry: LedgerEntry) {
        self.init(
            at: entry.at, device: entry.device, event: entry.event.rawValue, detail: entry.detail)
    }
}

/// Why the message bus cannot be used, in plain words.
enum BusTrouble {
    /// What is wrong, and what to do.
    static func text(_ error: BusError) -> String {
        switch error.name {
        case BusError.disconnected: "the D-Bus system bus is gone; connecting again"
        case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed":
            "the D-Bus system bus does not let healthd in (\(error)); "
                + "see its policy, and AppArmor; trying again"
        case "org.freedesktop.DBus.Error.FileNotFound", "org.freedesktop.DBus.Error.NoServer":
            "there is no D-Bus system bus (\(error)); is dbus running? A container must be given "
                + "/run/dbus; trying again"
        default: "cannot use the D-Bus system bus (\(error)); trying again"
        }
    }
}

/// By how much the host's clock was set.
struct ClockStep {
    private let milliseconds: Int64

    /// A step of so many ms, forward if positive.
    init(_ milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The step for people.
    var text: String {
        let seconds = abs(milliseconds) / 1000
        let tenths = abs(milliseconds) % 1000 / 100
        return "the clock was set \(seconds).\(tenths) s \(milliseconds < 0 ? "back" : "forward")"
    }
}
