internal import Measurements
internal import Glibc
internal import Storage

/// The store's file, made or brought up to date before any thread opens it.
struct StoreFile: Sendable {
    /// Where it is.
    let path: String
    /// What names it.
    let epoch: String
    /// The greatest seq in it; 0 when there is none.
    let newest: Int64
    /// Whether the daemon that had it last ended in order.
    let wasClosed: Bool

    /// Opens the store and closes it again; a damaged one is set aside, and a new one begun.
    init(_ path: String) throws(SystemError) {
        self.path = path
        do throws(StorageError) {
            (epoch, newest, wasClosed) = try Self.inspect(path)
        } catch  where error.isDamage {
            try Self.setAside(path, because: error)
            (epoch, newest, wasClosed) = try Self.inspectAgain(path)
        } catch {
            throw SystemError(reason: "cannot use the store \(path): \(error)")
        }
    }

    private static func inspect(_ path: String) throws(StorageError) -> (String, Int64, Bool) {
        let store = try StoreWriter(path: path, newEpoch: newEpoch)
        try store.markOpen()
        try store.beginSegment(
            boot: Clock.bootID, bootMilliseconds: Clock.bootMilliseconds, wall: Clock.now)
        try store.commit()
        return (store.epoch, store.committed, store.wasClosed)
    }

    private static func inspectAgain(_ path: String) throws(SystemError) -> (String, Int64, Bool) {
        do throws(StorageError) {
            return try inspect(path)
        } catch {
            throw SystemError(reason: "cannot make the store \(path): \(error)")
        }
    }

    /// 64 bits by chance: two stores of one person must never be taken for each other.
    static var newEpoch: String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Gives a damaged store another name.
    static func setAside(
        _ path: String, because error: StorageError
    ) throws(SystemError) {
        let other = "\(path).damaged-\(Clock.now.milliseconds)"
        guard rename(path, other) == 0 else { throw SystemError("cannot set \(path) aside") }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, other + suffix) }
        Log.write(
            .failure,
            "the store is damaged (\(error)); it is set aside as \(other), and a new one begun")
    }
}
