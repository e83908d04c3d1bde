package import Measurements

extension StoreWriter {
    /// Seals a slice of what was received long enough ago, which takes less than 50 ms.
    ///
    /// Quarters are sealed a quarter of an hour after their end. The slice becomes visible with the
    /// next commit; answers are the same before and after it. While a recording is coming in,
    /// `whileMoreComes` leaves the quarters out that it is in.
    ///
    /// - Returns: Whether there is more to do at once; if not, `sealingDue` says when.
    package func seal(
        upTo now: Instant, whileMoreComes: Bool = false
    ) throws(StorageError) -> Bool {
        try seal(
            until: now.advanced(byMilliseconds: -Sealer.delay), sparesLast: whileMoreComes)
    }

    /// When there will be something to seal; nil if nothing waits for it.
    package func sealingDue() throws(StorageError) -> Instant? {
        try sealer.firstEnd()?.advanced(byMilliseconds: Sealer.delay)
    }

    /// Seals a slice of the quarters that end at or before an instant.
    func seal(
        until end: Instant, sparesLast: Bool = false
    ) throws(StorageError) -> Bool {
        try sealer.seal(until: end, sparesLast: sparesLast) { () throws(StorageError) in
            try self.begin()
        }
    }
}
