import DaemonHarness
import Testing

@Suite struct FramingTests {
    @Test func pipelinedRequestsAreAnsweredInTheirOrder() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send((1...200).map { "@\($0) ping\n" }.joined())
        for tag in 1...200 { #expect(try client.reply().end == "OK @\(tag)") }
    }

    @Test func aRequestMayComeOctetByOctet() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        for octet in "@slow samples spo2 limit=1\n".utf8 { try client.send([octet]) }
        #expect(try client.reply().end == "OK @slow n=0 more=0")
    }

    @Test func aLineMayEndInCRLF() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("@1 ping\r\n@2 samples spo2 limit=1\r\n")
        #expect(try client.reply().end == "OK @1")
        #expect(try client.reply().end == "OK @2 n=0 more=0")
    }

    @Test func blankLinesAndRemarksAreNotAnswered() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("\n\r\n   \n# a remark\n  # another\n@1 ping\n")
        #expect(try client.line() == "OK @1")
    }

    @Test func aLineOf8192OctetsIsRead() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let line = "@1 ping" + String(repeating: " ", count: 8192 - 7)
        #expect(try client.request(line).end == "OK @1")
    }

    @Test(arguments: [8193, 65_536, 65_537, 1_048_576])
    func aLongerLineIsRefusedOnceAndTheConnectionLives(length: Int) throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("@1 ping" + String(repeating: " ", count: length - 7) + "\n@2 ping\n")
        #expect(try client.reply().end.hasPrefix("ERR 413 line-too-long : "))
        #expect(try client.reply().end == "OK @2")
    }

    @Test(arguments: [
        Array("pi\0ng".utf8), Array("\0".utf8), [0x70, 0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80],
        Array("samples\tspo2".utf8), [0xFE], [0x1B, 0x5B, 0x41], [0x7F],
    ])
    func whatIsNoTextIsRefusedAndTheConnectionLives(octets: [UInt8]) throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send(octets + Array("\n".utf8))
        #expect(try client.reply().failure == "400 syntax")
        #expect(try client.request("ping").end == "OK")
    }

    @Test func everyOctetOnALineOfItsOwnIsAnsweredOrIgnored() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        for octet in UInt8.min...UInt8.max where octet != UInt8(ascii: "\n") {
            try client.send([octet, UInt8(ascii: "\n")])
        }
        client.endInput()
        let isIgnored = 3  // blank, CR and #
        let replies = try client.linesToTheEnd()
        #expect(replies.count == 255 - isIgnored)
        #expect(replies.allSatisfy { $0.hasPrefix("ERR 400 ") })
    }

    @Test func whatIsAskedBeforeTheInputEndsIsAnswered() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 900))
        let client = try daemon.connect()
        try client.send("@1 samples spo2\n@2 samples hr\n@3 ping")
        client.endInput()
        #expect(try client.reply().end == "OK @1 n=900 more=0")
        #expect(try client.reply().end == "OK @2 n=900 more=0")
        #expect(try client.reply().end == "OK @3")
        #expect(try client.line() == nil)
    }

    @Test func aHalfSentRequestDisturbsNobody() throws {
        let daemon = try DaemonUnderTest()
        let half = try daemon.connect()
        try half.send("samples sp")
        #expect(try daemon.request("ping").end == "OK")
        half.hangUp()
        #expect(try daemon.request("ping").end == "OK")
    }
}
