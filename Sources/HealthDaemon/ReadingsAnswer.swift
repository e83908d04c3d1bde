internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `readings`: stored packets of sensors, as lines of a recording in commit order.
struct ReadingsAnswer: Answer {
    private let request: SampleRequest
    private let access: Access
    private let isNamed: Bool
    private var recording: ReadingsRecording
    private var position: Int64 = 0
    private var newest: Int64?
    private var imported = 0
    private var denied = 0

    /// Readings of one part: with a clock of its own each fills half of a connection's output.
    private static let partSize = 200

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        self.request = try SampleRequest(request, context)
        isNamed = !request.arguments.isEmpty
        access = context.access
        recording = ReadingsRecording(zone: context.facts.zone)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        let choice = try DeviceChoice(request, store)
        let (after, size) = (position, Self.partSize)
        let page = try asking { () throws(StorageError) in
            try store.readings(after: after, limit: size)
        }
        let last = newest ?? page.newest
        newest = last
        for (reading, stream) in page.readings where reading.seq <= last {
            position = reading.seq
            if wants(reading, stream, choice) { take(reading, stream) }
        }
        let isEnd = (page.readings.last?.0.seq ?? last) >= last
        guard isEnd else { return AnswerPart(recording.take(), then: self) }
        return AnswerPart(
            last: recording.take(),
            [
                (key: "n", value: "\(recording.count)"), (key: "imported", value: "\(imported)"),
                (key: "denied", value: "\(denied)"),
                (key: "inexact", value: "\(recording.inexact)"),
            ])
    }

    private func wants(_ reading: Reading, _ stream: Stream, _ choice: DeviceChoice) -> Bool {
        let (query, time) = (request.query, reading.measuredFrom)
        return (query.start.map { time >= $0 } ?? true) && (query.end.map { time < $0 } ?? true)
            && choice.includes(stream.device)
            && (query.origin.map { $0 == reading.flags.origin } ?? true)
            && (query.subject.map { $0 == stream.device.subject(at: time) } ?? true)
            && (!isNamed || holdsWanted(reading, stream))
    }

    private func holdsWanted(_ reading: Reading, _ stream: Stream) -> Bool {
        !request.query.types.isDisjoint(with: stream.characteristic.types)
            && DecodedPacket.samples(of: reading.octets, stream.characteristic)
                .contains { request.query.types.contains($0.type) }
    }

    /// Writes a packet for those who may read all that it can hold.
    private mutating func take(_ reading: Reading, _ stream: Stream) {
        guard let address = stream.device.sensorAddress, stream.characteristic != .sample else {
            imported += 1
            return
        }
        guard stream.characteristic.types.allSatisfy({ access.read($0) == .authorized }) else {
            denied += 1
            return
        }
        recording.write(reading, stream, address)
    }
}
