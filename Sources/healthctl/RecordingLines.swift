/// Which lines of the daemon's belong into a recording, and were not written before an outage.
struct RecordingLines {
    private var recent: Set<[UInt8]> = []
    private var known: Set<[UInt8]> = []
    private var needsTitle: Bool
    private var zone: [UInt8] = []

    /// No lines were written, but for those of a recording that is continued.
    init(isContinued: Bool = false) {
        needsTitle = !isContinued
    }

    /// Takes in that all lines since the last heartbeat come once more.
    mutating func beginAgain() {
        known = recent
    }

    /// Takes in that nothing before this place will come again.
    mutating func forget() {
        (recent, known) = ([], [])
    }

    /// Whether an event is to be written; it is then remembered.
    mutating func isNew(event line: ArraySlice<UInt8>) -> Bool {
        let line = Array(line)
        recent.insert(line)
        return known.remove(line) == nil
    }

    /// Whether a remark is to be written: not the protocol's own, and the others once.
    mutating func isNew(remark line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: "# gattlog ".utf8) {
            defer { needsTitle = false }
            return needsTitle
        }
        guard line.starts(with: "# Zone:".utf8), !line.elementsEqual(zone) else { return false }
        zone = Array(line)
        return true
    }
}

/// The anchor of a heartbeat line: `# hb t=… anchor=…`; nil for another remark.
func heartbeat(_ remark: ArraySlice<UInt8>) -> Anchor? {
    guard remark.starts(with: "# hb ".utf8) else { return nil }
    let words = String(decoding: remark, as: UTF8.self).split(separator: " ")
    let anchor = words.first { $0.hasPrefix("anchor=") }?.dropFirst("anchor=".count)
    return anchor.flatMap { Anchor(String($0)) }
}
