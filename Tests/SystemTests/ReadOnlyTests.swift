import DaemonHarness
import Foundation
import Testing

/// A file system that turns read-only under a running daemon.
@Suite struct ReadOnlyTests {
    /// What a client and the log are told while nothing can be written.
    private func expectReadOnly(_ daemon: DaemonUnderTest) throws {
        let reply = try daemon.replay(RecordingText.oximeter(seconds: 5))
        #expect(reply.failure == "409 read-only")
        #expect(reply.text.hasPrefix("the file system that holds the store is read-only"))
        #expect(reply.count("stored") == 0)
        #expect(try daemon.request("samples temp modality=all")["n"] == "4")
        let status = try daemon.request("status").data.joined()
        #expect(status.contains(#""state":"read-only""#))
        #expect(daemon.process.errors.contains("is read-only"))
        #expect(daemon.process.errors.contains("live readings wait in memory meanwhile"))
    }

    @Test(
        "J1: a disk whose file system the kernel makes read-only is said, and queries go on",
        .enabled(if: FailingFileSystem.isPermitted, "this user may not mount a file system"))
    func aFileSystemThatTheKernelGaveUp() throws {
        let disk = try FailingFileSystem()
        let daemon = try DaemonUnderTest(in: disk.directory)
        #expect(try daemon.replay(QueryData.recording).isOK)
        try disk.fail()
        try expectReadOnly(daemon)
        daemon.crash()
        let refused = try DaemonUnderTest.process(in: disk.directory)
        #expect(try refused.wait() == .exit(69))
        #expect(refused.errors.lowercased().contains("read-only"))
        try disk.mountAnew()
        let next = try DaemonUnderTest(in: disk.directory)
        #expect(try next.request("samples temp modality=all")["n"] == "4")
        #expect(try next.replay(RecordingText.oximeter(seconds: 5)).count("stored") == 5)
    }

    @Test(
        "J1: once it can be written again, everything goes on without a restart",
        .enabled(if: RefusedWrites.isPermitted, "this user may not trace, or there is no strace"))
    func writesThatAreRefusedForAWhile() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(QueryData.recording).isOK)
        let follower = try daemon.connect()
        try follower.send("follow spo2\n")
        let refusal = try RefusedWrites(of: daemon.process.pid)
        try expectReadOnly(daemon)
        try refusal.end()
        try waitUntil {
            try daemon.request("status").data.joined().contains(#""state":"ok""#)
        }
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 5)).count("stored") == 5)
        var told = 0
        while told < 5, let line = try follower.line() { told += line.hasPrefix("{") ? 1 : 0 }
        #expect(daemon.process.errors.contains("the store can be written again"))
        daemon.crash()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request("samples spo2 limit=5 order=asc")["n"] == "5")
        #expect(try next.request("samples temp modality=all")["n"] == "4")
    }
}

/// A file system on a file that the kernel can be made to give up; it vanishes with this.
private final class FailingFileSystem {
    let directory: ScratchDirectory
    private var path: String { directory.path("state") }
    private var image: String { directory.path("image") }

    /// Whether this user may mount one, and the kernel lets itself be told to give it up.
    static let isPermitted: Bool = {
        do {
            let device = try FailingFileSystem().device
            return access("/sys/fs/ext4", F_OK) == 0 && !device.isEmpty
        } catch {
            return false
        }
    }()

    init() throws {
        directory = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path("state"), withIntermediateDirectories: false)
        try Self.run(["truncate", "-s", "32M", image])
        try Self.run(["mkfs.ext4", "-q", "-F", image])
        try mount()
    }

    deinit { _ = try? Self.run(["umount", "--lazy", path]) }

    private func mount() throws {
        try Self.run(["mount", "-o", "loop,errors=remount-ro", image, path])
        try Self.run(["chmod", "0700", path])
    }

    /// The block device below it, such as `loop0`.
    private var device: String {
        get throws {
            let source = try Self.run(["findmnt", "-n", "-o", "SOURCE", path])
            return source.split(separator: "/").last.map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            } ?? ""
        }
    }

    /// Has the kernel find an error in it.
    func fail() throws {
        let file = "/sys/fs/ext4/\(try device)/trigger_fs_error"
        try Self.run(["sh", "-c", "echo 1 > \(file)"])
    }

    /// Repairs and mounts it, as a person does who has read the log.
    func mountAnew() throws {
        try Self.run(["umount", path])
        _ = try? Self.run(["fsck.ext4", "-p", image])  // exit 1 says that something was repaired
        try mount()
    }

    @discardableResult
    private static func run(_ words: [String]) throws -> String {
        let process = try ChildProcess(words)
        guard try process.wait() == .exit(0) else { throw HarnessError(process.errors) }
        return process.output
    }
}

/// A stretch of time in which a process's writes fail as on a read-only file system.
private final class RefusedWrites {
    private let tracer: ChildProcess

    /// Whether there is strace, and this user may trace.
    static let isPermitted: Bool = {
        do {
            let sleeper = try ChildProcess(["sleep", "60"])
            _ = try RefusedWrites(of: sleeper.pid)
            return true
        } catch {
            return false
        }
    }()

    /// Begins, and returns when every thread is held.
    init(of pid: Int32) throws {
        let calls = "pwrite64,ftruncate"
        tracer = try ChildProcess([
            "strace", "-f", "-o", "/dev/null", "-e", "trace=\(calls)",
            "-e", "inject=\(calls):error=EROFS", "-p", "\(pid)",
        ])
        try waitUntil {
            let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
            let traced = try tasks.allSatisfy { task in
                try !String(contentsOfFile: "/proc/\(pid)/task/\(task)/status", encoding: .utf8)
                    .contains("TracerPid:\t0\n")
            }
            if !traced, try isReadable(tracer.endOfLife, within: 0) {
                throw HarnessError(tracer.errors)
            }
            return traced
        }
    }

    /// Lets writes be written again.
    func end() throws {
        tracer.send(SIGINT)
        _ = try tracer.wait()
    }
}
