import BlueZ
import DBus
import Measurements
import Testing

private let count = RecordSensor.count
private let report = RecordSensor.report
private let abort = RecordSensor.abort
private let stored = RecordSensor.stored

@Suite struct RecordAccessTests {
    @Test func recordsAreCountedAndThenReported() {
        var sensor = RecordSensor()
        sensor.report(3)
        #expect(sensor.writes == [count, report])
        #expect(sensor.notes(.recordsFetched) == ["3 of 3"])
        #expect(sensor.actions.last == .finished && !sensor.access.isRunning)
    }

    @Test func aSensorWithoutRecordsIsNotAskedForThem() {
        for response: [UInt8] in [[5, 0, 0, 0], [6, 0, 4, 6]] {
            var sensor = RecordSensor()
            sensor.handle(.begin)
            sensor.answer(response)
            #expect(sensor.writes == [count] && sensor.actions.last == .finished)
        }
    }

    @Test func aSensorThatCannotCountReportsAll() {
        for code: UInt8 in 2...4 {
            var sensor = RecordSensor(deletes: true)
            sensor.handle(.begin)
            sensor.answer([6, 0, 4, code])
            sensor.handle(.written(nil))
            sensor.handle(.record(stored))
            sensor.handle(.response([6, 0, 1, 1]))
            #expect(sensor.writes == [count, report])
            #expect(
                sensor.notes(.recordsFetched) == [
                    "1; not deleted, since the sensor cannot count them"
                ])
        }
    }

    @Test func valuesAndResponseMayComeBeforeTheWritesReply() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.handle(.response([5, 0, 2, 0]))
        #expect(sensor.writes == [count])
        sensor.handle(.written(nil))
        sensor.handle(.record(stored))
        sensor.handle(.record(stored))
        sensor.handle(.response([6, 0, 1, 1]))
        #expect(sensor.actions.last != .finished)
        sensor.handle(.written(nil))
        #expect(sensor.notes(.recordsFetched) == ["2 of 2"] && sensor.actions.last == .finished)
    }

    @Test func aReplyThatNeverComesDoesNotHoldUpTheResponse() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.handle(.response([5, 0, 0, 0]))
        sensor.pass(30_000)
        #expect(sensor.actions.last == .finished && sensor.notes(.recordsRefused).isEmpty)
    }

    @Test func anErrorThatComesAfterTheResponseIsNoRefusal() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.handle(.response([5, 0, 1, 0]))
        sensor.handle(.written(BusError(name: "org.bluez.Error.Failed", text: "Not connected")))
        #expect(sensor.writes == [count, report] && sensor.notes(.recordsRefused).isEmpty)
    }

    @Test func theWriteThatNobodyConfirmsMayStillBeAnswered() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.handle(.written(BusError(name: BusError.noReply)))
        sensor.handle(.response([5, 0, 0, 0]))
        #expect(sensor.actions.last == .finished && sensor.notes(.recordsRefused).isEmpty)
    }

    @Test func eachRecordGivesTheSensorThirtySecondsMore() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.answer([5, 0, 3, 0])
        sensor.handle(.written(nil))
        for _ in 0..<3 {
            sensor.pass(29_999)
            sensor.handle(.record(stored))
        }
        sensor.pass(29_999)
        sensor.handle(.response([6, 0, 1, 1]))
        #expect(sensor.notes(.recordsFetched) == ["3 of 3"])
    }

    @Test func aSensorThatDoesNotAnswerIsLeftAloneOnThisLink() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.handle(.written(nil))
        sensor.pass(30_000)
        #expect(sensor.notes(.recordsRefused).first?.contains("did not answer in 30 s") == true)
        sensor.handle(.response([5, 0, 3, 0]))
        sensor.handle(.begin)
        sensor.pass(100_000)
        #expect(sensor.writes == [count] && sensor.actions.count { $0 == .finished } == 1)
    }

    @Test func missingCCCDsAreWrittenOnceMore() {
        var sensor = RecordSensor()
        let error = BusError(
            name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0xfd")
        sensor.handle(.begin)
        sensor.handle(.written(error))
        #expect(sensor.actions.last == .arm)
        sensor.handle(.armed)
        #expect(sensor.writes == [count, count])
        sensor.handle(.written(error))
        #expect(sensor.actions.last == .finished && sensor.notes(.recordsRefused).count == 1)
    }

    @Test func aProcedureThatRunsIsAbortedOnce() {
        var sensor = RecordSensor()
        let error = BusError(
            name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0xfe")
        sensor.handle(.begin)
        sensor.handle(.written(error))
        #expect(sensor.writes == [count, abort])
        sensor.answer([6, 0, 3, 1])
        #expect(sensor.writes == [count, abort, count])
        sensor.handle(.written(error))
        #expect(sensor.actions.last == .finished && sensor.notes(.recordsRefused).count == 1)
    }

    @Test(
        "F1: a write that is refused since another one runs is repeated a little later, not for ever"
    )
    func aBusyBluetoothdIsAskedAgain() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        for _ in 0..<20 {
            sensor.handle(.written(BusError(name: "org.bluez.Error.InProgress")))
            sensor.pass(200)
        }
        #expect(sensor.writes.count == 6 && sensor.actions.last == .finished)
    }

    @Test("F2: a link that ends keeps the records that came, and says how many")
    func aLinkThatEndsKeepsWhatCame() {
        var sensor = RecordSensor(deletes: true)
        sensor.handle(.begin)
        sensor.answer([5, 0, 9, 0])
        sensor.handle(.written(nil))
        sensor.handle(.record(stored))
        sensor.handle(.record(stored))
        sensor.handle(.linkLost)
        #expect(sensor.notes(.recordsFetched) == ["2 of 9, then the link ended"])
        #expect(!sensor.access.isRunning && sensor.access.nextDeadline == nil)
    }

    @Test(
        arguments: [
            (8, "procedure not completed"), (99, "reserved answer 99"), (5, "invalid operand"),
        ] as [(UInt8, String)])
    func aReportThatFailsSaysSo(code: UInt8, words: String) {
        var sensor = RecordSensor(deletes: true)
        sensor.handle(.begin)
        sensor.answer([5, 0, 3, 0])
        sensor.handle(.record(stored))
        sensor.answer([6, 0, 1, code])
        #expect(sensor.notes(.recordsRefused).first?.contains("1 of 3, then \(words)") == true)
        #expect(sensor.writes == [count, report] && sensor.actions.last == .finished)
    }

    @Test func answersToOtherQuestionsAndNonsenseAreIgnored() {
        var sensor = RecordSensor()
        sensor.handle(.begin)
        sensor.handle(.written(nil))
        for octets: [UInt8] in [
            [], [6], [6, 0], [6, 0, 1, 1], [1, 1], [6, 0, 3, 1], [5, 0, 3],
        ] {
            sensor.handle(.response(octets))
        }
        #expect(sensor.access.isRunning && sensor.writes == [count])
    }

    @Test func aSensorThatWasFetchedIsNotAskedAgainOnThisLink() {
        var sensor = RecordSensor()
        sensor.report(1)
        sensor.handle(.begin)
        #expect(sensor.writes == [count, report])
    }
}
