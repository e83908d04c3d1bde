import Measurements
import Samples
import Testing

@testable import Storage

/// When readings move out of rows into blocks, and what stays.
@Suite struct SealingTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    /// Readings one second apart, from a second after noon on.
    private func fill(_ count: Int, from second: Int = 0) throws {
        try store.run(
            (second..<second + count).map { continuous(UInt16(90 + $0 % 9), at: Int64($0) * 1000) })
    }

    private func seal(atMinute minute: Int64) throws {
        while try store.writer.seal(upTo: noon.advanced(byMilliseconds: minute * 60_000)) {}
        try store.writer.commit()
    }

    private func rows() throws -> Int64? { try store.number("SELECT count(*) FROM reading") }

    private func sealed() throws -> Int64? {
        try store.number("SELECT coalesce(sum(n), 0) FROM block")
    }

    @Test func aQuarterIsSealedAQuarterOfAnHourAfterItsEnd() throws {
        try fill(100)
        try seal(atMinute: 29)
        #expect(try sealed() == 0)
        #expect(try store.writer.sealingDue() == noon.advanced(byMilliseconds: 1_800_000))
        try seal(atMinute: 30)
        #expect(try sealed() == 100)
        #expect(try rows() == 0)
        #expect(try store.writer.sealingDue() == nil)
    }

    @Test func theQuarterThatARecordingIsInWaitsForItsEnd() throws {
        try fill(1000)
        let late = noon.advanced(byMilliseconds: 7_200_000)
        while try store.writer.seal(upTo: late, whileMoreComes: true) {}
        try store.writer.commit()
        #expect(try sealed() == 900)
        try fill(800, from: 1000)
        while try store.writer.seal(upTo: late) {}
        try store.writer.commit()
        #expect(try sealed() == 1800)
        #expect(try store.number("SELECT count(*) FROM block") == 2)
    }

    @Test(arguments: [(63, 0), (64, 64)])
    func fewReadingsStayRows(count: Int, sealed: Int64) throws {
        try fill(count)
        try seal(atMinute: 30)
        #expect(try self.sealed() == sealed)
        #expect(try rows() == Int64(count) - sealed)
    }

    @Test func manyLateReadingsMakeAnotherPart() throws {
        try fill(100)
        try seal(atMinute: 30)
        try fill(63, from: 200)
        try seal(atMinute: 31)
        #expect(try rows() == 63)
        try fill(1, from: 300)
        try seal(atMinute: 32)
        #expect(try rows() == 0)
        #expect(try store.number("SELECT count(*) FROM block") == 2)
        #expect(try sealed() == 164)
    }

    @Test func whatWasTooLittleIsSealedWithWhatComesLate() throws {
        try fill(40)
        try seal(atMinute: 30)
        try fill(24, from: 100)
        try seal(atMinute: 31)
        #expect(try sealed() == 64)
        #expect(try store.number("SELECT count(*) FROM block") == 1)
    }

    @Test func aRestartSealsWhatTheLastRunLeft() throws {
        try fill(100)
        try store.restart()
        try seal(atMinute: 30)
        #expect(try sealed() == 100)
    }

    @Test func nothingIsSealedTwiceAfterARollback() throws {
        try fill(100)
        while try store.writer.seal(upTo: noon.advanced(byMilliseconds: 1_800_000)) {}
        try store.writer.rollBack()
        #expect(try sealed() == 0)
        try seal(atMinute: 30)
        #expect(try sealed() == 100)
        #expect(try rows() == 0)
    }

    @Test func aCheckpointSealsAlsoTheQuarterThatIsNotOver() throws {
        try fill(1000)
        try store.checkpoint()
        #expect(try rows() == 0)
        try fill(30, from: 1000)
        try fill(70, from: 1030)
        try seal(atMinute: 44)
        #expect(try rows() == 100)
        try seal(atMinute: 45)
        #expect(try rows() == 0)
        #expect(try sealed() == 1100)
    }

    @Test func aPartHasAtMostASliceOfReadings() throws {
        try store.run((0..<5000).map { continuous(95, at: Int64($0) * 100) })
        try seal(atMinute: 30)
        #expect(try store.number("SELECT max(n) FROM block") == 2048)
        #expect(try sealed() == 5000)
    }

    @Test func aSliceHasAtMostSixtyFourKilobytesOfPackets() throws {
        try store.run(
            (0..<400).map {
                event(
                    .notify, .plxContinuousMeasurement, [UInt8](repeating: 7, count: 512),
                    at: Int64($0) * 1000)
            })
        try seal(atMinute: 30)
        #expect(try store.number("SELECT max(n) FROM block") == 128)
        #expect(try sealed() == 384)
    }

    @Test func aPartSpansFewSeqs() throws {
        try fill(100)
        try store.writer.commit()
        try store.execute("UPDATE reading SET seq = seq + 65536 WHERE seq > 64")
        try store.restart()
        try fill(64, from: 200)
        try seal(atMinute: 30)
        #expect(try store.number("SELECT count(*) FROM block") == 2)
        #expect(try store.number("SELECT max(seq1 - seq0) FROM block") ?? .max < 65_536)
    }

    @Test func stampedAndSingleMeasurementsStayRows() throws {
        try store.run(
            (0..<70).map { spotCheck(95, minute: 0, at: Int64($0) * 1000) }
                + (0..<70).map { temperature(UInt16(360 + $0 % 9), at: Int64($0) * 1000) }
                + (0..<70).map { battery(50, at: Int64($0) * 1000) })
        let count = try rows()
        try store.seal()
        #expect(try rows() == count)
        #expect(try sealed() == 0)
    }

    @Test func heartRatesAndIntermediateTemperaturesAreStreamsToo() throws {
        try store.run(
            (0..<70).map { event(.notify, .heartRateMeasurement, [0, 60], at: Int64($0) * 1000) }
                + (0..<70).map {
                    event(
                        .notify, .intermediateTemperature, [0, 0x6D, 1, 0, 0xFF],
                        at: Int64($0) * 1000)
                })
        try seal(atMinute: 30)
        #expect(try store.number("SELECT count(*) FROM block") == 2)
        #expect(try rows() == 0)
    }

    @Test func anUndecodablePacketIsSealedLikeAnyOther() throws {
        try store.run(
            (0..<70).map {
                event(.notify, .plxContinuousMeasurement, [1, 2], at: Int64($0) * 1000)
            })
        try seal(atMinute: 30)
        #expect(try sealed() == 70)
        #expect(try store.number("SELECT count(*) FROM summary") == 0)
        #expect(try store.reader.readings(after: 0, limit: 100).readings.count == 70)
    }

    @Test func whatIsSealedTakesATenthOfItsRows() throws {
        let empty = try compactSize()
        try fill(4500)
        let rows = try compactSize() - empty
        try store.seal(fewest: 64)
        let sealed = try compactSize() - empty
        #expect(sealed * 10 < rows, "\(sealed) instead of \(rows)")
    }

    private func compactSize() throws -> Int64 {
        try store.execute("VACUUM")
        return try store.reader.fileSize()
    }

    @Test func rowsAreWalkedWithoutASort() throws {
        let database = try Database(path: store.path, mode: .readOnly)
        for sql in [Sealer.rowsSQL, Sealer.nextSQL] {
            let statement = try database.prepare("EXPLAIN QUERY PLAN \(sql)")
            while try statement.step() { #expect(statement.text(3)?.contains("TEMP") == false) }
        }
    }

    @Test func theNewestPacketIsFoundInABlockToo() throws {
        try fill(100)
        let streams = try store.reader.streams()
        let newest = try store.reader.newestReception(of: streams)?.at
        try store.seal()
        #expect(try store.reader.newestReception(of: streams)?.at == newest)
        #expect(newest == noon.advanced(byMilliseconds: 99_000))
    }
}
