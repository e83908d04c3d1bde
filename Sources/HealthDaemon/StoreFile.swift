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

    /// Opens and closes the store once; a damaged one is set aside, and a new one begun.
    init(_ path: String) throws(SystemError) {
        self.path = path
        do throws(StorageError) {
            (epoch, newest) = try Self.inspect(path)
        } catch  where error.isDamage {
            try Self.setAside(path, because: error)
            (epoch, newest) = try Self.inspectAgain(path)
        } catch {
            throw SystemError(reason: "cannot use the store \(path): \(error)")
        }
    }

    private static func inspect(_ path: String) throws(StorageError) -> (String, Int64) {
        let store = try StoreWriter(path: path, newEpoch: newEpoch)
        return (store.epoch, store.committed)
    }

    private static func inspectAgain(_ path: String) throws(SystemError) -> (String, Int64) {
        do throws(StorageError) {
            return try inspect(path)
        } catch {
            throw SystemError(reason: "cannot make the store \(path): \(error)")
        }
    }

    /// 64 bits by chance: two stores of one person must never be taken for each other.
    private static var newEpoch: String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func setAside(
        _ path: String, because error: StorageError
    ) throws(SystemError) {
        let other = "\(path).damaged-\(Clock.now.milliseconds)"
        for suffix in ["-wal", "-shm"] { rename(path + suffix, other + suffix) }
        guard rename(path, other) == 0 else { throw SystemError("cannot set \(path) aside") }
        Log.write(
            .failure,
            "the store is damaged (\(error)); it is set aside as \(other), and a new one begun")
    }
}
