import DaemonHarness
import Foundation
import Testing

@Suite struct Hostile2Tests {
    /// Requests of others that must go on whatever somebody does.
    private func othersAreServed(_ daemon: DaemonUnderTest, turn: Int) throws {
        let recording = RecordingText.oximeter(seconds: 20, from: 1_700_000_000 + turn * 100)
        #expect(try daemon.replay(recording).count("stored") == 20)
        #expect(try daemon.request("latest spo2").data.count == 1)
    }

    @Test func ninetyClientsThatSendAnOctetAtATimeHoldNobodyUp() throws {
        let daemon = try DaemonUnderTest()
        let slow = try (0..<90).map { _ in try daemon.connect() }
        let request = Array("samples spo2 limit=1 order=desc\n".utf8)
        for (place, octet) in request.enumerated() {
            for client in slow { try client.send([octet]) }
            if place % 4 == 0 { try othersAreServed(daemon, turn: place) }
        }
        for client in slow { #expect(try client.reply()["n"] == "1") }
    }

    @Test func slowRecordingsHoldNoOtherUp() throws {
        let daemon = try DaemonUnderTest()
        let slow = try (0..<7).map { _ in try daemon.connect() }
        for client in slow { try client.send("replay\n") }
        for (place, octet) in "{\"at\":\"2026-11-29T22:00:00Z\",".utf8.enumerated() {
            for client in slow { try client.send([octet]) }
            if place % 4 == 0 { try othersAreServed(daemon, turn: place) }
        }
        for client in slow {
            try client.send("\n.\n")
            #expect(try client.reply().count("skipped") == 1)
        }
    }

    @Test func tenThousandConnectionsInARowLeaveNothingBehind() throws {
        let daemon = try DaemonUnderTest()
        for _ in 0..<200 { try daemon.connect().hangUp() }
        let memory = try daemon.residentMemory
        let descriptors = try daemon.openDescriptors
        for number in 0..<10_000 {
            let client = try LineClient(path: daemon.socket, greeted: number % 3 == 0)
            // Whoever is one too many at that moment has been hung up on.
            if number % 5 == 0 { try? client.send("pi") }
            client.hangUp()
        }
        try waitUntil { try daemon.openDescriptors <= descriptors }
        #expect(try daemon.residentMemory < memory + 4096)
        try othersAreServed(daemon, turn: 0)
    }

    @Test(.enabled(if: AccessPeer.isPermitted, "only root can be somebody else"))
    func aHundredAndTwentyEightAreServedAndNoMore() throws {
        let daemon = try DaemonUnderTest()
        let mine = try (0..<96).map { _ in try daemon.connect() }
        #expect(mine.allSatisfy { $0.greeting.hasPrefix("HEALTHD ") })
        #expect(try daemon.connect().greeting.hasPrefix("ERR 429 "))
        let others = try (0..<32).map { _ in try AccessPeer(daemon) }
        for other in others { #expect(try other.line().hasPrefix("HEALTHD ")) }
        let late = try AccessPeer(daemon)
        #expect(try late.line().hasPrefix("ERR 429 too-many-connections : "))
        for client in mine { #expect(try client.request("ping").isOK) }
        for other in others { #expect(try other.request("ping").isOK) }
        mine[0].hangUp()
        try waitUntil { try daemon.connect().greeting.hasPrefix("HEALTHD ") }
    }

    @Test func noiseOnManyConnectionsEndsNothing() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.socket
        let descriptors = try daemon.openDescriptors
        let noise = FollowThreads()
        let beginnings = [
            "", "replay\n", "follow since=start\n", "record\n", "samples spo2\n", "delete ",
            "explain ", "assign ",
        ]
        for beginning in beginnings {
            noise.begin {
                for _ in 0..<10 {
                    let client = try LineClient(path: path)
                    var octets = Array(beginning.utf8)
                    octets += (0..<20_000).map { _ in UInt8.random(in: 0...255) }
                    try? client.send(octets)
                    client.hangUp()
                }
            }
        }
        var turn = 0
        while noise.isRunning || turn < 3 {
            try othersAreServed(daemon, turn: turn)
            turn += 1
        }
        try noise.finish()
        try waitUntil { try daemon.openDescriptors <= descriptors }
        #expect(try daemon.request("ping").isOK)
        #expect(try daemon.residentMemory < 64 * 1024)
    }

    @Test func aThousandFollowersThatVanishLeaveNothingBehind() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 500))
        try vanish(100, daemon)
        let memory = try daemon.residentMemory
        let descriptors = try daemon.openDescriptors
        try vanish(1000, daemon)
        try waitUntil { try daemon.openDescriptors <= descriptors }
        #expect(try daemon.residentMemory < memory + 4096)
        try othersAreServed(daemon, turn: 1000)
    }

    private func vanish(_ count: Int, _ daemon: DaemonUnderTest) throws {
        let requests = ["follow\n", "follow since=start\n", "record since=start\n"]
        for number in 0..<count {
            let client = try daemon.connect()
            try client.send(requests[number % 3])
            if number % 2 == 0 { _ = try client.line() }
            client.hangUp()
        }
    }

    @Test func linesOfAMegabyteOnManyConnectionsDoNotMakeItGrow() throws {
        let daemon = try DaemonUnderTest()
        let line = String(repeating: "x", count: 1_048_576) + "\n"
        let clients = try (0..<8).map { _ in try daemon.connect() }
        for client in clients {
            try client.send(line)
            #expect(try client.reply().failure == "413 line-too-long")
        }
        let memory = try daemon.residentMemory
        for client in clients {
            try client.send("follow\n")
            _ = try client.line()
            try client.send(line + "ping\n")
            #expect(try client.reply().isOK)
            #expect(try client.reply().failure == "413 line-too-long")
            #expect(try client.reply().isOK)
        }
        #expect(try daemon.residentMemory < memory + 4096)
    }
}
