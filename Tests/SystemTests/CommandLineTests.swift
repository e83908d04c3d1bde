import DaemonHarness
import Testing

/// The command line of healthd.
@Suite struct CommandLineTests {
    private func run(_ arguments: [String]) throws -> (ChildProcess.End, ChildProcess) {
        let process = try ChildProcess([BuiltProgram.healthd.path] + arguments)
        return (try process.wait(), process)
    }

    @Test func versionIsOneLineOnStandardOutput() throws {
        let (end, process) = try run(["--version"])
        #expect(end == .exit(0))
        #expect(process.output.hasPrefix("healthd "))
        #expect(process.output.split(separator: "\n").count == 1)
        #expect(process.errors.isEmpty)
    }

    @Test func helpNamesEveryOption() throws {
        let (end, process) = try run(["--help"])
        #expect(end == .exit(0))
        for option in [
            "--config", "--state-dir", "--socket", "--source", "--check-config", "--version",
        ] {
            #expect(process.output.contains(option))
        }
    }

    @Test(arguments: [
        (["--sockt=/s"], "unknown option --sockt; did you mean --socket?"),
        (["--socket"], "--socket needs a value"), (["start"], "unknown option start"),
        (["--source", "hci0"], "--source is none or bluez, not `hci0`"),
    ])
    func aWrongOptionExitsWith64(arguments: [String], text: String) throws {
        let (end, process) = try run(arguments)
        #expect(end == .exit(64))
        #expect(process.errors.contains(text))
        #expect(process.output.isEmpty)
    }

    @Test func aGoodConfigurationIsOK() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write("[daemon]\nsource = none\n", to: "c")
        let (end, process) = try run(["--check-config", "--config", path])
        #expect(end == .exit(0))
        #expect(process.output == "\(path): ok\n")
    }

    @Test func everyErrorOfAConfigurationIsToldWithFileAndLine() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write("[daemon]\nsoket = /s\n[time]\nzone = Mars\n", to: "c")
        let (end, process) = try run(["--check-config", "--config", path])
        #expect(end == .exit(78))
        #expect(process.errors.contains("\(path):2: unknown key `soket` in [daemon]; did you mean"))
        #expect(process.errors.contains("\(path):4: `zone` is «Mars»"))
        #expect(process.output.isEmpty)
    }

    @Test(arguments: [(107, 0 as Int32), (108, 78)])
    func aSocketsPathHasAtMost107Octets(length: Int, code: Int32) throws {
        let directory = try ScratchDirectory()
        let socket = "/" + String(repeating: "s", count: length - 1)
        let path = try directory.write("[daemon]\nsocket = \(socket)\n", to: "c")
        let (end, process) = try run(["--check-config", "--config", path])
        #expect(end == .exit(code))
        #expect(process.errors.contains("must have 1 to 107 octets, not 108") == (code != 0))
    }

    @Test func aSocketOfTheLongestPathAnswers() throws {
        let directory = try ScratchDirectory()
        let folder = directory.path("")
        let name = String(repeating: "s", count: 107 - folder.utf8.count)
        let process = try ChildProcess(
            [
                BuiltProgram.healthd.path, "--source", "none", "--state-dir",
                directory.path("state"), "--socket", folder + name,
            ], in: directory)
        try waitUntil { directory.holds(name) }
        let client = try LineClient(path: folder + name, keeping: process)
        #expect(client.greeting.hasPrefix("HEALTHD 1.0 "))
    }

    @Test func aWrongConfigurationKeepsTheDaemonFromStarting() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write("[daemon]\nsource = maybe\n", to: "c")
        let process = try DaemonUnderTest.process(in: directory, ["--config", path])
        #expect(try process.wait() == .exit(78))
        #expect(try directory.names(in: ".") == ["c"])
    }

    /// What stands behind what is read at most would be left out without a word.
    @Test(arguments: [(0, true), (1, false), (1_000_000, false)])
    func aConfigurationIsReadWholeOrNotAtAll(more: Int, isOK: Bool) throws {
        let directory = try ScratchDirectory()
        let key = "[daemon]\nsource = none\n"
        let text = String(repeating: "#", count: 65_535 - key.utf8.count + more) + "\n" + key
        let path = try directory.write(text, to: "healthd.conf")
        let (end, process) = try run(["--check-config", "--config", path])
        #expect(end == .exit(isOK ? 0 : 78))
        let complaint = "\(path) is longer than 65536 octets: shorten it"
        #expect(process.errors.contains(complaint) == !isOK)
    }

    @Test func aConfigurationThatCannotBeReadExitsWith78() throws {
        let directory = try ScratchDirectory()
        let (end, process) = try run(["--check-config", "--config", directory.path("missing")])
        #expect(end == .exit(78))
        #expect(
            process.errors.contains(
                "cannot read \(directory.path("missing")): No such file or directory"))
    }

    @Test func aConfigurationSaysWhereEverythingIs() throws {
        let directory = try ScratchDirectory()
        let config = try directory.write(
            """
            [daemon]
            source = none
            state_dir = \(directory.path("store"))
            socket = \(directory.path("door"))
            [time]
            zone = Asia/Tokyo
            """, to: "c")
        let process = try ChildProcess(
            [BuiltProgram.healthd.path, "--config", config], in: directory)
        try waitUntil { directory.holds("door") }
        let client = try LineClient(path: directory.path("door"), keeping: process)
        #expect(client.greeting.hasSuffix(" tz=Asia/Tokyo"))
        #expect(try directory.names(in: "store").contains("healthd.db"))
    }
}
