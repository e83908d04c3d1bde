import DaemonHarness
import Testing

@Suite struct ReplayContractTests {
    @Test func aReplayIsSendAccountAndSeq() throws {
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay(RecordingText.oximeter(seconds: 3))
        #expect(
            reply.lines == [
                "# send",
                #"{"class":"replay","lines":3,"readings":3,"stored":3,"duplicate":0,"#
                    + #""skipped":0,"undecodable":0,"samples":6}"#,
            ])
        #expect(reply.end == "OK seq=3")
    }

    @Test func aTagIsEchoedAtTheEnd() throws {
        let client = try DaemonUnderTest().connect()
        try client.send("@r replay\n.\n")
        #expect(try client.reply().end == "OK @r seq=0")
    }

    @Test func C71_aSecondReplayIsAllDuplicates() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let before = try daemon.request("samples spo2 hr temp quality=all modality=all").data
        let reply = try daemon.replay(QueryData.recording)
        #expect(reply.count("stored") == 0)
        #expect(reply.count("duplicate") == 9)
        #expect(reply.count("samples") == 0)
        #expect(reply.end == "OK seq=9")
        #expect(
            try daemon.request("samples spo2 hr temp quality=all modality=all").data == before)
    }

    @Test func damagedLinesAreToldAndTheRestIsRead() throws {
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay(
            "not json\n" + RecordingText.oximeter(seconds: 2) + "\n{\"at\":1}\n\0\u{FFFD}")
        let damaged = reply.data.dropLast()
        let lines = damaged.map { $0.split(separator: ",")[1] }
        #expect(lines == [#""line":1"#, #""line":4"#, #""line":5"#])
        #expect(reply.count("stored") == 2)
        #expect(reply.count("skipped") == 3)
        #expect(reply.count("damaged") == 3)
        #expect(reply.count("lines") == 5)
        #expect(reply.isOK)
    }

    @Test func onlyTheFirstHundredDamagedLinesAreTold() throws {
        let daemon = try DaemonUnderTest()
        let damaged = String(repeating: "x\n", count: 250)
        let reply = try daemon.replay(damaged + RecordingText.oximeter(seconds: 1))
        #expect(reply.data.count == 101)
        #expect(reply.data[99].hasPrefix(#"{"class":"damaged","line":100,"#))
        #expect(reply.count("skipped") == 250)
        #expect(reply.count("stored") == 1)
    }

    @Test func aLineOfAMegabyteIsADamagedLine() throws {
        let daemon = try DaemonUnderTest()
        let line = String(repeating: "x", count: 1_048_576)
        let reply = try daemon.replay("\(line)\n" + RecordingText.oximeter(seconds: 1))
        #expect(reply.data.count == 2)
        #expect(reply.data[0].contains("longer than 8192 octets"))
        #expect(reply.count("stored") == 1)
    }

    @Test func theEndMayBeADotWithCRLF() throws {
        let client = try DaemonUnderTest().connect()
        let recording = RecordingText.oximeter(seconds: 2)
            .split(separator: "\n").joined(separator: "\r\n")
        try client.send("replay\r\n\(recording)\r\n.\r\nping\r\n")
        #expect(try client.reply().count("stored") == 2)
        #expect(try client.reply().end == "OK")
    }

    @Test func requestsBehindTheDotAreAnswered() throws {
        let client = try DaemonUnderTest().connect()
        try client.send(
            "replay\n" + RecordingText.oximeter(seconds: 2)
                + "\n.\n@1 samples spo2\n@2 replay\n.\n@3 ping\n")
        #expect(try client.reply().end == "OK seq=2")
        #expect(try client.reply().end == "OK @1 n=2 more=0")
        #expect(try client.reply().end == "OK @2 seq=2")
        #expect(try client.reply().end == "OK @3")
    }

    @Test func linesThatOnlyBeginWithADotAreNoEnd() throws {
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay("..\n. \n.x\n" + RecordingText.oximeter(seconds: 1))
        #expect(reply.count("skipped") == 3)
        #expect(reply.count("stored") == 1)
    }

    @Test func aRecordingMayComeInPiecesOfAnySize() throws {
        let daemon = try DaemonUnderTest()
        let octets = Array("replay\n\(RecordingText.oximeter(seconds: 4))\n.\n".utf8)
        let client = try daemon.connect()
        for octet in octets { try client.send([octet]) }
        #expect(try client.reply().count("stored") == 4)
    }

    @Test func whatCameBeforeTheInputEndedIsKept() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("@cut replay\n" + RecordingText.oximeter(seconds: 3) + "\n{\"at\"")
        client.endInput()
        let reply = try client.reply()
        #expect(reply.end.hasPrefix("ERR 400 incomplete @cut : "))
        #expect(reply.count("stored") == 3)
        #expect(try client.line() == nil)
        #expect(try daemon.request("samples spo2")["n"] == "3")
    }

    @Test func whatAClientSentThatVanishedIsKept() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("replay\n")
        #expect(try client.line() == "# send")
        try client.send(RecordingText.oximeter(seconds: 500) + "\n")
        client.hangUp()
        try waitUntil { try daemon.request("samples spo2")["n"] == "500" }
        try daemon.stop()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request("samples spo2")["n"] == "500")
    }

    @Test func anOKIsDurable() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(QueryData.recording).end == "OK seq=9")
        let before = try daemon.request("samples spo2 temp hr quality=all modality=all").data
        daemon.crash()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(
            try next.request("samples spo2 temp hr quality=all modality=all").data == before)
        #expect(try next.replay(QueryData.recording).count("duplicate") == 9)
    }
}
