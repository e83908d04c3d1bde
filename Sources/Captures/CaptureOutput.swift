package import Measurements

/// What a piece of a file has brought out, in order.
///
/// A sensor says the same again and again, with another value at another time. Of an event like an
/// earlier one only these two are kept, so that a million of them need no memory of their own.
package struct CaptureOutput: Sendable {
    /// One of the things that came out.
    package enum Entry: Sendable {
        /// The one at this place among those that are kept whole.
        case whole(Int)
        /// The event at that place again, with the octets in this range as its value.
        case again(Int, value: Range<Int>, at: Instant)
    }

    /// All of them in their order.
    package private(set) var entries: [Entry] = []
    /// Those that are kept whole.
    package private(set) var wholes: [CaptureItem] = []
    /// The values of the others, one behind the other.
    package private(set) var octets: [UInt8] = []

    /// Output of nothing.
    package init() {}

    /// Whether nothing has come out.
    package var isEmpty: Bool { entries.isEmpty }

    /// All of them as if each had been kept whole.
    package var items: [CaptureItem] { entries.map { item($0) } }

    private func item(_ entry: Entry) -> CaptureItem {
        switch entry {
        case .whole(let place): return wholes[place]
        case .again(let place, let value, let instant):
            guard case .event(var event) = wholes[place] else { return wholes[place] }
            event.value = Array(octets[value])
            event.at = instant
            return .event(event)
        }
    }
}

extension CaptureOutput {
    /// Adds something whole.
    mutating func append(_ item: consuming CaptureItem) {
        entries.append(.whole(wholes.count))
        wholes.append(item)
    }

    /// Adds the event at a place among those that are whole again, with another value.
    mutating func append(again place: Int, _ value: Span<UInt8>, at instant: Instant) {
        let start = octets.count
        octets.append(copyOf: value)
        entries.append(.again(place, value: start..<octets.count, at: instant))
    }
}
