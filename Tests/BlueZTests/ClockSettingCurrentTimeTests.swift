import BlueZ
import DBus
import Measurements
import Testing

private let currentTime = ClockSensor.currentTime
private let right = ClockSensor.right
private let anHourBehind = ClockSensor.anHourBehind
private let refusal = ClockSensor.refusal

@Suite struct ClockSettingCurrentTimeTests {
    @Test(
        "I4: Current Time gets local time, day, fraction and reason, and the zone where there is one"
    )
    func currentTimeIsWrittenWhole() {
        var sensor = ClockSensor(currentTime + [ClockSensor.offer(.localTimeInformation)])
        sensor.show(anHourBehind + [1, 0, 0])
        sensor.handle(.hostClock(isSynchronised: true))
        #expect(sensor.writes == [[0xEA, 0x07, 11, 30, 9, 0, 1, 1, 0, 0x02]])
        sensor.handle(.written(nil))
        #expect(sensor.writes.last == [4, 0])
        sensor.handle(.written(nil))
        sensor.handle(.read(.success(right + [1, 0, 0])))
        #expect(sensor.outcome == .set)
    }

    @Test func theFractionOfCurrentTimeIsKept() {
        var sensor = ClockSensor(currentTime)
        sensor.show(anHourBehind + [1, 0, 0])
        sensor.now += 250
        sensor.handle(.hostClock(isSynchronised: true))
        #expect(sensor.writes.first?.suffix(3) == [1, 64, 2])
    }

    @Test func aSensorThatIgnoresAFieldOfCurrentTimeHasTakenTheRest() {
        var sensor = ClockSensor(currentTime)
        sensor.show(anHourBehind + [1, 0, 0])
        sensor.handle(.hostClock(isSynchronised: true))
        sensor.handle(.written(refusal))
        sensor.handle(.read(.success(right + [1, 0, 0])))
        #expect(sensor.outcome == .set)
    }

    @Test func fractionsOfSecondsCount() {
        var ahead = ClockSensor(currentTime)
        ahead.show([0xEA, 0x07, 11, 30, 9, 0, 6, 1, 128, 0])
        #expect(ahead.actions.last == .askHostClock)
        var behind = ClockSensor(currentTime)
        behind.now = 700
        behind.show([0xEA, 0x07, 11, 30, 8, 59, 56, 1, 0, 0])
        #expect(behind.actions.last == .askHostClock)
    }

    @Test(
        "I4: Local Time Information tells the zone and its daylight saving apart",
        arguments: [
            (3_600, 0, [4, 0]), (7_200, 3_600, [4, 4]), (-12_600, 0, [0xF2, 0]),
            (-9_000, 3_600, [0xF2, 4]), (39_600, 1_800, [42, 2]), (7_200, 7_200, [0, 8]),
            (20_700, 0, [23, 0]), (-43_200, 0, [0xD0, 0]), (50_400, 0, [56, 0]),
            // Without a number in the format: what the clocks show is right all the same.
            (0, -3_600, [0, 0]), (1_200, 1_200, [1, 0]),
        ] as [(Int, Int, [UInt8])])
    func localTimeInformationIsTruthful(offset: Int, saving: Int, octets: [UInt8]) {
        let time = CivilTime(secondsSince1970: 0)
        #expect(LocalTime(time, offset: offset, daylightSaving: saving).information == octets)
    }

    @Test func everyDayOfTheWeekIsRight() {
        for day in 0..<14 {
            var sensor = ClockSensor(currentTime, .set)
            sensor.now = Int64(day) * 86_400_000
            sensor.show(right + [1, 0, 0])
            sensor.handle(.hostClock(isSynchronised: true))
            #expect(sensor.writes.first?[7] == UInt8(day % 7 + 1))
        }
    }
}
