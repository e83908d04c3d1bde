package import JSON
package import Measurements
package import Samples

/// One sample of an import, as far as a line says it.
package struct ImportedLine: Equatable, Sendable {
    /// The sample.
    package var sample: ImportedSample
    /// When it began.
    package var start: Instant
    /// What it comes from; nil where the line does not say it.
    package var source: String?
    /// Whose it is; nil where the line does not say it.
    package var subject: String?
    /// Whether its time names two instants, or none.
    package var isAmbiguous: Bool

    /// A line with the given parts.
    package init(
        _ sample: ImportedSample, start: Instant, source: String?, subject: String? = nil,
        isAmbiguous: Bool = false
    ) {
        self.sample = sample
        self.start = start
        self.source = source
        self.subject = subject
        self.isAmbiguous = isAmbiguous
    }

    /// Writes the line that `ImportLineParser` reads back as the same.
    package func write(to json: inout JSONWriter) {
        writeObject(to: &json)
        json.endLine()
    }

    /// Writes the object of the line.
    package func writeObject(to json: inout JSONWriter) {
        let told = sample.sample
        json.object { json in
            json.member("class", "sample")
            json.member("type", told.type.rawValue)
            json.member("start", start.text())
            if sample.duration > 0 {
                json.member("end", start.advanced(byMilliseconds: sample.duration).text())
            }
            json.member("value", writing: { Self.append(told.value, to: &$0) })
            if let absent = told.absent { json.member("absent", absent) }
            json.member("unit", told.unit.rawValue)
            if let source { json.member("device", source) }
            if let subject { json.member("subject", subject) }
            writeRest(told, to: &json)
        }
    }

    private func writeRest(_ told: Sample, to json: inout JSONWriter) {
        if let site = told.site?.name { json.member("site", site) }
        if told.modality != .imported { json.member("modality", told.modality.rawValue) }
        if let stated = told.status.stated { json.member("quality", stated.rawValue) }
        if !told.status.names.isEmpty { json.member("status", told.status.names) }
        if isAmbiguous { json.member("ambiguous", true) }
    }

    private static func append(_ value: DecimalNumber?, to text: inout [UInt8]) {
        if let value { value.append(to: &text) } else { text += "null".utf8 }
    }
}

/// What a line of an import says.
package enum ImportItem: Equatable, Sendable {
    /// A sample.
    case sample(ImportedLine)
    /// What is known of a source: its name, and what it says of itself.
    case source(String, [DeviceAttribute])
    /// An object of a class that is not imported.
    case other(String)
    /// A blank line or a remark.
    case nothing
}

/// Why a line of an import cannot be used.
package struct ImportDamage: Error, Equatable, Sendable {
    /// The reason in plain words, with the key that it is about.
    package let why: String

    /// A reason.
    package init(_ why: String) {
        self.why = why
    }
}
