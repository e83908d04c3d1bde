import DaemonHarness
import Testing

@Suite struct GeneratorTests {
    private func generated(_ arguments: [String]) throws -> String {
        let generator = try ChildProcess([BuiltProgram.generator.path] + arguments)
        try #require(try generator.wait() == .exit(0), "\(generator.errors)")
        return generator.output
    }

    @Test(arguments: ["oximeter", "thermometer", "strap"])
    func theSameSeedGivesTheSameRecording(kind: String) throws {
        let arguments = [kind, "--seed", "7", "--lines", "2000"]
        #expect(try generated(arguments) == generated(arguments))
    }

    @Test func anotherSeedGivesAnotherRecording() throws {
        #expect(try generated(["--seed", "1"]) != generated(["--seed", "2"]))
    }

    @Test(arguments: ["oximeter", "thermometer", "strap"])
    func aGeneratedHourIsStoredCompletely(kind: String) throws {
        let recording = try generated([kind, "--hours", "1"])
        let packets = recording.split(separator: "\n").filter { line in
            ["2a5f", "2a5e", "2a1c", "2a1e", "2a37", "2a19"].contains { characteristic in
                line.contains("\"characteristic\":\"\(characteristic)\"")
            }
        }
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay(recording)
        #expect(reply.isOK)
        #expect(packets.count > 10)
        #expect(reply.count("readings") == packets.count)
        #expect(reply.count("stored") == packets.count)
        #expect(reply.count("skipped") == 0)
        #expect(reply.count("undecodable") == 0)
    }
}
