import Captures
import Measurements
import Samples

/// Takes octets for a recording.
enum GattlogTarget {
    /// Parses them at once and in small pieces, writes the events again, and makes readings of them.
    static func take(_ octets: [UInt8]) {
        let items = parse(octets, inPiecesOf: max(octets.count, 1))
        precondition(
            items == parse(octets, inPiecesOf: max(5, octets.count / 64)),
            "where a recording is cut into pieces does not matter")
        let events = items.compactMap(\.event)
        checkWriting(events)
        var assembler = ReadingAssembler(hostZone: .utc)
        for event in events { _ = assembler.handle(event) }
    }

    private static func parse(_ octets: [UInt8], inPiecesOf size: Int) -> [GattlogItem] {
        var parser = GattlogParser(origin: .replay)
        var items: [GattlogItem] = []
        for start in stride(from: 0, to: octets.count, by: size) {
            items += parser.feed(Array(octets[start..<min(octets.count, start + size)]))
        }
        return items + (parser.finish().map { [$0] } ?? [])
    }

    private static func checkWriting(_ events: [GATTEvent]) {
        var writer = GattlogWriter()
        for event in events { writer.write(event) }
        let again = parse(writer.take(), inPiecesOf: .max).compactMap(\.event)
        precondition(again.map(\.value) == events.map(\.value), "what is written can be read")
        precondition(again.map(\.at) == events.map(\.at), "what is written can be read")
    }
}

extension GattlogItem {
    /// The event of a line that holds one.
    var event: GATTEvent? {
        if case .event(let event, _) = self { event } else { nil }
    }
}
