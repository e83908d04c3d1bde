import DaemonHarness
import Testing

@Suite struct VerbTests {
    @Test(arguments: [
        "help", "hello", "ping", "types", "devices", "status", "latest", "samples spo2", "quit",
    ])
    func everyVerbEndsInOKWithItsTag(request: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 2))
        let client = try daemon.connect()
        let reply = try client.request("@tag-1 \(request)")
        #expect(reply.end == "OK @tag-1" || reply.end.hasPrefix("OK @tag-1 "))
    }

    @Test func aFailureEchoesTheTagToo() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.request("@7 nonsense").end.hasPrefix("ERR 400 unknown-verb @7 : "))
        #expect(try daemon.request("@7 samples spo3").end.hasPrefix("ERR 404 no-such-type @7 "))
    }

    @Test(arguments: [
        ("sampels spo2", "400 unknown-verb", "did you mean samples?"),
        ("samples spo", "404 no-such-type", "did you mean spo2?"),
        ("samples spo2 limt=3", "400 unknown-key", "did you mean limit?"),
        ("samples spo2 quality=okk", "400 bad-value", "did you mean ok?"),
        ("samples spo2 device=Nonin323", "404 no-such-device", "did you mean Nonin3230?"),
        ("samples spo2 subject=mee", "404 no-such-subject", "did you mean me?"),
    ])
    func whatIsNotKnownGetsTheNearestMatch(
        request: String, failure: String, advice: String
    ) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(
            #"{"at":"2026-11-23T21:00:00Z","event":"connect","#
                + #""device":"00:1C:05:01:02:03","name":"Nonin3230"}"# + "\n"
                + RecordingText.oximeter(seconds: 1))
        let reply = try daemon.request(request)
        #expect(reply.failure == failure)
        #expect(reply.text.hasSuffix(advice))
        #expect(reply.lines.isEmpty)
    }

    @Test(arguments: [
        ("samples", "400 syntax"), ("ping now", "400 syntax"), ("limit=3", "400 syntax"),
        ("samples \"spo2", "400 syntax"), ("samples spo2 limit=3 limit=4", "400 bad-value"),
        ("samples spo2 limit=0", "400 bad-value"), ("samples spo2 limit=-1", "400 bad-value"),
        ("samples spo2 limit=99999999999999999999", "400 bad-value"),
        ("samples spo2 order=up", "400 bad-value"), ("samples spo2 sort=value", "400 bad-value"),
        ("samples spo2 match=all", "400 bad-value"), ("samples spo2 format=csv", "400 bad-value"),
        ("samples spo2 source=bluez", "400 bad-value"), ("samples spo2 where=90", "400 bad-value"),
        ("samples spo2 modality=", "400 bad-value"), ("samples spo2 after=1", "400 bad-value"),
        ("samples spo2 tz=Berlin", "400 bad-value"), ("samples spo2 start=soon", "400 bad-time"),
        ("samples spo2 end=2026-02-30", "400 bad-time"), ("latest max-age=long", "400 bad-time"),
        ("samples spo2 unit=Cel", "422 unit"), ("samples temp unit=%", "422 unit"),
        ("samples spo2 start=tomorrow end=today", "422 range"),
        ("replay dry-run=perhaps", "400 bad-value"), ("replay subject=\"\"", "400 bad-value"),
    ])
    func aWrongValueIsNeverTakenForAnother(request: String, failure: String) throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        #expect(try client.request(request).failure == failure)
        #expect(try client.request("ping").end == "OK")
    }

    @Test func aFailedUnitNamesThoseThatAreAllowed() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.request("samples temp unit=ms")["allowed"] == "Cel,[degF],K")
    }

    @Test func quitFinishesWhatWasAskedAndCloses() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("@1 types\n@2 ping\n@3 quit\n@4 ping\n")
        let ends = try client.linesToTheEnd().filter { $0.hasPrefix("OK") }
        #expect(ends == ["OK @1 n=7", "OK @2", "OK @3"])
    }

    @Test func helpShowsEveryVerb() throws {
        let daemon = try DaemonUnderTest()
        let help = try daemon.request("help")
        #expect(help.data.isEmpty)
        for verb in ["types", "devices", "status", "latest", "samples", "replay", "quit"] {
            #expect(help.lines.contains { $0 == "# \(verb)" || $0.hasPrefix("# \(verb) ") })
        }
    }

    @Test func noDataIsNoFailure() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.request("samples spo2").end == "OK n=0 more=0")
        #expect(try daemon.request("latest").end == "OK n=0")
        #expect(try daemon.request("devices").end == "OK n=0")
    }
}
