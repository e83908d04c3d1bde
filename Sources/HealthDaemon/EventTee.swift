internal import Measurements
internal import Synchronization

/// Passes what comes through the door on to those who record it; costs nothing while nobody does.
///
/// A recorder holds events until a worker takes them. One that takes too long is cut off: neither a
/// sensor nor a recording that comes in waits for it.
final class EventTee: Sendable {
    /// Who brings events: the live sensors, or one recording that comes in.
    struct Source: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// Recorders at once: each may hold `eventLimit` events, and a person needs one.
    static let recorderLimit = 8
    /// Events that wait for one recorder, about 5 MB: four minutes of 64 sensors at 1 Hz, so that a
    /// client can wait for its SD card.
    static let eventLimit = 16_384

    fileprivate struct Buffer {
        var events: [TeedEvent] = []
        var cutAt: Instant?
        var isClosed = false
    }

    private let buffers = Mutex<[Int: Buffer]>([:])
    private let hasRecorders = Atomic<Bool>(false)
    private let lastNumber = Atomic<Int>(0)
    private let wake: @Sendable () -> Void

    /// A tee that calls `wake` when there is something for a recorder that had nothing.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// A source of events that is none of those before.
    func makeSource() -> Source { Source(number: makeNumber()) }

    /// Somebody who gets every event from now on; nil if there are enough of them.
    func makeRecorder() -> Recorder? {
        let number = makeNumber()
        let isAdmitted = buffers.withLock { buffers in
            guard buffers.count < Self.recorderLimit else { return false }
            buffers[number] = Buffer()
            hasRecorders.store(true, ordering: .releasing)
            return true
        }
        return isAdmitted ? Recorder(number, self) : nil
    }

    private func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    /// Whether anybody records.
    var isRecording: Bool { hasRecorders.load(ordering: .acquiring) }

    /// Passes an event on to every recorder.
    func pass(_ event: TeedEvent) {
        let isNews = buffers.withLock { buffers in
            var isNews = false
            for number in Array(buffers.keys) {
                isNews = buffers[number]?.append(event) ?? false || isNews
            }
            return isNews
        }
        if isNews { wake() }
    }
}

extension EventTee.Buffer {
    /// Puts an event behind the others; true if there were none.
    fileprivate mutating func append(_ event: TeedEvent) -> Bool {
        guard cutAt == nil, !isClosed else { return false }
        guard events.count < EventTee.eventLimit else {
            cutAt = Clock.now
            return false
        }
        events.append(event)
        return events.count == 1
    }

    fileprivate mutating func take() -> [TeedEvent] {
        defer { events = [] }
        return events
    }
}

/// An event on its way to those who record it.
struct TeedEvent: Sendable {
    /// The event, with the zone that its stamps are read in.
    let event: GATTEvent
    /// Who brought it.
    let source: EventTee.Source
    /// The events before it from which the link's knowledge of the device's clock came.
    let evidence: [GATTEvent]
}

/// One who gets every event until nobody holds this object any more.
final class Recorder: Sendable {
    private let number: Int
    private let tee: EventTee

    fileprivate init(_ number: Int, _ tee: EventTee) {
        self.number = number
        self.tee = tee
    }

    deinit { tee.remove(number) }

    /// Takes what has come since the last time; oldest first.
    func take() -> [TeedEvent] { tee.change(number) { $0.take() } ?? [] }

    /// Whether something has come, or the recorder was cut off.
    var hasNews: Bool { tee.change(number) { $0.cutAt != nil || !$0.events.isEmpty } ?? false }

    /// When the first event came that is not passed on, because those before were not taken in time.
    var cutAt: Instant? { tee.change(number) { $0.cutAt } ?? nil }

    /// Lets nothing more come.
    func close() { tee.change(number) { $0.isClosed = true } }
}

extension EventTee {
    @discardableResult
    fileprivate func change<Result: Sendable>(
        _ number: Int, _ body: (inout Buffer) -> Result
    ) -> Result? {
        buffers.withLock { buffers in
            guard var buffer = buffers.removeValue(forKey: number) else { return nil }
            defer { buffers[number] = buffer }
            return body(&buffer)
        }
    }

    fileprivate func remove(_ number: Int) {
        buffers.withLock { buffers in
            buffers[number] = nil
            hasRecorders.store(!buffers.isEmpty, ordering: .releasing)
        }
    }
}
