import Measurements
import Samples

@testable import Storage

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
            switch random.number(1...22) {
            case 1...6: try listen()
            case 7, 8: try replay()
            case 9: try dumpMemory()
            case 10: try restart()
            case 11: try rollBack()
            case 12, 13: try delete()
            case 14: try assign()
            case 15...18: try seal()
            case 19: try deleteSpan()
            case 20, 21: try redate()
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
        let at = randomTime()
        switch random.number(1...12) {
        case 1: return TimedAct(act: .link, device: device, at: at)
        case 2: return TimedAct(act: .answer, device: device, at: at)
        default: return TimedAct(act: .value(randomValue()), device: device, at: at)
        }
    }

    /// One of few milliseconds of one of three quarters, most often of the first.
    private mutating func randomTime() -> Int64 {
        Int64(random.number(0...8)) + Int64(random.one(of: [0, 0, 1, 2]) * 900_000)
    }

    private mutating func randomValue() -> Act.Value {
        let spo2 = random.one(of: [95, 96, 88, 0xF3B7, 0x07FF] as [UInt16])
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

    /// Some of what is in rows goes into blocks, perhaps also of a quarter that is not over.
    private mutating func seal() throws {
        store.sealsSmallParts(of: random.number(1...3), rows: random.number(2...6))
        let end = random.one(of: [0, 900_000, 1_800_000, 2_700_000]) as Int64
        var slices = random.one(of: [1, 2, .max])
        while slices > 0, try store.writer.seal(until: noon.advanced(byMilliseconds: end)) {
            slices -= 1
        }
        if random.once(in: 2) { try store.writer.commit() }
    }

    private mutating func deleteSpan() throws {
        let ends = [Int64(random.number(0...8)), randomTime() + 1]
        let deletion = NaiveStore.SpanDeletion(
            device: UInt64(random.number(1...2)), span: ends[0]..<max(ends[0] + 1, ends[1]),
            at: randomTime())
        let isContinuous = random.once(in: 2)
        try store.writer.commit()
        let tally = try store.writer.delete(
            stream: stream(of: deletion.device, isContinuous),
            from: noon.advanced(byMilliseconds: deletion.span.lowerBound),
            until: noon.advanced(byMilliseconds: deletion.span.upperBound),
            at: noon.advanced(byMilliseconds: deletion.at))
        let right = naive.delete(deletion, isContinuous: isContinuous)
        note(tally.readings == right, "delete \(deletion): \(tally.readings), but \(right)")
        note(tally.samples == 2 * right, "delete \(deletion): \(tally.samples) samples")
    }

    /// The store's number of a stream, or one that is none.
    private func stream(of device: UInt64, _ isContinuous: Bool) throws -> Int64 {
        let address = DeviceAddress(bits: device).description
        return try store.reader.streams().first {
            $0.device.address == address && $0.characteristic.isStreaming == isContinuous
        }?.id ?? -1
    }

    private mutating func redate() throws {
        let seq = Int64(random.number(1...25))
        let start = randomTime()
        let moved = try store.writer.redate(
            reading: seq, to: noon.advanced(byMilliseconds: start))
        let right = naive.redate(seq, to: start)
        note(moved == right, "redate \(seq): \(moved as Any), but \(right as Any)")
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
        let newest = randomNewest()
        let right = naive.until(newest).answer(to: query)
        let size = random.number(1...9)
        var asked = try asked(query)
        asked.newest = newest
        let answer = try store.answer(to: asked, pagesOf: size, between: sealing())
        note(answer.samples.ids == right.ids, "\(query): \(answer.samples.ids), \(right.ids)")
        note(answer.excluded == right.excluded, "\(query): excluded \(answer.excluded)")
        try checkFeed(of: query)
        try checkReadings()
        for _ in 0..<2 { try checkStatistics() }
    }

    /// A seq as of which the answer may be: nothing was changed behind it, but readings came in.
    private mutating func randomNewest() -> Int64 {
        let committed = store.writer.committed
        return random.once(in: 2)
            ? committed : Int64(random.number(Int(naive.lastChange)...Int(committed)))
    }

    private mutating func checkStatistics() throws {
        let question = NaiveQuestion(using: &random)
        let newest = randomNewest()
        let answer = try store.answer(
            to: question, device: question.device.map(number), newest, between: sealing())
        let right = naive.until(newest).answer(to: question)
        note(answer == right, "\(question): \(answer), but \(right)")
    }

    /// What may happen between two pages: readings are sealed, which changes no answer.
    private mutating func sealing() -> () throws -> Void {
        guard random.once(in: 4) else { return {} }
        let store = store
        return {
            _ = try store.writer.seal(until: Instant.range.upperBound)
            try store.writer.commit()
        }
    }

    /// The readings in commit order behind any seq, and single ones by their ids.
    private mutating func checkReadings() throws {
        let first = Int64(random.number(0...max(0, Int(store.writer.committed))))
        let limit = random.number(1...9)
        var (seqs, last): ([Int64], Int64?) = ([], first)
        while let seq = last {
            let page = try store.reader.readings(after: seq, limit: limit).readings
            seqs += page.map(\.0.seq)
            last = page.last?.0.seq
        }
        let right = naive.entries.map(\.seq).filter { $0 > first }.sorted()
        note(seqs == right, "readings after \(first) by \(limit): \(seqs), but \(right)")
        let id = Int64(random.number(1...25))
        let found = try store.reader.reading(first: id)?.0.seq
        let rightSeq = naive.entries.first { $0.id == id }?.seq
        note(found == rightSeq, "reading \(id): \(found as Any), but \(rightSeq as Any)")
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
        query.condition = naive.below.map {
            ValueCondition(.less, DecimalNumber(mantissa: Int64($0), exponent: -1))
        }
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
