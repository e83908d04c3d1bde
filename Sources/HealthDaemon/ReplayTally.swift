internal import Measurements
internal import Samples
internal import Storage

/// What became of the lines of a recording.
struct ReplayTally: Equatable, Sendable {
    /// Measurement packets that came.
    var readings = 0
    /// Packets that are new.
    var stored = 0
    /// Packets that were there already.
    var duplicate = 0
    /// Packets that are kept but do not decode, by reason.
    var undecodable: [String: Int] = [:]
    /// Samples that the new packets hold.
    var samples = 0
    /// Lines that left nothing, by reason.
    var skipped: [String: Int] = [:]

    /// Counts what became of one intake.
    mutating func count(_ intake: Intake, _ outcome: StoreWriter.Outcome) {
        switch intake.content {
        case .reading(let reading): count(reading, outcome)
        case .skipped(let reason): skip(reason.rawValue)
        case .attribute, .clock, .link: break
        }
    }

    /// Counts a line that left nothing.
    mutating func skip(_ reason: String) {
        skipped[reason, default: 0] += 1
    }

    private mutating func count(_ reading: NewReading, _ outcome: StoreWriter.Outcome) {
        readings += 1
        switch outcome {
        case .stored:
            stored += 1
            samples += reading.sampleCount
            if let malformed = reading.malformed { undecodable[malformed.symbol, default: 0] += 1 }
        case .duplicate: duplicate += 1
        case .deleted: skip("deleted")
        case .tooManyAtOneTime: skip("tooManyAtOneTime")
        case .noted: break
        }
    }

    /// Takes back what was stored and then lost.
    mutating func takeBack(_ lost: ReplayTally) {
        stored -= lost.stored
        samples -= lost.samples
        undecodable.merge(lost.undecodable) { $0 - $1 }
    }

    static func += (total: inout ReplayTally, part: ReplayTally) {
        total.readings += part.readings
        total.stored += part.stored
        total.duplicate += part.duplicate
        total.samples += part.samples
        total.undecodable.merge(part.undecodable) { $0 + $1 }
        total.skipped.merge(part.skipped) { $0 + $1 }
    }
}

/// Whose the readings of a recording are: one span a device, from its first to its last reading.
struct ReplayAssignments: Equatable, Sendable {
    /// Whose they are.
    let subject: String
    private var byAddress: [DeviceAddress: Span] = [:]

    /// The readings of one device in the recording.
    struct Span: Equatable, Sendable {
        let device: RemoteDevice
        var first: Instant
        var last: Instant
    }

    init(subject: String) {
        self.subject = subject
    }

    /// The spans, by address.
    var spans: [Span] {
        byAddress.values.sorted { $0.device.address.bits < $1.device.address.bits }
    }

    /// Widens the device's span to a reading.
    mutating func widen(to intake: Intake) {
        guard case .reading(let reading) = intake.content else { return }
        let time = reading.start ?? intake.at
        let address = intake.device.address
        var span = byAddress[address] ?? Span(device: intake.device, first: time, last: time)
        span.first = min(span.first, time)
        span.last = max(span.last, time)
        byAddress[address] = span
    }
}
