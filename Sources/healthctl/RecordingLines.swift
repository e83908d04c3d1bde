/// Which remarks of the daemon's belong into a recording: its title, and each new zone.
struct RecordingLines {
    private var needsTitle: Bool
    private var zone: [UInt8] = []

    /// Nothing was written, but for the lines of a recording that is continued.
    init(isContinued: Bool = false) {
        needsTitle = !isContinued
    }

    /// Whether a remark is the first line of a recording, as one comes on each connection.
    func isTitle(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: "# gattlog ".utf8) }

    /// Whether a remark is to be written: not the protocol's own, and the others once.
    mutating func isNew(remark line: ArraySlice<UInt8>) -> Bool {
        if isTitle(line) {
            defer { needsTitle = false }
            return needsTitle
        }
        guard line.starts(with: "# Zone:".utf8), !line.elementsEqual(zone) else { return false }
        zone = Array(line)
        return true
    }
}
