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

    /// The code is a file of the test's own, which no other thread runs meanwhile.
    @Test func codeThatWasGivenBackIsNoMemoryOfTheProgramAndComesBack() throws {
        let path = FileManager.default.temporaryDirectory.path + "/code-\(UUID().uuidString)"
        let content = [UInt8](repeating: 7, count: 1 << 20)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(content)))
        defer { unlink(path) }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let start = mmap(nil, content.count, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0)
        let code = UnsafeRawBufferPointer(start: start, count: content.count)
        defer { munmap(start, content.count) }
        #expect(code.elementsEqual(content))
        #expect(try residentSize(of: path) == 1024)
        ProgramText.release()
        #expect(try residentSize(of: path) == 0)
        #expect(code.elementsEqual(content))
    }

    /// How much of a mapped file is memory of this program, in KiB.
    private func residentSize(of path: String) throws -> Int? {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
        let maps = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
        let lines = maps.split(separator: "\n").drop { !$0.hasSuffix(path) }
        let size = lines.first { $0.hasPrefix("Rss:") }
        return size?.split(separator: " ").compactMap { Int($0) }.first
    }
}
