import Measurements

/// What was counted since the start, for those who look after the daemon.
struct SupervisorTally: Sendable {
    var signals = 0
    /// Signals of others than bluetoothd and the bus, or of the bluetoothd before.
    var foreignSignals = 0
    var values = 0
    var calls = 0
    var unanswered = 0
    var lateReplies = 0
    var links = 0
    var frames = 0
    var bluetoothdStarts = 0
    /// When bluetoothd went, or stopped answering; nil while it is there and answers.
    var goneSince: Instant?
    var isFirstReading = true
    /// Sensors that were not taken in, since there are `Supervisor.sensorLimit`.
    var refusedSensors = 0
}
