package import Measurements

/// Reads a recording (.gattlog, version 1) piece by piece, with the same small memory for any length.
///
/// Lines are numbered from 1. A damaged line costs nothing but itself.
package struct GattlogParser: ~Copyable {
    /// The most octets that a line may have before its LF.
    package static let longestLine = 8192

    private var decoder: GattlogLineDecoder
    private var begun: [UInt8] = []
    private var isSkipping = false
    private var line = 0

    /// A parser at the start of a recording, whose events shall say that they come from `origin`.
    package init(origin: GATTEvent.Origin) {
        decoder = GattlogLineDecoder(origin: origin)
    }

    /// What the lines say that end in the next piece of the recording.
    package mutating func feed(_ octets: Span<UInt8>) -> [GattlogItem] {
        var items: [GattlogItem] = []
        var start = 0
        for end in octets.indices where octets[end] == UInt8(ascii: "\n") {
            items.append(endLine(octets.extracting(start..<end)))
            start = end + 1
        }
        keep(octets.extracting(start..<octets.count))
        return items
    }

    /// What the lines say that end in the next piece of the recording.
    package mutating func feed(_ octets: [UInt8]) -> [GattlogItem] {
        feed(octets.span)
    }

    /// What the last line says, where it has no LF; nil where there is none.
    package mutating func finish() -> GattlogItem? {
        guard isSkipping || !begun.isEmpty else { return nil }
        return endLine(Span())
    }

    /// What a line says that the caller has cut off the recording, LF or CR and LF excluded.
    package mutating func parse(line octets: Span<UInt8>) -> GattlogItem {
        guard octets.count <= Self.longestLine else { return skipOverlongLine() }
        line += 1
        return decoder.item(octets, line: line)
    }

    /// Counts a line of which the caller has thrown octets away because it was too long.
    package mutating func skipOverlongLine() -> GattlogItem {
        line += 1
        return .damaged(line: line, why: "longer than \(Self.longestLine) octets")
    }

    private mutating func endLine(_ rest: Span<UInt8>) -> GattlogItem {
        guard isSkipping || !begun.isEmpty else { return parse(line: rest) }
        keep(rest)
        defer { isSkipping = false }
        guard !isSkipping else { return skipOverlongLine() }
        let whole = begun
        begun = []
        return parse(line: whole.span)
    }

    /// Keeps the start of a line until its end comes; of a line that is too long, nothing.
    private mutating func keep(_ octets: Span<UInt8>) {
        if isSkipping || octets.isEmpty { return }
        isSkipping = begun.count + octets.count > Self.longestLine
        if isSkipping {
            begun.removeAll(keepingCapacity: true)
        } else {
            for index in octets.indices { begun.append(octets[index]) }
        }
    }
}
