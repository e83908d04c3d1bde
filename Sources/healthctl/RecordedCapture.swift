import Captures
import Measurements

/// A recording that is written as a capture (btsnoop) for btmon and Wireshark.
struct RecordedCapture: ~Copyable {
    private var parser = GattlogParser(origin: .ble)
    private var writer = BtsnoopEventWriter()
    private var damaged = 0

    /// A capture of which nothing was written.
    init() {}

    /// What has no place in a capture, for a person; nil if there is none.
    var account: String? {
        let omitted = writer.omitted + damaged
        return omitted == 0
            ? nil : "\(healthctl.count(omitted, "event")) left out that a capture cannot hold"
    }

    /// The octets that must stand before everything else, or nothing once they were taken.
    mutating func begin() -> [UInt8] { writer.take() }

    /// The octets that stand for a line of a recording, LF excluded.
    mutating func octets(of line: ArraySlice<UInt8>) -> [UInt8] {
        switch parser.parse(line: Array(line).span) {
        case .event(let event, _): writer.write(event)
        case .ignored, .unknownEvent: break
        case .damaged: damaged += 1
        }
        return writer.take()
    }

    /// The octets that stand for a remark.
    mutating func octets(ofNote note: String, at instant: Instant) -> [UInt8] {
        writer.write(note: note, at: instant)
        return writer.take()
    }
}
