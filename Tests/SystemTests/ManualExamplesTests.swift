import DaemonHarness
import Foundation
import Testing

/// The examples of the manual do what it says.
@Suite struct ManualExamplesTests {
    /// The examples of healthctl(1), as a shell reads them.
    static let commands: [String] = {
        let help = try? ChildProcess([BuiltProgram.healthctl.path, "help", "--man"])
        _ = try? help?.wait()
        let parts = (help?.output ?? "").components(separatedBy: "\n.EX\n").dropFirst()
        return parts.map { unescaped($0.components(separatedBy: "\n.EE")[0]) }
    }()

    private static func unescaped(_ text: String) -> String {
        let signs = [
            "\\-": "-", "\\(dq": "\"", "\\(aq": "'", "\\(ga": "`", "\\(ti": "~", "\\e": "\\",
        ]
        return signs.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }

    @Test func thereAreExamplesOfEveryKind() {
        #expect(Self.commands.count >= 30)
        #expect(Self.commands.allSatisfy { $0.hasPrefix("healthctl ") })
    }

    @Test(arguments: commands) func anExampleOfHealthctlDoesWhatItSays(line: String) throws {
        let stage = try ExampleStage()
        let verb = line.split(separator: " ")[1]
        let process = try stage.start(line, onTerminal: ["delete", "forget"].contains(verb))
        switch verb {
        case _ where ["watch", "record"].contains(verb) || line.contains("| healthctl"):
            // Until Ctrl-C.
            try waitUntil { try stage.daemon.request("metrics").count("connections") == 2 }
            try stage.interrupt(process)
            #expect(try [.exit(130), .exit(0)].contains(process.wait()), "\(process.errors)")
        case "pair", "forget", "set-clock":
            // Understood, and refused for want of Bluetooth.
            #expect(try process.wait() == .exit(75), "\(process.errors)")
        case "latest" where line.contains("--max-age"):
            #expect(try process.wait() == .exit(4), "\(process.errors)")
        case "doctor":
            // What it finds depends on this machine.
            #expect(try [.exit(0), .exit(1)].contains(process.wait()), "\(process.errors)")
        default: #expect(try process.wait() == .exit(0), "\(process.errors)")
        }
    }

    /// The examples of healthd(8).
    static let daemons: [String] = {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/man/healthd.8.md").standardizedFileURL.path
        let text = String(
            decoding: FileManager.default.contents(atPath: page) ?? Data(), as: UTF8.self)
        let parts = text.components(separatedBy: "\n```\n")
        return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    }()

    @Test(arguments: daemons) func anExampleOfHealthdDoesWhatItSays(line: String) throws {
        let directory = try ScratchDirectory()
        let words = line.replacingOccurrences(of: "/tmp/", with: directory.path(""))
            .split(separator: " ").map(String.init)
        let manager = try NotifySocket(in: directory)
        let process = try ChildProcess(
            [BuiltProgram.healthd.path] + words.dropFirst(),
            environment: ["NOTIFY_SOCKET": manager.path], in: directory)
        if words.contains("--source") {
            #expect(try manager.next(from: process) == "READY=1")
            process.send(SIGTERM)
        }
        #expect(try process.wait() == .exit(0), "\(process.errors)")
    }

    @Test func healthdHasExamples() {
        #expect(Self.daemons.count == 2)
    }
}

/// A daemon with readings, and a folder with the files that examples name.
private struct ExampleStage {
    let daemon: DaemonUnderTest
    private let folder: ScratchDirectory

    init() throws {
        daemon = try DaemonUnderTest()
        folder = try ScratchDirectory()
        let oximeter = ShippedRecording.text("nonin3230-continuous")
        let thermometer = ShippedRecording.text("thermometer-device-clock")
            .replacingOccurrences(of: "ClockTemp", with: "UT-201")
        for recording in [oximeter, thermometer] { #expect(try daemon.replay(recording).isOK) }
        _ = try folder.write(oximeter, to: "night.gattlog")
        _ = try folder.write("2a5f 0061004800\n2a19 5b\n", to: "values.txt")
        _ = try folder.write("yes\n", to: "answer")
        try copy("h4-1002.btsnoop", to: "btsnoop_hci.log")
        try copy("nordic-272.pcap", to: "sniffed.pcapng")
        try writeImports()
    }

    /// What other programs have exported; the first is in the store already.
    private func writeImports() throws {
        let record = """
            <HealthData><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Anna's iPhone" \
            unit="count/min" startDate="2026-11-28 09:00:00 +0100" endDate="2026-11-28 09:00:00 +0100" \
            value="61"/></HealthData>
            """
        _ = try folder.write(record, to: "export.xml")
        let zip = try ChildProcess([
            "env", "--chdir", folder.path(""), "python3", "-m", "zipfile", "-c", "export.zip",
            "export.xml",
        ])
        #expect(try zip.wait() == .exit(0))
        let imported = try daemon.healthctl(["import", "-q", folder.path("export.zip")])
        #expect(try imported.wait() == .exit(0), "\(imported.errors)")
        _ = try folder.write(
            "start,type,value\n2026-11-28 10:00,heartRate,64\n", to: "pulse.csv")
        let exported = try daemon.healthctl(["export", "temp"])
        _ = try folder.write(exported.output, to: "samples.ndjson")
    }

    private func copy(_ capture: String, to name: String) throws {
        let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../CapturesTests/Captures").standardizedFileURL
        try FileManager.default.copyItem(
            atPath: captures.appendingPathComponent(capture).path, toPath: folder.path(name))
    }

    /// Starts a command line in the folder, on a terminal where a `yes` is typed if that is wanted.
    func start(_ line: String, onTerminal: Bool) throws -> ChildProcess {
        if line.contains("record night"),
            FileManager.default.fileExists(atPath: folder.path("night.gattlog"))
        {
            try FileManager.default.removeItem(atPath: folder.path("night.gattlog"))
        }
        let programs = URL(fileURLWithPath: BuiltProgram.healthctl.path).deletingLastPathComponent()
        let shell = onTerminal ? ["script", "-qec", line, "/dev/null"] : ["sh", "-c", line]
        return try ChildProcess(
            ["env", "--chdir", folder.path("")] + shell,
            environment: [
                "HEALTHD_SOCKET": daemon.socket, "TZ": "UTC",
                "PATH": "\(programs.path):/usr/sbin:/usr/bin:/sbin:/bin",
            ], input: onTerminal ? folder.path("answer") : "/dev/null")
    }

    /// Presses Ctrl-C: of a pipe, for its first program.
    func interrupt(_ process: ChildProcess) throws {
        let file = "/proc/\(process.pid)/task/\(process.pid)/children"
        let children = try String(contentsOfFile: file, encoding: .utf8).split(separator: " ")
        if let first = children.first.flatMap({ Int32($0) }) {
            kill(first, SIGINT)
        } else {
            process.send(SIGINT)
        }
    }
}
