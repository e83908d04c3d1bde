internal import Glibc
internal import Measurements
internal import Storage

/// Puts a backup in the place of the store: `healthd --restore FILE`.
///
/// The backup is checked first; the store that was there keeps all it has under another name.
struct Restore {
    /// Where the backup is.
    let backup: String

    /// Restores into a directory that nobody else has; returns what to tell the person.
    func run(into directory: borrowing StateDirectory) throws(SystemError) -> String {
        let target = directory.storePath
        let temporary = target + ".restore"
        defer { unlink(temporary) }
        try copy(to: temporary)
        let newest = try check(temporary)
        var told = ""
        if access(target, F_OK) == 0 {
            let other = "\(target).before-restore-\(Clock.now.milliseconds)"
            guard rename(target, other) == 0 else {
                throw SystemError("cannot set \(target) aside")
            }
            for suffix in ["-wal", "-shm"] { rename(target + suffix, other + suffix) }
            told = "; the store that was there is \(other)"
        }
        guard rename(temporary, target) == 0 else {
            throw SystemError("cannot put \(target) in place")
        }
        return "restored \(newest) readings and changes from \(backup)\(told)"
    }

    private func copy(to path: String) throws(SystemError) {
        let source = open(backup, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw SystemError("cannot read \(backup)") }
        defer { close(source) }
        let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw SystemError("cannot make \(path)") }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count >= 0 else { throw SystemError("cannot read \(backup)") }
            if count == 0 { break }
            guard write(target, buffer, count) == count else {
                throw SystemError("cannot write \(path)")
            }
        }
        guard fsync(target) == 0 else { throw SystemError("cannot write \(path)") }
    }

    /// Checks that every page of the copy fits and that this healthd can read it, and names it anew.
    ///
    /// The name is new because a backup can be restored twice: anchors of the first time must not
    /// fit the second.
    private func check(_ path: String) throws(SystemError) -> Int64 {
        do throws(StorageError) {
            if let finding = try StoreReader(path: path).damage() {
                throw StorageError(code: 11, message: finding)
            }
            let store = try StoreWriter(path: path, newEpoch: StoreFile.newEpoch)
            try store.rename(epoch: StoreFile.newEpoch)
            return store.committed
        } catch {
            throw SystemError(reason: "\(backup) is no whole backup of a store: \(error)")
        }
    }
}
