internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The line that an answer about samples begins with: `# interval=[…,…) tz=… type=… unit=…`.
enum SampleHeader {
    /// What it says of a query: the interval, the zone, the types and their units.
    static func words(
        _ query: SampleQuery, _ zone: Zone, _ types: [SampleType], keepsUnits: Bool = false
    ) -> [(key: String, value: String)] {
        var interval = Array("[".utf8)
        append(query.start, zone, to: &interval)
        interval.append(UInt8(ascii: ","))
        append(query.end, zone, to: &interval)
        interval.append(UInt8(ascii: ")"))
        let units = types.map { query.unit(of: $0).rawValue }
        return [
            ("interval", String(decoding: interval, as: UTF8.self)), ("tz", zone.name),
            ("type", types.map(\.rawValue).joined(separator: ",")),
            ("unit", keepsUnits ? "sent" : units.joined(separator: ",")),
        ]
    }

    /// The line of some words.
    static func line(_ words: [(key: String, value: String)]) -> [UInt8] {
        Array(("#" + words.map { " \($0.key)=\($0.value)" }.joined() + "\n").utf8)
    }

    /// Appends an end of an interval; a dash where there is none.
    static func append(_ bound: Instant?, _ zone: Zone, to text: inout [UInt8]) {
        guard let bound else { return text.append(UInt8(ascii: "-")) }
        appendTime(bound, zone, to: &text)
    }
}
