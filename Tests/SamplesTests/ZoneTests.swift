import Foundation
import Measurements
import Testing

@testable import Samples

/// Zones with half hours, jumps over midnight, a lost day, and winter time as the exception.
let difficultZones = [
    "Europe/Berlin", "Europe/Amsterdam", "America/New_York", "America/Santiago",
    "America/St_Johns", "Africa/Cairo", "Africa/Casablanca", "Asia/Kathmandu", "Asia/Tokyo",
    "Australia/Lord_Howe", "Pacific/Apia",
]

/// 2000-01-01 to 2038-01-01, in seconds since 1970.
let testedSeconds = 946_684_800..<2_145_916_800

/// 2000-01-01 to 2025-01-01: Foundation brings zone data of its own, older or newer than the installed
/// tzdata, so that they need agree only about what is past.
let settledSeconds = 946_684_800..<1_735_689_600

@Suite struct ZoneTests {
    @Test(arguments: difficultZones)
    func offsetsOfEveryHourFrom2000To2024AgreeWithFoundation(name: String) throws {
        let zone = try #require(Zone(named: name))
        let other = try #require(TimeZone(identifier: name))
        let seconds = stride(
            from: settledSeconds.lowerBound, to: settledSeconds.upperBound, by: 3600)
        let wrong = seconds.filter { second in
            let date = Date(timeIntervalSince1970: Double(second))
            return zone.offset(at: Instant(milliseconds: Int64(second) * 1000))
                != other.secondsFromGMT(for: date)
        }
        #expect(wrong == [])
    }

    @Test func utcHasNoOffsetAndEveryCivilTimeOnce() throws {
        let civil = try #require(CivilTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
        let instant = Instant(milliseconds: civil.secondsSince1970 * 1000)
        #expect(Zone.utc.offset(at: instant) == 0)
        #expect(Zone.utc.resolve(civil) == .unique(instant))
        #expect(Zone(named: "UTC") == Zone.utc)
    }

    @Test(arguments: [
        ("Europe/Berlin", 0, 3_600), ("America/St_Johns", 0, 3_600), ("Asia/Tokyo", 0, 0),
        ("Australia/Lord_Howe", 1_800, 0), ("America/Santiago", 3_600, 0),
        ("Antarctica/Troll", 0, 7_200), ("UTC", 0, 0),
    ])
    func daylightSavingIsToldApart(name: String, january: Int, july: Int) throws {
        let zone = try #require(Zone(named: name))
        let days = [(month: 1, saving: january), (month: 7, saving: july)]
        for year in [2010, 2020, 2026, 2037] {
            for (month, saving) in days {
                let civil = try #require(
                    CivilTime(year: year, month: month, day: 10, hour: 12, minute: 0))
                let instant = Instant(milliseconds: civil.secondsSince1970 * 1000)
                #expect(zone.daylightSaving(at: instant) == saving, "\(year)-\(month)")
            }
        }
    }

    @Test func aNameIsAHashableIdentity() throws {
        let berlin = try #require(Zone(named: "Europe/Berlin"))
        #expect(Zone(named: "Europe/Berlin") == berlin)
        #expect(Zone(named: "Europe/Paris") != berlin)
        #expect(berlin.name == "Europe/Berlin")
    }

    @Test func civilTimeIsCutToWholeSecondsAlsoBefore1970() {
        let civil = Zone.utc.civilTime(at: Instant(milliseconds: -1))
        #expect(civil == CivilTime(secondsSince1970: -1))
    }

    @Test func anOffsetOfHalfAnHourIsKept() throws {
        let zone = try #require(Zone(named: "America/St_Johns"))
        #expect(zone.offset(at: Instant(milliseconds: 1_768_478_400_000)) == -12_600)
    }

    @Test func aYearBeyondTheDataFollowsTheRules() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let summer = try #require(CivilTime(year: 9998, month: 7, day: 1, hour: 12))
        let winter = try #require(CivilTime(year: 9998, month: 1, day: 1, hour: 12))
        #expect(zone.offset(at: zone.instant(of: summer)) == 7200)
        #expect(zone.offset(at: zone.instant(of: winter)) == 3600)
    }

    @Test(arguments: difficultZones, [-9999, -1, 0, 1, 1582, 9998, 9999])
    func civilTimesOfAnyYearGiveInstantsInRange(name: String, year: Int) throws {
        let zone = try #require(Zone(named: name))
        for (month, day, hour) in [(1, 1, 0), (7, 1, 12), (12, 31, 23)] {
            let civil = try #require(CivilTime(year: year, month: month, day: day, hour: hour))
            #expect(Instant.range.contains(zone.instant(of: civil)))
        }
    }

    @Test(arguments: difficultZones, [Int64.min, Int64.min + 1, -1, 0, Int64.max])
    func instantsOutsideTheRangeAreReadAsItsEnds(name: String, milliseconds: Int64) throws {
        let zone = try #require(Zone(named: name))
        let civil = zone.civilTime(at: Instant(milliseconds: milliseconds))
        #expect((0...9999).contains(civil.year))
        #expect(
            zone.day(containing: Instant(milliseconds: milliseconds)).start
                <= Instant.range.upperBound)
    }
}
