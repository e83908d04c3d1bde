package import JSON
package import Measurements
package import Samples

/// One sample as the socket writes it, as a JSON object or a row of a table.
package struct SampleLine: Sendable {
    /// The first seq of its reading: the first half of its id.
    package var first: Int64
    /// Its place in the packet: the second half of its id.
    package var index: Int
    /// The reading's number.
    package var seq: Int64
    /// What it measures.
    package var type: SampleType
    /// When the measurement began.
    package var start: Instant
    /// When it ended.
    package var end: Instant
    /// The number; nil if there is none.
    package var value: DecimalNumber?
    /// Why there is no number.
    package var absent: String?
    /// The unit of the number.
    package var unit: SampleUnit
    /// The address of the device.
    package var device: String
    /// Whose it is.
    package var subject: String
    /// Where on the body.
    package var site: String?
    /// How it was measured.
    package var modality: Modality
    /// How far it can be relied on.
    package var quality: Quality
    /// How its time came about.
    package var timeQuality: TimeQuality
    /// Where it came from.
    package var source: String
    /// The packet's status bits that are set.
    package var status: PacketStatus
    /// Whether the device's stamp names two instants, or none.
    package var isAmbiguous: Bool

    /// A line with the given parts.
    package init(
        first: Int64, index: Int, seq: Int64, type: SampleType, start: Instant, end: Instant,
        value: DecimalNumber?, absent: String?, unit: SampleUnit, device: String,
        subject: String, site: String?, modality: Modality, quality: Quality,
        timeQuality: TimeQuality, source: String, status: PacketStatus, isAmbiguous: Bool
    ) {
        self.first = first
        self.index = index
        self.seq = seq
        self.type = type
        self.start = start
        self.end = end
        self.value = value
        self.absent = absent
        self.unit = unit
        self.device = device
        self.subject = subject
        self.site = site
        self.modality = modality
        self.quality = quality
        self.timeQuality = timeQuality
        self.source = source
        self.status = status
        self.isAmbiguous = isAmbiguous
    }

    /// The columns of a row, in their frozen order.
    package static let columns = [
        "start", "end", "type", "value", "unit", "device", "subject", "site", "modality",
        "quality", "timeQuality", "source", "id", "seq",
    ]

    /// `<first seq>.<place in the packet>`: stays when the reading moves.
    package var id: String { "\(first).\(index)" }
}

extension SampleLine {
    /// Writes the object; `more` adds members at its end.
    package func write(
        to json: inout JSONWriter, as kind: String = "sample", zone: Zone,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        json.object { json in
            json.member("class", kind)
            json.member("id", id)
            json.member("seq", seq)
            json.member("type", type.rawValue)
            json.member("start", writing: { appendQuoted(start, zone, to: &$0) })
            json.member("end", writing: { appendQuoted(end, zone, to: &$0) })
            writeValue(to: &json)
            json.member("unit", unit.rawValue)
            json.member("device", device)
            json.member("subject", subject)
            if let site { json.member("site", site) }
            json.member("modality", modality.rawValue)
            json.member("quality", quality.rawValue)
            json.member("timeQuality", timeQuality.name)
            json.member("source", source)
            let status = status.names
            if !status.isEmpty { json.member("status", status) }
            if isAmbiguous { json.member("ambiguous", true) }
            more(&json)
        }
    }

    private func writeValue(to json: inout JSONWriter) {
        if let value {
            json.member("value", writing: { value.append(to: &$0) })
        } else {
            json.member("value", nil as String?)
            json.member("absent", absent)
        }
    }
}

/// Appends an instant as answers print it: RFC 3339, three decimals, the zone's offset.
package func appendTime(_ instant: Instant, _ zone: Zone, to text: inout [UInt8]) {
    instant.append(to: &text, offset: zone.offset(at: instant))
}

private func appendQuoted(_ instant: Instant, _ zone: Zone, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    appendTime(instant, zone, to: &text)
    text.append(UInt8(ascii: "\""))
}

extension JSONWriter {
    /// Writes a member with an instant as answers print it, or null.
    package mutating func member(_ key: StaticString, _ instant: Instant?, in zone: Zone) {
        guard let instant else { return member(key, nil as String?) }
        member(key, writing: { appendQuoted(instant, zone, to: &$0) })
    }
}
