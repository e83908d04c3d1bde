import Measurements
import Samples
import Testing

/// In which zone a device's stamp is read, and what becomes of hours that come twice or never.
@Suite struct StampZoneTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript()
    }

    @Test(arguments: [
        ("2026-10-25T00:31:00Z", "2026-10-25T00:30:00Z"),
        ("2026-10-25T01:31:00Z", "2026-10-25T01:30:00Z"),
        ("2026-10-25T01:01:00Z", "2026-10-25T01:30:00Z"),
        ("2026-10-25T01:00:00Z", "2026-10-25T00:30:00Z"),
        ("2026-10-26T09:00:00Z", "2026-10-25T01:30:00Z"),
    ])
    mutating func ofARepeatedHourTheOneNearerToReceptionCounts(
        reception: String, start: String
    ) throws {
        script.now = try utc(reception)
        let reading = try script.temperature(stamp: dateTime(2026, 10, 25, 2, 30))
        #expect(reading.start == (try utc(start)))
        #expect(reading.flags.isAmbiguous)
        #expect(reading.flags.timeQuality == .unverified)
    }

    @Test mutating func aSkippedHourMovesForward() throws {
        script.now = try utc("2026-03-29T01:31:00Z")
        let reading = try script.temperature(stamp: dateTime(2026, 3, 29, 2, 30))
        #expect(reading.start == (try utc("2026-03-29T01:30:00Z")))
        #expect(reading.flags.isAmbiguous)
    }

    @Test(arguments: [
        (10, 25, 1, 59, 59), (10, 25, 3, 0, 0), (3, 29, 1, 59, 59), (3, 29, 3, 0, 0),
    ])
    mutating func anHourBesidesIsNotAmbiguous(
        month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) throws {
        script.now = try utc("2026-12-01T00:00:00Z")
        let reading = try script.temperature(
            stamp: dateTime(2026, month, day, hour, minute, second))
        #expect(!reading.flags.isAmbiguous)
    }

    @Test mutating func aMappedStampIsNeverAmbiguous() throws {
        script.now = try utc("2026-10-25T00:40:00Z")
        script.send(.read, .dateTime, dateTime(2026, 10, 25, 2, 40, 10))
        let reading = try script.temperature(stamp: dateTime(2026, 10, 25, 2, 30, 10))
        #expect(!reading.flags.isAmbiguous)
        #expect(reading.start == (try utc("2026-10-25T00:30:00Z")))
    }

    @Test mutating func theZoneOfAnEventComesBeforeTheHosts() throws {
        script.zone = "America/New_York"
        let there = try script.temperature(stamp: dateTime(2026, 6, 1, 8))
        script.zone = nil
        let here = try script.temperature(stamp: dateTime(2026, 6, 1, 8))
        #expect(there.start == (try utc("2026-06-01T12:00:00Z")))
        #expect(here.start == (try utc("2026-06-01T06:00:00Z")))
        #expect(there.stamp == here.stamp)
    }

    @Test(arguments: ["Europe/Nowhere", "", "../../etc/passwd", "CEST"])
    mutating func aNameThatIsNoZoneFallsBackToTheHosts(name: String) throws {
        #expect(!script.assembler.knowsZone(name))
        script.zone = name
        for _ in 1...2 {
            let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 8))
            #expect(reading.start == (try utc("2026-06-01T06:00:00Z")))
        }
    }

    @Test mutating func zonesMayChangeFromEventToEvent() throws {
        let zones = ["Asia/Tokyo", "Europe/Berlin", "UTC", "Asia/Tokyo", "Nowhere/Land"]
        var hours: [Int64] = []
        for zone in zones {
            script.zone = zone
            let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 9))
            hours.append(try #require(reading.start).milliseconds / 3_600_000 % 24)
        }
        #expect(hours == [0, 7, 9, 0, 7])
        #expect(script.assembler.knowsZone("Asia/Tokyo"))
    }

    @Test mutating func aClockReadInTheEventsZoneIsSynced() throws {
        script.zone = "Asia/Tokyo"
        script.send(.write, .dateTime, dateTime(2026, 6, 1, 21))
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 21))
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 20, 59))
        #expect(reading.flags.timeQuality == .synced)
        #expect(reading.start == (try utc("2026-06-01T11:59:00Z")))
    }
}
