import Measurements
import Samples
import Testing

@testable import Storage

@Suite struct ImportedReadingTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    /// Takes in pulses of a source, one a second from noon on.
    private func take(
        _ pulses: [Int], from source: String, modality: Modality = .imported
    ) throws -> [StoreWriter.Outcome] {
        var assembler = ImportAssembler()
        let outcomes = try pulses.enumerated().map { second, pulse in
            try store.writer.ingest(
                assembler.take(
                    ImportedSample(
                        .heartRate, .finite(DecimalNumber(pulse)), .perMinute, modality),
                    from: source, start: noon.advanced(byMilliseconds: Int64(second) * 1000)))
        }
        try store.writer.commit()
        return outcomes
    }

    @Test func aSourceIsADeviceOfItsOwnKind() throws {
        _ = try take([60], from: "00:00:00:00:00:01")
        try store.run([battery(50, at: 0)])
        let devices = try store.reader.devices()
        #expect(devices.map(\.kind) == [.imported, .ble])
        #expect(Set(devices.map(\.address)) == ["00:00:00:00:00:01"])
        #expect(devices.map { $0.sensorAddress == nil } == [true, false])
    }

    @Test func theSameFileAgainAddsNothingAlsoAfterARestart() throws {
        #expect(try take([60, 61], from: "Watch") == [.stored(seq: 1), .stored(seq: 2)])
        #expect(try take([60, 61], from: "Watch") == [.duplicate, .duplicate])
        try store.restart()
        #expect(try take([60, 62], from: "Watch") == [.duplicate, .stored(seq: 3)])
        #expect(try take([60], from: "Phone") == [.stored(seq: 4)])
    }

    @Test func samplesOfSourcesAndSensorsStandInOneOrder() throws {
        _ = try take([60, 61], from: "Watch")
        try store.run([continuous(97, 70, at: 500)])
        var query = try store.everything()
        query.types = [.heartRate]
        #expect(try store.answer(to: query).samples.texts == ["60", "70", "61"])
        query.origin = .import
        #expect(try store.answer(to: query).samples.texts == ["60", "61"])
    }

    @Test func aDeletedSampleDoesNotComeBack() throws {
        _ = try take([60, 61], from: "Watch")
        _ = try store.writer.delete(readings: [1], at: noon)
        try store.writer.commit()
        #expect(try take([60, 61], from: "Watch") == [.deleted, .duplicate])
    }

    @Test(arguments: [false, true])
    func whatASensorHasSentItselfAddsNothing(isSealed: Bool) throws {
        let pulses = (0..<100).map { 60 + $0 % 30 }
        try store.run(
            pulses.enumerated().map { second, pulse in
                continuous(97, UInt16(pulse), at: Int64(second) * 1000)
            })
        if isSealed {
            try store.seal()
            #expect(try store.number("SELECT count(*) FROM reading") == 0)
        }
        let address = "00:00:00:00:00:01"
        let again = try take(pulses, from: address, modality: .continuous)
        #expect(again.allSatisfy { $0 == .duplicate })
        #expect(try take([59], from: address, modality: .continuous) == [.stored(seq: 101)])
        #expect(try take([60], from: address, modality: .fast) == [.stored(seq: 102)])
        #expect(try take([60], from: "00:00:00:00:00:02") == [.stored(seq: 103)])
    }
}
