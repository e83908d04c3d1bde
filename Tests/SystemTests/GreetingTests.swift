import DaemonHarness
import Testing

@Suite struct GreetingTests {
    @Test func aConnectionBeginsWithTheGreeting() throws {
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        let words = try daemon.connect().greeting.split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["HEALTHD", "1.0"])
        let keys = words.dropFirst(2).map { $0.prefix { $0 != "=" } }
        #expect(keys == ["server", "epoch", "anchor", "tz"])
        #expect(words.last == "tz=Europe/Berlin")
    }

    @Test func theAnchorIsTheEpochAndTheNewestSeq() throws {
        let daemon = try DaemonUnderTest()
        let before = Greeting(try daemon.connect().greeting)
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        let after = Greeting(try daemon.connect().greeting)
        #expect(before.anchor == before.epoch + ":0")
        #expect(after.anchor == before.epoch + ":3")
    }

    @Test func helloRepeatsTheGreeting() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let reply = try client.request("hello")
        #expect(reply.lines == [client.greeting])
        #expect(reply.end == "OK")
    }
}

/// What a greeting says of the store.
struct Greeting {
    let epoch: String
    let anchor: String

    init(_ line: String) {
        func value(_ key: String) -> String {
            line.split(separator: " ").first { $0.hasPrefix(key + "=") }
                .map { String($0.dropFirst(key.count + 1)) } ?? ""
        }
        epoch = value("epoch")
        anchor = value("anchor")
    }
}
