import DaemonHarness
import Foundation

/// A file system in memory of a chosen size, where a healthd keeps its state; it vanishes with this.
final class DiskFullFileSystem {
    /// What holds it.
    let directory: ScratchDirectory
    private var path: String { directory.path("state") }

    /// Whether this user may mount.
    static let isPermitted: Bool = {
        do {
            _ = try DiskFullFileSystem(kibibytes: 64)
            return true
        } catch {
            return false
        }
    }()

    /// An empty one.
    init(kibibytes: Int) throws {
        directory = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path("state"), withIntermediateDirectories: false)
        try mount(["-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=0700", "tmpfs"])
    }

    deinit {
        let umount = try? ChildProcess(["umount", "--lazy", path])
        _ = try? umount?.wait()
    }

    /// Makes it larger, or smaller, or read-only.
    func remount(_ options: String) throws {
        try mount(["-o", "remount,\(options)"])
    }

    /// Takes all the room that is left on it.
    func occupy() throws {
        let file = try ChildProcess([
            "sh", "-c", "cat /dev/zero > \"$1/occupied\" 2> /dev/null || true", "sh", path,
        ])
        guard try file.wait() == .exit(0) else { throw HarnessError(file.errors) }
    }

    private func mount(_ arguments: [String]) throws {
        let mount = try ChildProcess(["mount"] + arguments + [path])
        guard try mount.wait() == .exit(0) else { throw HarnessError(mount.errors) }
    }
}
