import DaemonHarness
import Foundation
import Testing

/// Whatever of the files a power cut leaves, they open with all that was confirmed.
@Suite struct PowerCutTests {
    @Test(arguments: 0..<2)
    func anyStateOfTheFilesHoldsWhatWasConfirmed(number: Int) throws {
        var random = SystemRandomNumberGenerator()
        let daemon = try DaemonUnderTest()
        var total = 0
        for turn in 0..<6 {
            let confirmed = total + (turn == 3 ? 3000 : Int.random(in: 1...60, using: &random))
            #expect(try daemon.replay(recording(total, confirmed)).isOK)
            let before = try daemon.frozenFiles()
            total = confirmed + Int.random(in: 1...60, using: &random)
            let client = try daemon.connect()
            try client.send("replay\n" + recording(confirmed, total) + "\n")
            try waitUntil { try daemon.request("samples spo2")["n"] == "\(total)" }
            let after = try daemon.frozenFiles()
            try check(before, confirmed, confirmed)
            try check(after, total, total)
            for torn in after.torn(behind: before, using: &random) {
                try check(torn, confirmed, total)
            }
            try client.send(".\n")
            #expect(try client.reply().isOK)
        }
    }

    private func recording(_ first: Int, _ last: Int) -> String {
        RecordingText.oximeter(seconds: last - first, from: 1_700_000_000 + first)
    }

    /// Opens files, and looks for the first readings of all.
    private func check(_ files: StoreFiles, _ least: Int, _ most: Int) throws {
        let directory = try ScratchDirectory()
        let path = try files.write(in: directory)
        let daemon = try DaemonUnderTest(in: directory)
        let seqs = try daemon.request("samples spo2 format=tsv").column("seq")
        #expect(seqs == (0..<seqs.count).map { "\($0 + 1)" })
        #expect((least...most).contains(seqs.count))
        #expect(try daemon.replay(recording(0, 20)).count("duplicate") == min(20, seqs.count))
        #expect(try daemon.stop() == .exit(0))
        let checker = try ChildProcess(["sqlite3", path, "PRAGMA integrity_check"])
        try checker.wait()
        #expect(checker.output == "ok\n")
    }
}

/// The store's file and its log, as they stood at one moment.
private struct StoreFiles {
    var store: Data
    var log: Data

    /// Puts them where a healthd finds them.
    func write(in directory: ScratchDirectory) throws -> String {
        let state = directory.path("state")
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try store.write(to: URL(fileURLWithPath: state + "/healthd.db"))
        try log.write(to: URL(fileURLWithPath: state + "/healthd.db-wal"))
        return state + "/healthd.db"
    }

    /// States that a power cut may leave: everything of before is on the disk, of the rest anything.
    ///
    /// None where the log was begun anew meanwhile: what is in it may be on the disk.
    func torn(
        behind before: StoreFiles, using random: inout SystemRandomNumberGenerator
    ) -> [StoreFiles] {
        let synced = before.validLength
        guard store == before.store, log.count >= synced, log.prefix(32) == before.log.prefix(32)
        else { return [] }
        let place = Int.random(in: synced...log.count, using: &random)
        var (cut, garbled, hollow) = (self, self, self)
        cut.log = log.prefix(place)
        for at in place..<min(log.count, place + 700) {
            garbled.log[at] = UInt8.random(in: 0...255, using: &random)
        }
        hollow.log = log.prefix(place) + Data(count: log.count - place)
        return [cut, garbled, hollow]
    }

    /// How much of the log belongs to its present run: its frames have the salt of its header.
    private var validLength: Int {
        let pageSize = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let (header, frame) = (32, 24 + pageSize)
        var length = header
        while length + frame <= log.count,
            log[length + 8..<length + 16].elementsEqual(log[16..<24])
        {
            length += frame
        }
        return min(length, log.count)
    }
}

extension DaemonUnderTest {
    /// The files as they stand while the daemon is held still.
    fileprivate func frozenFiles() throws -> StoreFiles {
        process.send(SIGSTOP)
        defer { process.send(SIGCONT) }
        try waitUntil { try isHeldStill }
        let path = directory.path("state/healthd.db")
        return StoreFiles(
            store: try Data(contentsOf: URL(fileURLWithPath: path)),
            log: try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    }

    /// Whether every thread is stopped.
    private var isHeldStill: Bool {
        get throws {
            let tasks = "/proc/\(process.pid)/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
                let status = try String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                return status[(status.lastIndex(of: ")") ?? status.startIndex)...].hasPrefix(") T")
            }
        }
    }
}
