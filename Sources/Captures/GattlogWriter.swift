internal import JSON
package import Measurements

/// Writes a recording (.gattlog, version 1) that `GattlogParser` reads back as the same events.
///
/// Where an event came from and the boot-time clock are not part of a recording.
package struct GattlogWriter: Sendable {
    /// What has been written and not yet been taken, in UTF-8.
    package private(set) var octets = Array("# gattlog 1\n".utf8)
    private var zone: String?
    private var minute: (number: Int64, text: [UInt8]) = (.min, [])
    private var lines = RecentValues<EventForm, EventLine>()
    private var form: EventForm?
    private var line = EventLine()

    /// A writer of a recording, which begins with its first line.
    package init() {}

    /// Gives away what has been written, and goes on behind it.
    package mutating func take() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets
    }

    /// Writes a header or remark of one line, such as `Device: Nonin 3230`.
    package mutating func write(remark: String) {
        octets.append(contentsOf: "# ".utf8)
        octets.append(contentsOf: remark.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 })
        octets.append(UInt8(ascii: "\n"))
    }

    /// Writes an event, after a remark on the zone where that has changed.
    package mutating func write(_ event: GATTEvent) {
        let line = line(of: event)
        write(line, (event.characteristic == nil ? [] : event.value).span, at: event.at)
    }

    /// The line of an event, to be written with other values at other times.
    package mutating func line(of event: GATTEvent) -> EventLine {
        if event.zone != zone { write(remark: "Zone: \(event.zone ?? "")") }
        zone = event.zone
        guard form?.isForm(of: event) != true else { return line }
        let new = EventForm(of: event)
        form = new
        line = lines.value(for: new) { EventLine($0) } ?? line
        return line
    }

    /// Writes the line of an event with this value and time.
    package mutating func write(_ line: EventLine, _ value: Span<UInt8>, at instant: Instant) {
        let number = instant.milliseconds.floorDivided(by: 60_000)
        if minute.number != number { begin(minute: number) }
        let rest = Int(instant.milliseconds - number * 60_000)
        line.append(value, in: minute.text, milliseconds: rest, to: &octets)
    }

    /// The beginning of a line is the same for a minute.
    private mutating func begin(minute number: Int64) {
        minute = (number, Array("{\"at\":\"".utf8))
        minute.text.append(CivilTime(secondsSince1970: number * 60))
        minute.text.removeLast(2)
    }
}
