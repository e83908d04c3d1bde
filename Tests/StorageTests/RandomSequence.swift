import Measurements
import Samples
import Storage

/// One random sequence of what can happen to a store, done to the store and to a naive one.
struct RandomSequence {
    private var random: SeededGenerator
    private let store: TemporaryStore
    private var naive = NaiveStore()
    private var live = Listener()
    private var history: [TimedAct] = []
    private var failure: String?

    /// One run of events, as the program and as the naive store follow it.
    private final class Listener {
        var assembler = ReadingAssembler(hostZone: .utc)
        var run = NaiveStore.Run()
    }

    /// The sequence of a seed, for an empty store.
    init(seed: UInt64, store: TemporaryStore) {
        random = SeededGenerator(seed: seed)
        self.store = store
    }

    /// Lets it happen; returns what went wrong first, or nil.
    mutating func perform() throws -> String? {
        for _ in 0..<random.number(1...25) where failure == nil {
            switch random.number(1...15) {
            case 1...6: try listen()
            case 7, 8: try replay()
            case 9: try dumpMemory()
            case 10: try restart()
            case 11: try rollBack()
            case 12, 13: try delete()
            case 14: try assign()
            default: try check()
            }
        }
        try check()
        return failure
    }

    private mutating func listen() throws {
        for _ in 0..<random.number(1...6) {
            let act = randomAct()
            history.append(act)
            try take(act, live)
        }
    }

    private mutating func randomAct() -> TimedAct {
        let device = UInt64(random.number(1...2))
        let at = Int64(random.number(0...8))
        switch random.number(1...12) {
        case 1: return TimedAct(act: .link, device: device, at: at)
        case 2: return TimedAct(act: .answer, device: device, at: at)
        default: return TimedAct(act: .value(randomValue()), device: device, at: at)
        }
    }

    private mutating func randomValue() -> Act.Value {
        let spo2 = random.one(of: [95, 96, 0x07FF] as [UInt16])
        let bits = [0, fromStorage, 1 << 15, 1 << 15 | fromStorage]
        if random.once(in: 2) {
            return Act.Value(spo2: spo2, minute: random.number(0...3), status: random.one(of: bits))
        }
        return Act.Value(
            spo2: spo2, minute: nil, status: random.once(in: 2) ? nil : random.one(of: bits))
    }

    /// A stretch of what happened, as a recording: a run of its own.
    private mutating func replay() throws {
        guard !history.isEmpty else { return }
        let first = random.number(0...history.count - 1)
        let last = random.number(first...history.count - 1)
        let recording = Listener()
        for act in history[first...last] { try take(act, recording) }
    }

    /// A new link in which a device sends all its stamped values once more.
    private mutating func dumpMemory() throws {
        let device = UInt64(random.number(1...2))
        let at = Int64(random.number(100...110))
        var acts = [TimedAct(act: .link, device: device, at: at)]
        for timed in history where timed.device == device {
            guard case .value(var value) = timed.act, value.minute != nil else { continue }
            value.status = (value.status ?? 0) | fromStorage
            acts.append(TimedAct(act: .value(value), device: device, at: at))
        }
        if random.once(in: 2) { history += acts }
        for act in acts { try take(act, live) }
    }

    /// Some readings go, among them perhaps one that is not there.
    private mutating func delete() throws {
        let seqs = (0..<random.number(1...3)).map { _ in Int64(random.number(1...25)) }
        let tally = try store.writer.delete(readings: seqs, at: noon)
        let right = naive.delete(seqs)
        note(tally.readings == right, "delete \(seqs): \(tally.readings), but \(right)")
        note(tally.samples == 2 * right, "delete \(seqs): \(tally.samples) samples")
        if random.once(in: 3) { try store.writer.commit() }
    }

    private mutating func assign() throws {
        let ends = [random.number(0...8), random.one(of: [1, 9, 60_000, 180_001])]
        let span = Int64(ends[0])..<Int64(max(ends[0] + 1, ends[1]))
        let device = UInt64(random.number(1...2))
        let subject = random.one(of: ["me", "ann", "bob"])
        let isNews = try store.writer.assign(
            .sensor(RemoteDevice(DeviceAddress(bits: device))),
            from: noon.advanced(byMilliseconds: span.lowerBound),
            until: noon.advanced(byMilliseconds: span.upperBound), to: subject, at: noon)
        let right = naive.assign(device, span, to: subject)
        note(isNews == right, "assign \(device) \(span) \(subject): \(isNews), but \(right)")
    }

    private mutating func restart() throws {
        naive.forget(after: store.writer.committed)
        try store.restart()
        live = Listener()
    }

    private mutating func rollBack() throws {
        naive.forget(after: store.writer.committed)
        try store.writer.rollBack()
        if random.once(in: 2) { live = Listener() }
    }

    private mutating func take(_ act: TimedAct, _ listener: Listener) throws {
        let intake = listener.assembler.handle(act.event)
        let verdict = try store.writer.verdict(on: intake)
        let outcome = try store.writer.ingest(intake)
        let right: StoreWriter.Outcome
        switch naive.take(act, in: &listener.run) {
        case .stored(let seq): right = .stored(seq: seq)
        case .duplicate: right = .duplicate
        case .deleted: right = .deleted
        case nil: right = .noted
        }
        note(outcome == right, "\(act): \(outcome) instead of \(right)")
        let isOld = right == .duplicate || right == .deleted
        note(verdict == (isOld ? right : nil), "\(act): \(verdict as Any) before \(right)")
        if random.once(in: 5) { try store.writer.commit() }
    }

    private mutating func check() throws {
        try store.writer.commit()
        let query = NaiveQuery(using: &random)
        let right = naive.answer(to: query)
        let size = random.number(1...9)
        let answer = try store.answer(to: asked(query), pagesOf: size)
        note(answer.samples.ids == right.ids, "\(query): \(answer.samples.ids), \(right.ids)")
        note(answer.excluded == right.excluded, "\(query): excluded \(answer.excluded)")
        try checkFeed(of: query)
    }

    /// The feed behind any seq, in pages of any size.
    private mutating func checkFeed(of query: NaiveQuery) throws {
        var filter = FeedFilter(types: query.types)
        filter.qualities = query.qualities
        let first = Int64(random.number(0...max(0, Int(store.writer.committed))))
        let rows = random.number(1...9)
        let feed = try store.feed(filter, after: first, rows: rows)
        let right = naive.feed(query, after: first)
        note(feed == right, "feed \(query) after \(first) by \(rows): \(feed), but \(right)")
    }

    private func asked(_ naive: NaiveQuery) throws -> SampleQuery {
        var query = try store.everything()
        query.types = naive.types
        query.order = naive.isDescending ? .descending : .ascending
        query.start = naive.interval.map { noon.advanced(byMilliseconds: $0.lowerBound) }
        query.end = naive.interval.map { noon.advanced(byMilliseconds: $0.upperBound) }
        query.qualities = naive.qualities
        query.condition = naive.below.map { ValueCondition(.less, DecimalNumber(Int($0))) }
        query.device = try naive.device.map(number)
        return query
    }

    /// The store's number of a device, or one that is none.
    private func number(of device: UInt64) throws -> Int64 {
        let address = DeviceAddress(bits: device).description
        return try store.reader.devices().first { $0.address == address }?.id ?? -1
    }

    private mutating func note(_ isRight: Bool, _ text: @autoclosure () -> String) {
        if !isRight, failure == nil { failure = text() }
    }
}
