import BlueZ
import DBus
import Measurements
import Testing

private let count = RecordSensor.count
private let report = RecordSensor.report
private let delete = RecordSensor.delete
private let stored = RecordSensor.stored
private let live = RecordSensor.live
private let plain = RecordSensor.plain

@Suite struct RecordAccessDeletionTests {
    @Test func recordsAreDeletedOnlyOnceTheyAreOnTheDisk() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(2)
        #expect(sensor.actions.last == .persist && sensor.writes == [count, report])
        sensor.handle(.persisted(true))
        #expect(sensor.writes == [count, report, count])
        sensor.answer([5, 0, 2, 0])
        #expect(sensor.writes.last == delete)
        sensor.answer([6, 0, 2, 1])
        #expect(sensor.notes(.recordsDeleted) == ["2"] && sensor.actions.last == .finished)
    }

    @Test func nothingIsDeletedUnlessThatIsWanted() {
        var sensor = RecordSensor()
        sensor.report(2)
        #expect(!sensor.actions.contains(.persist) && !sensor.writes.contains(delete))
    }

    @Test func nothingIsDeletedThatTheDiskDoesNotTake() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(2)
        sensor.handle(.persisted(false))
        #expect(!sensor.writes.contains(delete) && sensor.actions.last == .finished)
        #expect(sensor.notes(.recordsRefused).first?.contains("the disk") == true)
    }

    @Test func nothingIsDeletedIfRecordsAreMissingOrTooMany() {
        for counted: UInt8 in [1, 3] {
            var sensor = RecordSensor(deletes: true)
            sensor.handle(.begin)
            sensor.answer([5, 0, counted, 0])
            sensor.handle(.written(nil))
            sensor.handle(.record(stored))
            sensor.handle(.record(stored))
            sensor.handle(.response([6, 0, 1, 1]))
            #expect(sensor.actions.last == .finished && !sensor.writes.contains(delete))
            #expect(sensor.notes(.recordsFetched).first?.contains("not deleted") == true)
        }
    }

    @Test(arguments: [live, plain])
    func nothingIsDeletedIfALiveReadingCameBetween(record: [UInt8]) {
        var mixed = RecordSensor(deletes: true)
        mixed.handle(.begin)
        mixed.answer([5, 0, 2, 0])
        mixed.handle(.written(nil))
        mixed.handle(.record(stored))
        mixed.handle(.record(record))
        mixed.handle(.response([6, 0, 1, 1]))
        #expect(mixed.actions.last == .finished && !mixed.writes.contains(delete))

        var late = RecordSensor(deletes: true)
        late.report(2)
        late.handle(.record(record))
        late.handle(.persisted(true))
        #expect(late.actions.last == .finished && !late.writes.contains(delete))
    }

    @Test func nothingIsDeletedIfALiveReadingComesDuringTheLastCount() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(2)
        sensor.handle(.persisted(true))
        sensor.handle(.record(live))
        sensor.answer([5, 0, 2, 0])
        #expect(sensor.actions.last == .finished && !sensor.writes.contains(delete))
    }

    @Test func nothingIsDeletedIfTheSensorHasOneMoreByThen() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(2)
        sensor.handle(.persisted(true))
        sensor.answer([5, 0, 3, 0])
        #expect(!sensor.writes.contains(delete) && sensor.actions.last == .finished)
    }

    @Test func recordsThatSayNothingOfTheirOriginAreDeletedByTheirNumber() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(2, of: plain)
        sensor.handle(.persisted(true))
        sensor.answer([5, 0, 2, 0])
        #expect(sensor.writes.last == delete)
    }

    @Test func aDeletionThatIsRefusedSaysSo() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(1)
        sensor.handle(.persisted(true))
        sensor.answer([5, 0, 1, 0])
        sensor.answer([6, 0, 2, 2])
        #expect(sensor.notes(.recordsDeleted).isEmpty)
        #expect(sensor.notes(.recordsRefused).first?.contains("op code not supported") == true)
    }

    @Test func aLateWordOfTheDiskOnALostLinkDeletesNothing() {
        var sensor = RecordSensor(deletes: true)
        sensor.report(1)
        sensor.handle(.linkLost)
        sensor.handle(.persisted(true))
        #expect(sensor.writes == [count, report])
    }
}

@Suite struct RecordAccessOrderTests {
    /// Reply, records and response of a report, in every order that keeps the response behind its records.
    @Test func everyOrderOfReplyRecordsAndResponseEndsInTheSame() {
        for place in 0...4 {
            var sensor = RecordSensor(deletes: true)
            sensor.handle(.begin)
            sensor.answer([5, 0, 3, 0])
            var events: [RecordAccess.Event] =
                Array(repeating: .record(stored), count: 3) + [.response([6, 0, 1, 1])]
            events.insert(.written(nil), at: place)
            for event in events { sensor.handle(event) }
            #expect(sensor.notes(.recordsFetched) == ["3 of 3"] && sensor.actions.last == .persist)
        }
    }

    @Test func whateverHappensItEndsAndDeletesOnlyWhatIsKept() {
        for seed in 1...3000 {
            var dice = EventDice(seed: seed)
            var sensor = RecordSensor(deletes: true)
            var isKept = false
            sensor.handle(.begin)
            for _ in 0..<40 {
                let event = Self.event(&dice)
                if event == .persisted(true), sensor.actions.contains(.persist) { isKept = true }
                sensor.handle(event)
                if dice.next(8) == 0 { sensor.pass(Int64(dice.next(20_000))) }
            }
            #expect(isKept || !sensor.writes.contains(delete), "seed \(seed)")
            for _ in 0..<3 {
                sensor.handle(.persisted(false))
                sensor.pass(200_000)
            }
            #expect(!sensor.access.isRunning && sensor.access.nextDeadline == nil, "seed \(seed)")
            #expect(sensor.actions.count { $0 == .finished } <= 1, "seed \(seed)")
            #expect(sensor.writes.count < 20, "seed \(seed)")
        }
    }

    private static func event(_ dice: inout EventDice) -> RecordAccess.Event {
        let responses: [[UInt8]] = [
            [5, 0, 2, 0], [5, 0, 0, 0], [6, 0, 1, 1], [6, 0, 2, 1], [6, 0, 3, 1], [6, 0, 1, 8], [6],
        ]
        let errors = ["0xfd", "0xfe", "0x80"].map {
            BusError(name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: \($0)")
        }
        switch dice.next(12) {
        case 0...3: return .written(nil)
        case 4...6: return .response(responses[dice.next(responses.count)])
        case 7, 8: return .record([stored, live, plain][dice.next(3)])
        case 9: return .written(errors[dice.next(errors.count)])
        case 10: return dice.next(2) == 0 ? .armed : .persisted(true)
        default: return dice.next(20) == 0 ? .linkLost : .begin
        }
    }
}
