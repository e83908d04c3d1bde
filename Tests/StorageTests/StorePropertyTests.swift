import Foundation
import Measurements
import Samples
import Storage
import Testing

/// After any random sequence of live values, replays, links, sealing, deletions, changes of time,
/// assignments and restarts, the answers and the feed equal those of a naive array.
///
/// `STORE_SEED` sets the first seed and `STORE_SEQUENCES` the number of sequences. The seed of a
/// sequence that fails is printed.
@Suite struct StorePropertyTests {
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STORE_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["STORE_SEQUENCES"].flatMap { UInt64($0) } ?? 1000
        return first..<first + count
    }()

    @Test func answersEqualThoseOfANaiveArray() throws {
        let store = try TemporaryStore()
        for seed in Self.seeds {
            try store.empty()
            var sequence = RandomSequence(seed: seed, store: store)
            let failure = try sequence.perform()
            #expect(failure == nil, "STORE_SEED=\(seed) STORE_SEQUENCES=1")
            guard failure == nil else { return }
        }
    }
}

extension TemporaryStore {
    /// Takes all readings out, as if the file were new.
    fileprivate func empty() throws {
        try writer.commit()
        try execute(
            """
            BEGIN; DELETE FROM reading; DELETE FROM stream; DELETE FROM device;
            DELETE FROM change; DELETE FROM assignment; DELETE FROM block;
            DELETE FROM block_data; DELETE FROM summary;
            UPDATE meta SET value = 1 WHERE key = 'next_seq'; COMMIT
            """)
        try restart()
    }
}
