internal import Captures
internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `record`: what comes through the door from now on, as lines of a recording.
///
/// A recording that begins inside a link must replay to the same readings. So before the first event
/// of a device come a connect, what the device has said of itself, and what the link has told of its
/// clock; the clock comes once more where another source had brought events of the same device.
struct RecordAnswer: WaitingAnswer {
    private let recorder: Recorder
    private let zone: Zone
    private var waiting: ArraySlice<TeedEvent> = []
    private var sources: [DeviceAddress: EventTee.Source] = [:]
    private var writer = GattlogWriter()
    private var count = 0

    let heartbeat: Int64? = 15_000

    /// Octets of lines after which a part ends: half of what may wait for a client, less one device's
    /// introduction.
    private static let partOctets = 65_536
    /// Devices whose introduction is remembered; beyond, all are introduced once more.
    private static let deviceLimit = 4096

    init(_ context: RequestContext) throws(ProtocolError) {
        guard let recorder = context.tee.makeRecorder() else {
            throw ProtocolError(
                .busy, "\(EventTee.recorderLimit) clients are recording already; end one of them")
        }
        self.recorder = recorder
        zone = context.facts.zone
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        if waiting.isEmpty { waiting = recorder.take()[...] }
        while writer.octets.count < Self.partOctets, let next = waiting.popFirst() {
            append(next, store)
        }
        let text = writer.take()
        if !waiting.isEmpty { return AnswerPart(text, then: self) }
        guard text.isEmpty, let time = recorder.cutAt else {
            return AnswerPart(text, waiting: self)
        }
        return tooSlow(since: time)
    }

    private func tooSlow(since time: Instant) -> AnswerPart {
        let error = ProtocolError(
            .slowClient, "what came was not taken in time: the recording ends here; begin another"
        ).with("n", "\(count)")
        var part = AnswerPart(failure: error)
        part.text = Array("# cut t=\(time.text(offset: zone.offset(at: time)))\n".utf8)
        return part
    }

    func hasNews(in writer: Writer) -> Bool { recorder.hasNews }

    func hasRest() -> Bool {
        recorder.close()
        return recorder.hasNews
    }

    func heartbeatLine(_ now: Instant) -> String {
        "# hb t=\(now.text(offset: zone.offset(at: now))) n=\(count)"
    }

    func endDetails(_ records: Int) -> [(key: String, value: String)] {
        [(key: "n", value: "\(count)")]
    }
}

extension RecordAnswer {
    private mutating func append(_ next: TeedEvent, _ store: StoreReader) {
        let event = next.event
        let known = sources[event.device.address]
        if sources.count >= Self.deviceLimit { sources = [:] }
        sources[event.device.address] = next.source
        guard known != next.source else { return write(event) }
        let device = known == nil ? device(event.device.address, store) : nil
        let reads = device.map { DeviceIntroduction($0, before: event).reads } ?? []
        if event.kind == .connect {
            ([event] + reads).forEach { write($0) }
        } else {
            ([connect(event, device)] + reads + next.evidence + [event]).forEach { write($0) }
        }
    }

    private func device(_ address: DeviceAddress, _ store: StoreReader) -> Device? {
        let name = address.description
        do throws(StorageError) {
            return try store.devices().first { $0.address == name }
        } catch {
            return nil  // a store that fails must not end the recording, which may be all there is
        }
    }

    /// A connect in front of an event, as if the link had begun with it.
    private func connect(_ event: GATTEvent, _ device: Device?) -> GATTEvent {
        var remote = event.device
        remote.name = remote.name ?? device?.name
        remote.addressType = remote.addressType ?? device?.texts[.addressType]
        return GATTEvent(
            .connect, origin: event.origin, device: remote, at: event.at, zone: event.zone)
    }

    private mutating func write(_ event: GATTEvent) {
        writer.write(event)
        count += 1
    }
}
