import DaemonHarness
import Foundation
import Testing

@Suite struct ExplainTests {
    private func explained(_ id: String, _ daemon: DaemonUnderTest) throws -> [String: Any] {
        let reply = try daemon.request("explain \(id)")
        try #require(reply.isOK && reply.data.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(reply.data[0].utf8))
        return try #require(object as? [String: Any])
    }

    @Test func aPacketIsToldFromItsOctetsToItsSamples() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let packet = try explained("5", daemon)
        #expect(packet["class"] as? String == "explain")
        #expect(packet["octets"] as? String == "0165004b0061004c00")
        #expect(packet["characteristic"] as? String == "2a5f")
        #expect(packet["received"] as? String == QueryData.time(4))
        #expect(packet["stamp"] is NSNull)
        #expect(packet["ordinal"] as? Int == 0)
        let decoded = try #require(packet["decoded"] as? [String: Any])
        #expect(decoded["spo2"] as? String == "101")
        let samples = try #require(packet["samples"] as? [[String: Any]])
        #expect(samples.compactMap { $0["id"] as? String } == ["5.0", "5.1", "5.2", "5.3"])
        let why = try #require(packet["why"] as? [String])
        #expect(why.count == 5)
        #expect(why[1].contains("outOfRange"))
    }

    @Test func aSampleIsToldAlone() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let packet = try explained("5.2", daemon)
        let samples = try #require(packet["samples"] as? [[String: Any]])
        #expect(samples.compactMap { $0["id"] as? String } == ["5.2"])
    }

    @Test func itsSamplesAreThoseOfTheAnswers() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let all = try daemon.request("samples spo2 hr temp quality=all modality=all").data
        let explained = try (1...9).map { try daemon.request("explain \($0)").data[0] }
        for line in all {
            #expect(explained.contains { $0.contains(line) })
        }
    }

    @Test func theOctetsDecodeAsTheCommandLineDecodesThem() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let line = try daemon.request("explain 2").data[0]
        let decoding = try daemon.healthctl(["decode", "2a5f", "00c2f34900", "-o", "json"])
        let decoded = decoding.output.trimmingCharacters(in: .newlines)
        #expect(!decoded.isEmpty)
        #expect(line.contains(#""decoded":"# + decoded))
    }

    @Test(arguments: [
        ("explain 1000.0", "404 no-such-sample"), ("explain spo2", "400 bad-value"),
        ("explain", "400 syntax"), ("explain 1 2", "400 syntax"), ("explain 0", "400 bad-value"),
        ("explain 1.x", "400 bad-value"), ("explain 1.99", "404 no-such-sample"),
    ])
    func whatIsNotThereIsNotExplained(request: String, failure: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        #expect(try daemon.request(request).failure == failure)
    }
}
