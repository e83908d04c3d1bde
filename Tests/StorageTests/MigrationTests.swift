import Foundation
import Measurements
import Samples
import Testing

@testable import Storage

/// A store of version 3, which had rows only, and the same one sealed in version 4, whose summaries lay by
/// time before they lay by type: `Stores/version3.sql` and `version4.sql` are as those healthds dumped them.
@Suite struct MigrationTests {
    /// What the healthd of version 3 answered, all samples in order.
    private let answers: [String]

    init() throws {
        answers = try Self.fixture("version3.tsv").split(separator: "\n").map(String.init)
    }

    private func store(
        ofVersion version: Int, spoiling page: ((borrowing Database) throws -> Int64)? = nil
    ) throws -> TemporaryStore {
        try TemporaryStore(from: Self.fixture("version\(version).sql"), spoiling: page)
    }

    private static func fixture(_ name: String) throws -> String {
        let url = try #require(Bundle.module.url(forResource: "Stores/\(name)", withExtension: nil))
        return try String(contentsOf: url, encoding: .utf8)
    }

    private func lines(of store: TemporaryStore) throws -> [String] {
        var query = try store.everything()
        query.types = [.oxygenSaturation, .heartRate, .heartRateInterval, .bodyTemperature]
        return try store.answer(to: query, pagesOf: 50).samples.map { sample in
            let value = sample.sample.value?.description ?? "-"
            return [
                sample.id, "\(sample.reading.seq)", "\(sample.reading.measuredFrom.milliseconds)",
                sample.sample.type.rawValue, value, sample.device.address, sample.subject,
                sample.sample.quality.rawValue,
            ].joined(separator: "\t")
        }
    }

    @Test(arguments: [3, 4])
    func itAnswersTheSameAsBefore(version: Int) throws {
        let store = try store(ofVersion: version)
        #expect(try store.number("PRAGMA user_version") == 5)
        #expect(try store.text("PRAGMA integrity_check") == "ok")
        #expect(try lines(of: store) == answers)
    }

    @Test func summariesOfVersion4AreWhatTheyWere() throws {
        let store = try store(ofVersion: 4)
        #expect(try store.number("SELECT sum(n) FROM summary") == 88 + 88 + 80 + 80)
        #expect(try store.reader.checkSummaries(behind: 0).differences.isEmpty)
        #expect(try store.text("SELECT group_concat(type) FROM summary") == "0,1,1,4")
    }

    @Test func summariesInAMalformedPageAreMadeAnew() throws {
        let store = try store(ofVersion: 4) { file in
            let root = try file.number(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'summary'")
            return try #require(root) - 1
        }
        #expect(try store.number("PRAGMA user_version") == 5)
        #expect(try lines(of: store) == answers)
        while try store.writer.renewSummaries() {}
        try store.writer.commit()
        #expect(try store.reader.hasCurrentSummaries())
        #expect(try store.number("SELECT sum(n) FROM summary") == 88 + 88 + 80 + 80)
        #expect(try store.reader.checkSummaries(behind: 0).differences.isEmpty)
    }

    @Test(arguments: [3, 4])
    func itAnswersTheSameWhenItIsSealed(version: Int) throws {
        let store = try store(ofVersion: version)
        while try store.writer.seal(until: Instant.range.upperBound) {}
        try store.writer.commit()
        #expect(try store.number("SELECT sum(n) FROM block") == 169)
        #expect(try store.number("SELECT count(*) FROM reading") == 2)
        #expect(try lines(of: store) == answers)
    }

    @Test(arguments: [3, 4])
    func itsEpochAndItsSeqsGoOn(version: Int) throws {
        let store = try store(ofVersion: version)
        #expect(store.writer.epoch == "8f92ff87e9125e12")
        #expect(store.writer.nextSeq == 175)
    }

    @Test(arguments: [3, 4], [false, true])
    func itsReadingsAreKnownAndItsDeletedOneStaysAway(version: Int, isSealed: Bool) throws {
        let store = try store(ofVersion: version)
        if isSealed { try store.seal() }
        let outcomes = try store.run([
            oximeter(0xF3CA, 60, at: 1_795_989_660_000),
            oximeter(97, 64, at: 1_795_989_664_005),
            oximeter(97, 65, at: 1_795_989_664_005),
        ])
        #expect(outcomes == [.duplicate, .deleted, .stored(seq: 175)])
    }

    private func oximeter(_ spo2: UInt16, _ pulse: UInt16, at time: Int64) -> GATTEvent {
        continuous(spo2, pulse, at: time - noon.milliseconds, device: 0x00_1C_05_01_02_03)
    }
}
