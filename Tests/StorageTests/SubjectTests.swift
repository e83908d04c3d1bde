import Measurements
import Samples
import Storage
import Testing

/// Whose readings are whose.
@Suite struct SubjectTests {
    private let store: TemporaryStore
    private let remote = RemoteDevice(DeviceAddress(bits: 1))

    init() throws {
        store = try TemporaryStore()
        try store.run((0..<6).map { battery(UInt8($0), at: Int64($0)) })
        try store.run([battery(90, at: 3, device: 2)])
    }

    private func assign(_ span: ClosedRange<Int64>, to subject: String) throws {
        _ = try store.writer.assign(
            .sensor(remote), from: noon.advanced(byMilliseconds: span.lowerBound),
            until: noon.advanced(byMilliseconds: span.upperBound + 1), to: subject, at: noon)
        try store.writer.commit()
    }

    private func texts(of subject: String?) throws -> [String] {
        var query = try store.everything()
        query.subject = subject
        return try store.answer(to: query, pagesOf: 2).samples.texts
    }

    @Test func readingsAreMineUnlessAssigned() throws {
        #expect(try texts(of: "me") == ["0", "1", "2", "3", "90", "4", "5"])
        #expect(try texts(of: "anna") == [])
    }

    @Test func anAssignmentHoldsBothItsEnds() throws {
        try assign(2...4, to: "anna")
        #expect(try texts(of: "anna") == ["2", "3", "4"])
        #expect(try texts(of: "me") == ["0", "1", "90", "5"])
        #expect(try texts(of: nil).count == 7)
    }

    @Test func ofTwoSpansTheLaterAssignedOneWins() throws {
        try assign(0...5, to: "anna")
        try assign(2...3, to: "ben")
        #expect(try texts(of: "anna") == ["0", "1", "4", "5"])
        #expect(try texts(of: "ben") == ["2", "3"])
        try assign(3...9, to: "me")
        #expect(try texts(of: "anna") == ["0", "1"])
        #expect(try texts(of: "me") == ["3", "90", "4", "5"])
    }

    @Test func aSampleSaysWhoseItIs() throws {
        try assign(2...2, to: "anna")
        let samples = try store.answer(to: store.everything()).samples
        #expect(samples.map(\.subject) == ["me", "me", "anna", "me", "me", "me", "me"])
    }

    @Test func theSameAssignmentIsKeptOnce() throws {
        for _ in 1...3 { try assign(0...5, to: "anna") }
        #expect(try store.number("SELECT count(*) FROM assignment") == 1)
    }

    @Test func aStampedReadingBelongsToWhoWoreItThen() throws {
        try store.run([temperature(366, minute: 10, at: 3_600_000)])
        try assign(600_000...600_000, to: "anna")
        #expect(try texts(of: "anna") == ["36.6"])
    }

    @Test func anAssignmentIsVisibleOnlyAfterItsCommit() throws {
        _ = try store.writer.assign(
            .sensor(remote), from: noon, until: noon.advanced(byMilliseconds: 1), to: "anna",
            at: noon)
        #expect(try texts(of: "anna") == [])
        try store.writer.rollBack()
        #expect(try store.number("SELECT count(*) FROM assignment") == 0)
    }
}
