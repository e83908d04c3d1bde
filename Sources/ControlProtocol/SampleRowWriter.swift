internal import Measurements
package import Samples

/// Writes samples as rows of `SampleLine.columns`: tabs between the columns, nothing for what is missing.
///
/// What two rows after each other have in common is made once.
package struct SampleRowWriter: Sendable {
    private var times: MinuteText
    private var last: SampleLine?
    private var type: [UInt8] = []
    private var middle: [UInt8] = []

    /// A writer that has written nothing, of times in a zone.
    package init(zone: Zone) {
        times = MinuteText(zone: zone)
    }

    /// Appends the row of a sample.
    package mutating func append(_ line: SampleLine, to text: inout [UInt8]) {
        if !(last.map { $0.hasLabel(of: line) } ?? false) { begin(line) }
        times.append(line.start, to: &text)
        text.append(tab)
        times.append(line.end, to: &text)
        text.append(contentsOf: type)
        line.value?.append(to: &text)
        text.append(contentsOf: middle)
        appendDigits(of: line.first, to: &text)
        text.append(UInt8(ascii: "."))
        appendDigits(of: Int64(line.index), to: &text)
        text.append(tab)
        appendDigits(of: line.seq, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    private mutating func begin(_ line: SampleLine) {
        last = line
        type = Array("\t\(line.type.rawValue)\t".utf8)
        middle = Array(([""] + line.label + [""]).joined(separator: "\t").utf8)
    }
}

extension SampleLine {
    /// The columns behind the value and before the id, which are the same in most rows.
    fileprivate var label: [String] {
        [
            unit.rawValue, device, subject, site ?? "", modality.rawValue, quality.rawValue,
            timeQuality.name, source,
        ]
    }

    /// Whether type and label are those of another one.
    fileprivate func hasLabel(of other: SampleLine) -> Bool {
        type == other.type && unit == other.unit && modality == other.modality
            && quality == other.quality && timeQuality == other.timeQuality
            && device == other.device && subject == other.subject && site == other.site
            && source == other.source
    }
}

/// Instants as text; those of one minute differ in seconds and milliseconds only.
private struct MinuteText {
    private let zone: Zone
    /// The minute since 1970 that `text` is of; nil if it is of none.
    private var minute: Int64?
    private var last: Instant?
    private var text: [UInt8] = []

    /// Where seconds and milliseconds stand in `2026-11-29T22:00:00.123+01:00`.
    private static let seconds = 17
    private static let milliseconds = 20

    init(zone: Zone) {
        self.zone = zone
    }

    mutating func append(_ instant: Instant, to octets: inout [UInt8]) {
        let minute = instant.milliseconds.floorDivided(by: 60_000)
        if self.minute != minute { begin(minute) }
        guard self.minute == minute else { return appendTime(instant, zone, to: &octets) }
        if instant != last { put(instant, minute) }
        octets.append(contentsOf: text)
    }

    /// Zones have changed their offset inside a minute, before there were time signals.
    private mutating func begin(_ minute: Int64) {
        let first = Instant(milliseconds: minute * 60_000)
        let last = Instant(milliseconds: minute * 60_000 + 59_999)
        let isEven = zone.offset(at: first) == zone.offset(at: last)
        self.minute = isEven ? minute : nil
        self.last = nil
        text.removeAll(keepingCapacity: true)
        appendTime(first, zone, to: &text)
    }

    private mutating func put(_ instant: Instant, _ minute: Int64) {
        let rest = Int(instant.milliseconds - minute * 60_000)
        put(rest / 1000, digits: 2, at: Self.seconds)
        put(rest % 1000, digits: 3, at: Self.milliseconds)
        last = instant
    }

    private mutating func put(_ number: Int, digits: Int, at place: Int) {
        var rest = number
        for position in (place..<place + digits).reversed() {
            text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

private let tab = UInt8(ascii: "\t")
