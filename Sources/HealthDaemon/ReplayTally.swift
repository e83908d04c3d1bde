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

/// Whose the readings of a recording or an import are, in spans of each device.
struct ReplayAssignments: Equatable, Sendable {
    /// Spans of one device: a household has a few people, who do not take turns more often.
    private static let spanLimit = 10_000

    /// Whose they are all; nil where each says it of itself, or nobody does.
    private let subject: String?
    private var byDevice: [SourceDevice.Identity: DeviceSpans] = [:]

    /// The readings of one device.
    fileprivate struct DeviceSpans: Equatable {
        var spans: [Span] = []
        /// Whether the last span goes on.
        var isOpen = false
    }

    /// Readings of one device that are one person's.
    struct Span: Equatable, Sendable {
        let device: SourceDevice
        let subject: String
        var first: Instant
        var last: Instant
    }

    init(subject: String?) {
        self.subject = subject
    }

    /// The spans, by device.
    var spans: [Span] {
        byDevice.sorted { $0.key.address < $1.key.address }.flatMap { $0.value.spans }
    }

    /// Widens the device's last span to a reading, or begins another one.
    ///
    /// `stated` is whose the reading says that it is.
    mutating func widen(to intake: Intake, subject stated: String? = nil) {
        guard case .reading(let reading) = intake.content else { return }
        let identity = intake.device.identity
        guard let owner = subject ?? stated, owner != Device.defaultSubject || subject != nil else {
            byDevice[identity]?.isOpen = false
            return
        }
        let time = reading.start ?? intake.at
        byDevice[identity, default: DeviceSpans()].widen(
            Span(device: intake.device, subject: owner, first: time, last: time),
            limit: Self.spanLimit)
    }
}

extension ReplayAssignments.DeviceSpans {
    fileprivate mutating func widen(_ span: ReplayAssignments.Span, limit: Int) {
        if isOpen, let last = spans.indices.last, spans[last].subject == span.subject {
            spans[last].first = min(spans[last].first, span.first)
            spans[last].last = max(spans[last].last, span.last)
        } else if spans.count < limit {
            spans.append(span)
            isOpen = true
        }
    }
}
