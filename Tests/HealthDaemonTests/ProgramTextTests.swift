import Foundation
import Testing

@testable import HealthDaemon

@Suite struct ProgramTextTests {
    private static let maps = """
        55566d000000-55566e05f000 r--p 00000000 fe:00 12 /usr/bin/healthd
        55566e05f000-55566e9a6000 r-xp 000ef000 fe:00 12 /usr/bin/healthd
        55566e9d8000-55566eb19000 rw-p 00937000 fe:00 12 /usr/bin/healthd
        55567df80000-55567dfe5000 rw-p 00000000 00:00 0  [heap]
        7f149eae5000-7f149ec3b000 r-xp 00026000 fe:00 99 /usr/lib/a name with spaces.so
        7f149f000000-7f149f001000 r-xp 00000000 00:00 0
        7f149f100000-7f149f101000 rwxp 00000000 fe:00 12 /usr/lib/written.so
        7ffd0f3f9000-7ffd0f3fb000 r-xp 00000000 00:00 0  [vdso]

        """

    @Test func onlyCodeOfFilesThatNobodyWritesIsGivenBack() {
        #expect(
            ProgramText.ranges(inMaps: Self.maps) == [
                0x5556_6e05_f000..<0x5556_6e9a_6000, 0x7f14_9eae_5000..<0x7f14_9ec3_b000,
            ])
    }

    @Test(arguments: [
        "", "\n", "r-xp", "5-4 r-xp 0 0 0 /x", "4-4 r-xp 0 0 0 /x", "-4 r-xp 0 0 0 /x",
        "4-8-9 r-xp 0 0 0 /x", "g-h r-xp 0 0 0 /x", "4-8 r-xp 0 0 0",
    ])
    func whatIsNoMappingIsLeftAlone(line: String) {
        #expect(ProgramText.ranges(inMaps: line).isEmpty)
    }

    @Test func codeThatWasGivenBackIsNoMemoryOfTheProgram() throws {
        let before = try residentCode()
        ProgramText.release()
        #expect(try residentCode() < before)
    }

    /// The octets of code that are in memory, in KiB.
    private func residentCode() throws -> Int {
        let maps = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8)
        var (isCode, sum) = (false, 0)
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0].last != ":" { isCode = words[1] == "r-xp" }
            if isCode, words[0] == "Rss:" { sum += Int(words[1]) ?? 0 }
        }
        return sum
    }
}
