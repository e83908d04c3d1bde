import Measurements
import Samples
import Testing

@testable import Storage

@Suite struct AssignmentTests {
    private func assign(
        _ store: TemporaryStore, _ span: Range<Int64>, to subject: String
    ) throws -> Bool {
        let isNews = try store.writer.assign(
            .sensor(RemoteDevice(DeviceAddress(bits: 1))),
            from: noon.advanced(byMilliseconds: span.lowerBound),
            until: noon.advanced(byMilliseconds: span.upperBound), to: subject, at: noon)
        try store.writer.commit()
        return isNews
    }

    private func subjects(_ store: TemporaryStore) throws -> [String] {
        try store.answer(to: store.everything()).samples.map(\.subject)
    }

    @Test func theSpanHasItsStartAndNotItsEnd() throws {
        let store = try TemporaryStore()
        try store.run((0..<4).map { battery(50, at: Int64($0)) })
        #expect(try assign(store, 1..<3, to: "ann"))
        #expect(try subjects(store) == ["me", "ann", "ann", "me"])
    }

    @Test func theLastWordCounts() throws {
        let store = try TemporaryStore()
        try store.run((0..<3).map { battery(50, at: Int64($0)) })
        #expect(try assign(store, 0..<3, to: "ann"))
        #expect(try assign(store, 1..<2, to: "bob"))
        #expect(try subjects(store) == ["ann", "bob", "ann"])
        #expect(try assign(store, 0..<3, to: "ann"))
        #expect(try subjects(store) == ["ann", "ann", "ann"])
    }

    @Test func theSameWordAgainIsNoNews() throws {
        let store = try TemporaryStore()
        try store.run([battery(50, at: 0)])
        #expect(try assign(store, 0..<3, to: "ann"))
        #expect(try !assign(store, 0..<3, to: "ann"))
        #expect(store.writer.committed == 2)
        #expect(try assign(store, 0..<2, to: "ann"))
        #expect(store.writer.committed == 3)
    }

    @Test func whatComesLaterFallsIntoTheSpan() throws {
        let store = try TemporaryStore()
        #expect(try assign(store, 0..<100, to: "ann"))
        try store.run([battery(50, at: 50), battery(50, at: 150)])
        #expect(try subjects(store) == ["ann", "me"])
    }

    @Test func fromNowOnIsSaidOnceUntilItChanges() throws {
        let store = try TemporaryStore()
        let device = RemoteDevice(DeviceAddress(bits: 1))
        let claim = { (time: Int64, subject: String) in
            try store.writer.assign(
                .sensor(device), from: noon.advanced(byMilliseconds: time), to: subject)
            try store.writer.commit()
        }
        try claim(0, "me")
        #expect(store.writer.committed == 0)
        try claim(10, "ann")
        try claim(20, "ann")
        #expect(store.writer.committed == 1)
        try claim(30, "me")
        #expect(store.writer.committed == 2)
        try store.run([5, 15, 35].map { battery(50, at: $0) })
        #expect(try subjects(store) == ["me", "ann", "me"])
    }
}
