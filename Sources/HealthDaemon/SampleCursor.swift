internal import ControlProtocol
internal import Measurements
internal import Storage

/// A place in an answer that a client can come back to: `epoch.newest.time.seq.index`.
struct SampleCursor: Sendable {
    /// What names the store.
    let epoch: String
    /// The greatest seq that belongs to the answer.
    let newest: Int64
    /// The place behind the last sample.
    let position: SamplePosition

    /// The text that a reply gives and a request brings back.
    var text: String {
        "\(epoch).\(newest).\(position.time.milliseconds).\(position.seq).\(position.index)"
    }

    init(epoch: String, newest: Int64, position: SamplePosition) {
        self.epoch = epoch
        self.newest = newest
        self.position = position
    }

    /// The cursor of a request; nil if it has none.
    ///
    /// - Throws: `bad-value`, or `anchor-foreign` for the cursor of another store.
    static func inRequest(
        _ request: Request, epoch: String
    ) throws(ProtocolError) -> SampleCursor? {
        guard let text = request["after"] else { return nil }
        guard let cursor = SampleCursor(text) else {
            throw ProtocolError(
                .badValue, "`after=` is what `next=` of an earlier reply says, not `\(text)`"
            ).with("key", "after")
        }
        guard cursor.epoch == epoch else { throw foreign }
        return cursor
    }

    /// Checks the cursor against the newest seq there is: one beyond is of another store.
    func check(against newest: Int64) throws(ProtocolError) {
        guard (0...newest).contains(self.newest) else { throw Self.foreign }
    }

    private static let foreign = ProtocolError(
        .anchorForeign, "the cursor is from another store; begin without `after=`")

    private init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5, let newest = Int64(parts[1]), let time = Int64(parts[2]),
            let seq = Int64(parts[3]), let index = Int(parts[4])
        else { return nil }
        self.init(
            epoch: String(parts[0]), newest: newest,
            position: SamplePosition(
                time: Instant(milliseconds: time), seq: seq, index: index))
    }
}
