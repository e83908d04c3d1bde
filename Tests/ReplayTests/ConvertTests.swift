import DaemonHarness
import Foundation
import Testing

/// `healthctl convert` as a process.
@Suite struct ConvertTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CapturesTests/Captures").path

    private func convert(_ words: [String], input: String = "/dev/null") throws -> ChildProcess {
        let process = try ChildProcess(
            [BuiltProgram.healthctl.path, "convert"] + words, input: input)
        try process.wait()
        return process
    }

    private func capture(_ name: String) -> String { "\(Self.folder)/\(name)" }

    @Test func theRecordingIsOnStandardOutputAndTheAccountOnStandardError() throws {
        let process = try convert([capture("h4-1002.btsnoop")])
        #expect(try process.wait() == .exit(0))
        let lines = process.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["# gattlog 1", "# Notes: converted from h4-1002.btsnoop"])
        #expect(lines.count == 2 + 35)
        #expect(
            process.errors.hasSuffix(
                "h4-1002.btsnoop: btsnoop, 588 records, 4 links; 156 ATT operations: 27 events; "
                    + "18 readings (3 Battery Level, 6 PLX Continuous Measurement, 3 Temperature "
                    + "Measurement, 1 Intermediate Temperature, 2 PLX Spot-Check Measurement, "
                    + "3 Heart Rate Measurement); 2 other values\n"))
    }

    @Test func standardInputIsReadToo() throws {
        let file = try convert([capture("air-256.pcapng.gz")])
        let input = try convert(["-"], input: capture("air-256.pcapng.gz"))
        #expect(
            input.output.split(separator: "\n").dropFirst(2)
                == file.output.split(separator: "\n").dropFirst(2))
        #expect(input.errors.hasPrefix("standard input: pcapng, "))
    }

    @Test func aRecordingIsGivenAsItIs() throws {
        let process = try convert([capture("scene.gattlog")])
        let text = try String(contentsOfFile: capture("scene.gattlog"), encoding: .utf8)
        #expect(process.output == text)
        #expect(process.errors == "")
    }

    @Test func theAccountIsAnObjectForAProgram() throws {
        let process = try convert([capture("two-sniffers-big.pcapng"), "-o", "json"])
        #expect(process.errors.hasPrefix(#"{"class":"capture","file":"#))
        #expect(process.errors.contains(#""unsupported":{"105":10},"#))
        #expect(process.errors.contains(#""remarks":["link type 105 (wireless LAN) is not"#))
        #expect(process.errors.split(separator: "\n").count == 1)
        #expect(process.output.hasPrefix("# gattlog 1\n"))
    }

    @Test func quietSaysNothing() throws {
        #expect(try convert(["-q", capture("two-sniffers-big.pcapng")]).errors == "")
    }

    @Test func whatCannotBeReadFails() throws {
        for (words, code, text) in [
            (["/missing"], 66, "healthctl: cannot read /missing: No such file or directory\n"),
            (["/"], 66, "healthctl: cannot read /: Is a directory\n"),
            (["-"], 65, "healthctl: standard input: it is empty\n"),
            (["--map", "0x10", "-"], 2, "healthctl: --map is HANDLE=UUID, such as 0x0010=2a5f, "),
            (["--device", "x", "-"], 2, "healthctl: --device is an address such as 00:1C:05:"),
        ] as [([String], Int32, String)] {
            let process = try convert(words)
            #expect(try process.wait() == .exit(code))
            #expect(process.errors.hasPrefix(text))
            #expect(process.output == "")
        }
    }
}
