import DaemonHarness
import Foundation
import Testing

@Suite struct LifeCycleTests {
    @Test func READYIsSentOnlyWhenTheSocketAnswers() throws {
        let directory = try ScratchDirectory()
        let manager = try NotifySocket(in: directory)
        let process = try DaemonUnderTest.process(
            in: directory, environment: ["NOTIFY_SOCKET": manager.path])
        #expect(try manager.next(from: process) == "READY=1")
        let client = try LineClient(path: directory.path("s"), keeping: process)
        #expect(try client.request("ping").end == "OK")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsItInOrder(signal: Int32) throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let following = try daemon.connect()
        try following.send("@5 follow heartbeat=3600\n")
        #expect(try following.line()?.hasPrefix("# hb ") == true)
        daemon.process.send(signal)
        #expect(try daemon.nextNotification() == "STOPPING=1")
        #expect(try following.line()?.hasPrefix("ERR 503 shutting-down @5 : ") == true)
        #expect(try daemon.process.wait() == .exit(0))
        #expect(try client.line() == nil)
        #expect(!daemon.directory.holds("s"))
        // The log of the store is written back: nothing is left to repair.
        #expect(try daemon.directory.names(in: "state") == ["healthd.db", "lock"])
    }

    @Test func SIGHUPDoesNotEndIt() throws {
        let daemon = try DaemonUnderTest()
        daemon.process.send(SIGHUP)
        try waitUntil { daemon.process.errors.contains("the configuration was read again") }
        #expect(try daemon.request("ping").end == "OK")
    }

    @Test func itEndsWhileClientsAreBusy() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 1000))
        let reading = try daemon.connect()
        try reading.send(String(repeating: "samples spo2 hr\n", count: 20))
        let replaying = try daemon.connect()
        try replaying.send("replay\n")
        #expect(try replaying.line() == "# send")
        #expect(try daemon.stop() == .exit(0))
    }

    @Test func readingsAndEpochSurviveARestart() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let question = "samples spo2 hr temp quality=all modality=all"
        let before = try daemon.request(question)
        let cursor = try #require(try daemon.request("samples spo2 limit=1")["next"])
        let greeting = try daemon.connect().greeting
        try daemon.stop()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request(question).data == before.data)
        #expect(try next.connect().greeting == greeting)
        #expect(try next.request("samples spo2 after=\(cursor)")["n"] == "2")
        #expect(try next.replay(QueryData.recording).count("duplicate") == 9)
    }

    @Test func twoStoresHaveTwoEpochs() throws {
        let first = Greeting(try DaemonUnderTest().connect().greeting)
        let second = Greeting(try DaemonUnderTest().connect().greeting)
        #expect(first.epoch != second.epoch)
    }
}
