import DaemonHarness
import Foundation
import Testing

/// healthctl against a living daemon.
@Suite struct CommandLineClientTests {
    private func recording(_ daemon: DaemonUnderTest, _ text: String) throws -> String {
        try daemon.directory.write(text + "\n", to: "r.gattlog")
    }

    @Test func aRecordingGoesInAndItsSamplesComeOut() throws {
        let daemon = try DaemonUnderTest()
        let path = try recording(daemon, QueryData.recording)
        let replay = try daemon.healthctl(["replay", path])
        #expect(try replay.wait() == .exit(0))
        let samples = try daemon.healthctl(["samples", "spo2", "-o", "tsv"])
        #expect(try samples.wait() == .exit(0))
        #expect(
            samples.output.split(separator: "\n").map(String.init)
                == (try daemon.request("samples spo2 format=tsv").data))
    }

    @Test func jsonIsWhatTheDaemonSends() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let samples = try daemon.healthctl(["samples", "temp", "-o", "json"])
        #expect(
            samples.output.split(separator: "\n").map(String.init)
                == (try daemon.request("samples temp").data))
        #expect(!samples.output.contains("OK n="))
    }

    @Test func csvHasAHeaderAndTheFrozenColumns() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let samples = try daemon.healthctl(["samples", "temp", "-o", "csv", "-n", "1"])
        #expect(
            samples.output
                == "start,end,type,value,unit,device,subject,site,modality,quality,timeQuality,"
                + "source,id,seq\r\n2026-11-29T22:08:00.000+00:00,2026-11-29T22:08:00.000+00:00,"
                + "bodyTemperature,37.5,Cel,54:6C:0E:9B:22:F1,me,body,final,ok,received,replay,"
                + "9.0,9\r\n")
    }

    @Test(arguments: [
        ("samples spo3", 66), ("samples spo2 --since soon", 64), ("samples temp --unit ms", 65),
        ("samples spo2 --bogus", 2), ("samples", 2), ("bogus", 2), ("samples spo2", 0),
        ("samples spo2 --fail-empty", 5), ("replay /missing.gattlog", 66), ("devices", 0),
        ("latest", 0), ("status", 0), ("types", 0), ("help", 0),
    ])
    func theExitCodeSaysWhatHappened(command: String, code: Int32) throws {
        let words = command.split(separator: " ").map(String.init)
        let client = try DaemonUnderTest().healthctl(words)
        #expect(try client.wait() == .exit(code), "\(client.errors)")
    }

    @Test func aDaemonOutOfReachExitsWith69() throws {
        let directory = try ScratchDirectory()
        let client = try ChildProcess([
            BuiltProgram.healthctl.path, "status", "--socket", directory.path("s"),
        ])
        #expect(try client.wait() == .exit(69))
        #expect(client.errors.contains(directory.path("s")))
        #expect(client.output.isEmpty)
    }

    @Test func damagedLinesFailOnlyAStrictReplay() throws {
        let daemon = try DaemonUnderTest()
        let path = try recording(daemon, "not json\n" + QueryData.recording)
        #expect(try daemon.healthctl(["replay", path]).wait() == .exit(0))
        #expect(try daemon.healthctl(["replay", "--strict", path]).wait() == .exit(65))
    }

    @Test func aRecordingMayComeFromStandardInput() throws {
        let daemon = try DaemonUnderTest()
        let replay = try ChildProcess(
            [BuiltProgram.healthctl.path, "replay", "-"],
            environment: ["HEALTHD_SOCKET": daemon.socket],
            input: try recording(daemon, QueryData.recording))
        #expect(try replay.wait() == .exit(0))
        #expect(try daemon.request("samples spo2")["n"] == "3")
    }

    @Test func C68_theNewestThreeComeNewestFirst() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 10))
        let client = try daemon.healthctl(["samples", "spo2", "-n", "3", "-r", "-o", "tsv"])
        let seqs = client.output.split(separator: "\n").map { $0.split(separator: "\t").last }
        #expect(seqs == ["10", "9", "8"])
    }
}
