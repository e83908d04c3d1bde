import DaemonHarness
import Foundation
import Testing

/// `healthctl simulate`, by itself and into a daemon.
@Suite struct ClientSimulateTests {
    private func simulate(_ words: String...) throws -> ChildProcess {
        try ChildProcess([BuiltProgram.healthctl.path, "simulate"] + words)
    }

    @Test(arguments: ["oximeter", "thermometer", "strap"])
    func whatItWritesIsTakenInCompletely(sensor: String) throws {
        let process = try simulate(sensor, "--fast", "-n", "60")
        #expect(try process.wait() == .exit(0))
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay(process.output)
        // A connect and three reads are no readings; the battery's level is one.
        #expect(reply.count("stored") == 56)
        #expect(reply.count("skipped") == 0)
    }

    @Test func itWritesAsTimePassesUntilItIsStopped() throws {
        let process = try simulate("oximeter")
        // The link is up, and what is read of it comes within the first second.
        try waitUntil { process.output.contains("\"event\":\"notify\"") }
        process.send(SIGINT)
        #expect(try process.wait() == .exit(130))
        #expect(process.output.hasSuffix("}\n"))
    }

    @Test(arguments: [
        (["submarine"], "there is no sensor `submarine`: oximeter, thermometer, strap"),
        (["--fault", "drops,rust"], "there is no `rust`: no-finger"),
    ])
    func whatThereIsNotIsNamed(words: [String], sentence: String) throws {
        let process = try ChildProcess([BuiltProgram.healthctl.path, "simulate"] + words)
        #expect(try process.wait() == .exit(2))
        #expect(process.errors.contains(sentence))
        #expect(process.output.isEmpty)
    }
}
