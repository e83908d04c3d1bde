/// A place in the feed of a store: `<epoch>:<seq>`.
struct Anchor: Equatable, CustomStringConvertible {
    /// What names the store.
    let epoch: String
    /// The number of the last thing that happened before this place.
    let seq: Int

    /// The place behind everything of a seq.
    init(epoch: String, seq: Int) {
        self.epoch = epoch
        self.seq = seq
    }

    /// The anchor that a text holds; nil if it holds none.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else { return nil }
        let digits = text[text.index(after: colon)...]
        guard let seq = Int(digits), seq >= 0, digits.allSatisfy(\.isNumber) else { return nil }
        let epoch = text[..<colon]
        guard epoch.allSatisfy({ !$0.isWhitespace && $0 != ":" }) else { return nil }
        self.init(epoch: String(epoch), seq: seq)
    }

    /// The anchor as the daemon writes it.
    var description: String { "\(epoch):\(seq)" }
}

/// The anchor of a heartbeat line: `# hb t=… anchor=…`; nil for another remark.
func heartbeat(_ remark: ArraySlice<UInt8>) -> Anchor? {
    guard remark.starts(with: "# hb ".utf8) else { return nil }
    let words = String(decoding: remark, as: UTF8.self).split(separator: " ")
    let anchor = words.first { $0.hasPrefix("anchor=") }?.dropFirst("anchor=".count)
    return anchor.flatMap { Anchor(String($0)) }
}
