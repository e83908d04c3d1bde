import DaemonHarness
import Testing

@Suite struct AssignTests {
    private func subjects(_ daemon: DaemonUnderTest) throws -> [String] {
        try daemon.request("samples spo2 format=tsv").column("subject")
    }

    @Test func readingsOfASpanBecomeSomebodys() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 4))
        let reply = try daemon.request(
            "assign device=\(RecordingText.device) subject=\"Ann B\" start=@1700000001 "
                + "end=@1700000003")
        #expect(reply.end == "OK seq=5")
        #expect(try subjects(daemon) == ["me", "Ann B", "Ann B", "me"])
        #expect(try daemon.request("samples spo2 subject=\"Ann B\"")["n"] == "2")
    }

    @Test func theSameAgainIsNoNews() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 1))
        let request = "assign device=\(RecordingText.device) subject=ann"
        #expect(try daemon.request(request).end == "OK seq=2")
        #expect(try daemon.request(request).end == "OK seq=2")
        #expect(try daemon.request("changes since=\(daemon.epoch):2")["n"] == "0")
    }

    @Test func anAssignmentThatWasConfirmedOutlivesACrash() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 2))
        #expect(try daemon.request("assign device=\(RecordingText.device) subject=ann").isOK)
        daemon.crash()
        #expect(try subjects(try DaemonUnderTest(in: daemon.directory)) == ["ann", "ann"])
    }

    @Test(arguments: [
        ("assign subject=ann", "400 syntax"),
        ("assign device=00:1C:05:01:02:03", "400 syntax"),
        ("assign device=nobody subject=ann", "404 no-such-device"),
        ("assign device=00:1C:05:01:02:03 subject=\"\"", "400 bad-value"),
        ("assign device=00:1C:05:01:02:03 subject=ann start=sometime", "400 bad-time"),
        ("assign device=00:1C:05:01:02:03 subject=ann start=@2 end=@1", "422 range"),
        ("assign device=00:1C:05:01:02:03 subject=ann limit=1", "400 unknown-key"),
    ])
    func aRequestThatIsWrongChangesNothing(request: String, failure: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 1))
        #expect(try daemon.request(request).failure == failure)
        #expect(try subjects(daemon) == ["me"])
    }
}
