import Testing

@testable import Samples

@Suite struct ZoneNameTests {
    @Test(arguments: [
        "", "../../etc/passwd", "/etc/passwd", "/usr/share/zoneinfo/Europe/Berlin", "Europe",
        "Europe/", "/Europe/Berlin", "Europe//Berlin", "Europe/Berlin/", "Europe/./Berlin",
        "./UTC", "europe/berlin", "Mars/Olympus", "UTC\0", "Europe/Berlin\0x", "\0", "zone.tab",
        "tzdata.zi", "leapseconds", "file:Europe/Berlin", "libc:localtime", ":Europe/Berlin",
        "Fixed/UTC+01:00:00", "CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin ", "Európe/Berlin",
        String(repeating: "A", count: 65), String(repeating: "A/", count: 100_000),
    ])
    func whatIsNoNameOfADatabaseFileIsNoZone(name: String) {
        #expect(Zone(named: name) == nil)
    }

    @Test(arguments: ["Etc/GMT+5", "America/Port-au-Prince", "America/Argentina/Buenos_Aires"])
    func everyCharacterOfTheDatabasesNamesIsTaken(name: String) {
        #expect(Zone(named: name)?.name == name)
    }

    @Test(arguments: [nil, "", "/somewhere/else", "/usr/share/zoneinfo/No/Such", "zoneinfo"])
    func aHostWithoutANameHasAZoneAllTheSame(link: String?) throws {
        let name = try #require(Zone.hostName(environment: nil, localtimeLink: link))
        #expect(["localtime", "UTC"].contains(name))
        #expect(Zone(named: name) != nil)
    }
}
