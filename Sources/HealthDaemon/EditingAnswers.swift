internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `assign`: whose the readings of a device are, in a span of time.
struct AssignAnswer: WritingAnswer {
    private let device: String
    private let names: SensorNames
    private let subject: String
    private let start: Instant
    private let end: Instant
    private var seq: Int64?

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        guard let device = request["device"], let subject = request["subject"] else {
            throw ProtocolError(.syntax, "`assign` needs device= and subject=")
        }
        self.device = device
        names = context.names
        self.subject = try SubjectName.checked(subject)
        let zone = try context.zone(request)
        start =
            try SampleRequest.time(request, "start", zone, context.now)
            ?? Instant.range.lowerBound
        end =
            try SampleRequest.time(request, "end", zone, context.now)
            ?? Instant.range.upperBound
        guard start <= end else { throw ProtocolError(.range, "the span ends before it starts") }
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        if let seq { return AnswerPart(last: [], [(key: "seq", value: "\(seq)")]) }
        let devices = try asking { () throws(StorageError) in try store.devices() }
        let id = try DeviceChoice.find(device, devices, names)
        guard let found = devices.first(where: { $0.id == id }) else {
            preconditionFailure("a device that was found is there")
        }
        let job = StoreJob.assign(found.source, from: start, until: end, to: subject)
        return AnswerPart(after: job, then: self)
    }

    mutating func take(_ result: StoreResult) {
        if case .done(let seq) = result { self.seq = seq }
    }
}

/// The answer to `checkpoint`: comes when everything is on the disk.
struct CheckpointAnswer: WritingAnswer {
    private var seq: Int64?

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        guard let seq else { return AnswerPart(after: .checkpoint, then: self) }
        return AnswerPart(last: [], [(key: "seq", value: "\(seq)")])
    }

    mutating func take(_ result: StoreResult) {
        if case .done(let seq) = result { self.seq = seq }
    }
}
