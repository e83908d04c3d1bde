internal import Glibc

/// Octets that came and were not used yet.
struct InputBuffer {
    private var octets: [UInt8] = []
    private var start = 0
    private var searched = 0

    var count: Int { octets.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: some Collection<UInt8>) {
        octets.append(contentsOf: more)
    }

    /// Takes the next line without its LF; nil if no LF is there yet.
    mutating func takeLine() -> ArraySlice<UInt8>? {
        let from = max(start, searched)
        guard let end = octets[from...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = octets.count
            return nil
        }
        let line = octets[start..<end]
        advance(to: end + 1)
        return line
    }

    /// The next line without its LF, left where it is; nil if no LF is there yet.
    func peekLine() -> ArraySlice<UInt8>? {
        let end = octets[start...].firstIndex(of: UInt8(ascii: "\n"))
        return end.map { octets[start..<$0] }
    }

    /// Takes everything.
    mutating func takeAll() -> [UInt8] {
        defer { clear() }
        return Array(octets[start...])
    }

    /// Puts octets before everything else.
    mutating func putBack(_ first: some Collection<UInt8>) {
        octets = Array(first) + octets[start...]
        start = 0
        searched = 0
    }

    mutating func clear() {
        octets = []
        start = 0
        searched = 0
    }

    private mutating func advance(to position: Int) {
        start = position
        if start == octets.count {
            clear()
        } else if start > Connection.inputLimit {
            octets.removeFirst(start)
            start = 0
            searched = 0
        }
    }
}

/// Octets that wait to be sent.
struct OutputBuffer {
    private var octets: [UInt8] = []
    private var start = 0

    var count: Int { octets.count - start }
    var isEmpty: Bool { count == 0 }
    /// Whether the client is behind with what was sent already.
    var isLarge: Bool { count > Connection.outputLimit / 2 }

    mutating func append(_ more: some Collection<UInt8>) {
        if isEmpty { clear() }
        octets.append(contentsOf: more)
    }

    mutating func clear() {
        octets.removeAll(keepingCapacity: false)
        start = 0
    }

    /// Sends a piece; returns what send(2) returned.
    mutating func send(to descriptor: Int32) -> Int {
        let count = octets.withUnsafeBytes { all in
            let rest = UnsafeRawBufferPointer(rebasing: all[start...])
            return Glibc.send(
                descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { start += count }
        if isEmpty { clear() }
        return count
    }
}
