import BlueZ
import DBus
import Measurements
import Testing

private let dateTime = ClockSensor.dateTime
private let right = ClockSensor.right
private let anHourBehind = ClockSensor.anHourBehind
private let factory = ClockSensor.factory
private let refusal = ClockSensor.refusal

@Suite struct ClockSettingTests {
    @Test func aClockThatIsRightIsLeftAlone() {
        for octets: [UInt8] in [right, [0xEA, 0x07, 11, 30, 8, 59, 57]] {
            var sensor = ClockSensor(dateTime)
            sensor.show(octets)
            #expect(sensor.outcome == .right && sensor.writes.isEmpty && sensor.notes.isEmpty)
        }
    }

    @Test func dateTimeIsRoundedToTheNearestSecond() {
        for (later, second) in [(499, 1), (500, 2)] as [(Int64, UInt8)] {
            var sensor = ClockSensor(dateTime)
            sensor.show(anHourBehind)
            sensor.now += later
            sensor.handle(.hostClock(isSynchronised: true))
            #expect(sensor.writes.first?.last == second)
        }
    }

    @Test("I5: a clock that is off is set to the local time, and read back")
    func aClockThatIsOffIsSet() {
        var sensor = ClockSensor(dateTime)
        sensor.show(anHourBehind)
        #expect(sensor.actions.last == .askHostClock)
        sensor.handle(.hostClock(isSynchronised: true))
        #expect(sensor.writes == [[0xEA, 0x07, 11, 30, 9, 0, 1]])
        sensor.handle(.written(nil))
        #expect(sensor.actions.last == .read("/dev/service0001/char2a08"))
        sensor.handle(.read(.success(right)))
        #expect(sensor.outcome == .set && sensor.notes == ["clock-set: it was 3601 s behind"])
    }

    @Test("I5: a clock that is still wrong after it was set is told")
    func aClockThatIgnoresItsSettingIsTold() {
        var sensor = ClockSensor(dateTime)
        sensor.show(anHourBehind)
        sensor.handle(.hostClock(isSynchronised: true))
        sensor.handle(.written(nil))
        sensor.handle(.read(.success(anHourBehind)))
        #expect(sensor.outcome == .ignored)
        #expect(
            sensor.notes.first?.hasPrefix("clock-refused: it was 3601 s behind; set, and now")
                == true)
    }

    @Test("I3: a computer that does not know the time sets no clock")
    func anUnsynchronisedHostSetsNothing() {
        var sensor = ClockSensor(dateTime)
        sensor.show(factory)
        sensor.handle(.hostClock(isSynchronised: false))
        #expect(sensor.outcome == .hostNotSynchronised && sensor.writes.isEmpty)
    }

    @Test("I2: a clock that shows no date, or one before there were such sensors, was never set")
    func aClockThatWasNeverSetIsKnown() {
        for octets: [UInt8] in [factory, [0, 0, 0, 0, 0, 0, 0], [0xB2, 0x07, 1, 1, 0, 0, 0]] {
            var sensor = ClockSensor(dateTime, .read)
            sensor.show(octets)
            #expect(sensor.outcome == .left(behind: nil))
            #expect(sensor.notes == ["clock-read: it was not set; left as it is"])
        }
    }

    @Test func theSameErrorOfDateTimeIsARefusal() {
        var sensor = ClockSensor(dateTime)
        sensor.show(anHourBehind)
        sensor.handle(.hostClock(isSynchronised: true))
        sensor.handle(.written(refusal))
        #expect(sensor.outcome == .refused("\(refusal)"))
        #expect(sensor.notes.first?.hasPrefix("clock-refused:") == true)
    }

    @Test func nothingIsSetWhereThatIsNotWanted() {
        var sensor = ClockSensor(dateTime, .read)
        sensor.show(anHourBehind)
        #expect(sensor.outcome == .left(behind: 3601) && sensor.writes.isEmpty)
    }

    @Test func anOrderSetsAClockThatIsRight() {
        var sensor = ClockSensor(dateTime, .set)
        sensor.show(right)
        sensor.handle(.hostClock(isSynchronised: true))
        #expect(sensor.writes.count == 1)
    }

    @Test func aClockThatCannotBeWrittenIsRead() {
        var sensor = ClockSensor([ClockSensor.offer(.currentTime, .read)])
        sensor.show(anHourBehind + [1, 0, 0])
        #expect(sensor.outcome == .unwritable)
        #expect(
            sensor.notes == ["clock-read: it was 3601 s behind; the sensor's clock cannot be set"])
    }

    @Test func aClockThatCannotBeReadIsSetUnseen() {
        var sensor = ClockSensor([ClockSensor.offer(.dateTime, .write)])
        sensor.handle(.begin)
        sensor.pass(500)
        sensor.handle(.hostClock(isSynchronised: true))
        sensor.handle(.written(nil))
        #expect(sensor.outcome == .set && sensor.notes.first?.contains("cannot be read") == true)
    }

    @Test func aReadThatFailsDoesNotKeepAClockFromBeingSet() {
        var sensor = ClockSensor(dateTime)
        sensor.handle(.begin)
        sensor.pass(500)
        sensor.handle(.read(.failure(refusal)))
        #expect(sensor.actions.last == .askHostClock)
        var other = ClockSensor(dateTime, .read)
        other.handle(.begin)
        other.pass(500)
        other.handle(.read(.failure(refusal)))
        #expect(other.outcome.map { if case .unreadable = $0 { true } else { false } } == true)
    }

    @Test func octetsThatAreNoTimeCountAsNotSet() {
        var sensor = ClockSensor(dateTime)
        sensor.show([1, 2])
        #expect(sensor.actions.last == .askHostClock)
    }

    @Test("H5: nothing is asked while stored readings still come")
    func storedReadingsComeFirst() {
        var sensor = ClockSensor(dateTime)
        sensor.handle(.begin)
        for _ in 0..<10 {
            sensor.pass(400)
            sensor.handle(.indicated)
        }
        #expect(sensor.actions.isEmpty)
        sensor.pass(500)
        #expect(sensor.actions == [.read("/dev/service0001/char2a08")])
    }

    @Test func aSensorThatNeverEndsIsReadAfterAll() {
        var sensor = ClockSensor(dateTime)
        sensor.handle(.begin)
        for _ in 0..<60 {
            sensor.pass(200)
            sensor.handle(.indicated)
        }
        #expect(sensor.actions.count == 1)
    }

    @Test func aClockThatCanBeSetGoesBeforeAFinerOne() {
        let both = [ClockSensor.offer(.currentTime, .read), ClockSensor.offer(.dateTime)]
        var sensor = ClockSensor(both)
        sensor.handle(.begin)
        sensor.pass(500)
        #expect(sensor.actions == [.read("/dev/service0001/char2a08")])
        #expect(ClockSensor([ClockSensor.offer(.batteryLevel)]).setting == nil)
        #expect(ClockSensor([ClockSensor.offer(.dateTime, .notify)]).setting == nil)
    }

    @Test("F2: a link that ends at any step ends it")
    func aLinkThatEndsEndsIt() {
        let steps: [ClockSetting.Event] = [
            .begin, .deadline, .read(.success(anHourBehind)), .hostClock(isSynchronised: true),
            .written(nil),
        ]
        for count in 1...steps.count {
            var sensor = ClockSensor(dateTime)
            for step in steps.prefix(count) {
                if step == .deadline { sensor.pass(500) } else { sensor.handle(step) }
            }
            sensor.handle(.linkLost)
            #expect(sensor.outcome == .linkLost && sensor.setting?.isRunning == false)
            sensor.handle(.read(.success(right)))
            sensor.handle(.written(nil))
            #expect(sensor.actions.count { $0 == .finished(.linkLost) } == 1)
        }
    }

    @Test func anOperatorIsToldEachOutcomeInItsOwnWords() {
        let outcomes: [ClockSetting.Outcome] = [
            .set, .left(behind: 9), .unwritable, .unreadable("why"), .hostNotSynchronised,
            .refused("why"), .ignored, .linkLost,
        ]
        #expect(Set(outcomes.map { "\($0.message)" }).count == outcomes.count)
    }
}
