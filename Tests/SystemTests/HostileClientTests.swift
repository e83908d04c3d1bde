import DaemonHarness
import Testing

@Suite struct HostileClientTests {
    @Test func aClientThatNeverReadsHoldsNobodyUp() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 2000))
        let silent = try (0..<8).map { _ in try daemon.connect() }
        for client in silent {
            try client.send(String(repeating: "samples spo2 hr\n", count: 50))
        }
        #expect(try daemon.request("samples spo2")["n"] == "2000")
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 10)).count("duplicate") == 10)
        let memory = try daemon.residentMemory
        #expect(try daemon.request("samples hr")["n"] == "2000")
        #expect(try daemon.residentMemory < memory + 8192)
        #expect(try silent[0].reply()["n"] == "4000")
    }

    @Test func onlySoManyConnectionsOfOneUserAreServed() throws {
        let daemon = try DaemonUnderTest()
        let clients = try (0..<200).map { _ in try daemon.connect() }
        let served = clients.filter { $0.greeting.hasPrefix("HEALTHD ") }
        let refused = clients.filter { $0.greeting.hasPrefix("ERR 429 too-many-connections : ") }
        #expect(served.count == 96)
        #expect(refused.count == 104)
        for client in refused { #expect(try client.line() == nil) }
        for client in served { #expect(try client.request("ping").end == "OK") }
        clients.forEach { $0.hangUp() }
        try waitUntil { try daemon.connect().greeting.hasPrefix("HEALTHD ") }
        for _ in 0..<96 { #expect(try daemon.request("ping").end == "OK") }
    }

    @Test func clientsThatVanishInTheMiddleLeaveNothingBehind() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 500))
        try vanish(100, daemon)  // what is allocated once
        let memory = try daemon.residentMemory
        let descriptors = try daemon.openDescriptors
        try vanish(1000, daemon)
        try waitUntil { try daemon.openDescriptors <= descriptors }
        #expect(try daemon.residentMemory < memory + 8192)
        #expect(try daemon.request("samples spo2")["n"] == "500")
    }

    /// Asks for more than a socket holds, takes a line of it, and goes away.
    private func vanish(_ count: Int, _ daemon: DaemonUnderTest) throws {
        for number in 0..<count {
            let client = try daemon.connect()
            try client.send("samples spo2 hr\n")
            if number % 2 == 0 { _ = try client.line() }
            client.hangUp()
        }
    }

    @Test func noiseEndsNothing() throws {
        let daemon = try DaemonUnderTest()
        for (seed, beginning) in [(1, ""), (2, "replay\n"), (3, "replay dry-run=yes\n")] {
            let client = try daemon.connect()
            try client.send(beginning)
            var state = UInt64(seed)
            let noise = (0..<60_000).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            let reading = try daemon.connect()
            try client.send(noise)
            client.endInput()
            #expect(try client.linesToTheEnd().last?.hasPrefix("ERR 4") == true)
            #expect(try reading.request("ping").end == "OK")
        }
    }

    @Test func linesOfAMegabyteDoNotMakeItGrow() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let line = String(repeating: "x", count: 1_048_576) + "\n"
        #expect(try client.request(line + "ping").failure == "413 line-too-long")
        #expect(try client.reply().end == "OK")
        let memory = try daemon.residentMemory
        for _ in 0..<20 {
            try client.send(line)
            #expect(try client.reply().failure == "413 line-too-long")
        }
        #expect(try daemon.residentMemory < memory + 4096)
    }

    @Test func anEndlessLineDoesNotMakeItGrow() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1_048_576)
        try client.send(piece)
        #expect(try client.reply().failure == "413 line-too-long")
        let memory = try daemon.residentMemory
        for _ in 0..<20 { try client.send(piece) }
        try client.send("\n@1 ping\n")
        #expect(try client.line() == "OK @1")
        #expect(try daemon.residentMemory < memory + 4096)
    }

    @Test func thousandsOfRequestsAheadDoNotMakeItGrow() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let memory = try daemon.residentMemory
        for _ in 0..<20 {
            try client.send(String(repeating: "ping\n", count: 1000))
            for _ in 0..<1000 { try #require(try client.line() == "OK") }
        }
        #expect(try daemon.residentMemory < memory + 4096)
    }
}
