/// Takes the document type out of XML, but for its line ends.
///
/// Exports of iOS 16 have one that is no XML, and what stands in it says nothing of the records.
struct DoctypeFilter {
    /// The head of a document in which its type must end: Apple's has 11 KiB.
    private static let longestHead = 1 << 20

    private var head: [UInt8] = []
    private var isPassing = false

    /// The octets that can be read, maybe none yet; at the end whatever is left.
    mutating func pass(_ octets: [UInt8], isEnd: Bool) -> [UInt8] {
        if isPassing { return octets }
        head += octets
        guard isEnd || head.count > Self.longestHead || cutDoctype() else { return [] }
        isPassing = true
        defer { head = [] }
        return head
    }

    /// Whether the root element has been reached; the document type before it is gone then.
    private mutating func cutDoctype() -> Bool {
        guard let start = firstTag() else { return false }
        guard head[start...].starts(with: "<!DOCTYPE".utf8) else { return true }
        guard let end = endOfDoctype(from: start) else { return false }
        let lineEnd = UInt8(ascii: "\n")
        head.replaceSubrange(start...end, with: head[start...end].filter { $0 == lineEnd })
        return true
    }

    /// Where the document type or the root element begins: neither a remark nor an instruction.
    private func firstTag() -> Int? {
        var place = 0
        while let start = head[place...].firstIndex(of: UInt8(ascii: "<")), start + 9 < head.count {
            if head[start + 1] == UInt8(ascii: "?") {
                guard let end = position(of: "?>", from: start) else { return nil }
                place = end + 2
            } else if head[start...].starts(with: "<!--".utf8) {
                guard let end = position(of: "-->", from: start + 4) else { return nil }
                place = end + 3
            } else {
                return start
            }
        }
        return nil
    }

    private func endOfDoctype(from start: Int) -> Int? {
        guard let first = head[start...].firstIndex(where: { $0 == bracket || $0 == greater })
        else { return nil }
        if head[first] == greater { return first }
        var place = first
        while let close = head[(place + 1)...].firstIndex(of: UInt8(ascii: "]")) {
            let next = head[(close + 1)...].firstIndex { $0 > UInt8(ascii: " ") }
            guard let next else { return nil }
            if head[next] == greater { return next }
            place = close
        }
        return nil
    }

    private func position(of text: String, from start: Int) -> Int? {
        let octets = Array(text.utf8)
        guard head.count >= octets.count, start <= head.count - octets.count else { return nil }
        return (start...head.count - octets.count).first {
            head[$0...].starts(with: octets)
        }
    }
}

private let bracket = UInt8(ascii: "[")
private let greater = UInt8(ascii: ">")
