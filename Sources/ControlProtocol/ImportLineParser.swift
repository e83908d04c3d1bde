internal import JSON
internal import Measurements
internal import Samples

/// Reads the lines of an import: samples and devices as answers write them, one object a line.
package struct ImportLineParser: ~Copyable {
    private var json = JSONParser()
    private var types: [String: SampleType] = [:]

    /// A parser that has read nothing.
    package init() {}

    /// What a line says, without its end.
    ///
    /// - Throws: Why it cannot be used.
    package mutating func parse(line: [UInt8]) throws(ImportDamage) -> ImportItem {
        guard let first = line.first, first != UInt8(ascii: "#") else { return .nothing }
        do throws(JSONError) {
            try json.parseKeepingDigits(line)
        } catch {
            throw ImportDamage("not JSON: \(error)")
        }
        guard json.isObject else { throw ImportDamage("not a JSON object") }
        switch try json.text("class") ?? "sample" {
        case "sample": return .sample(try sample())
        case "device": return try source()
        case let name: return .other(name)
        }
    }

    private mutating func sample() throws(ImportDamage) -> ImportedLine {
        let type = try type()
        let start = try json.instant("start")
        let modality = try json.word("modality", Modality.self) ?? .imported
        let status = try status()
        let (number, unit) = try number(of: type, status)
        let line = ImportedLine(
            ImportedSample(
                type, number, unit, modality, status: status, site: try site(),
                duration: try duration(from: start)),
            start: start, source: try json.sourceName(),
            subject: try json.text("subject").map { (name) throws(ImportDamage) in
                try subject(name)
            }, isAmbiguous: json.value("ambiguous")?.bool ?? false)
        return try stating(line)
    }

    private func subject(_ name: String) throws(ImportDamage) -> String {
        guard SubjectName.isValid(name) else { throw ImportDamage("subject: \(SubjectName.rule)") }
        return name
    }

    private mutating func type() throws(ImportDamage) -> SampleType {
        guard let name = try json.text("type") else { throw ImportDamage("type: missing") }
        if let type = types[name] { return type }
        guard let type = SampleType(named: name) else {
            throw ImportDamage("type: there is none called `\(name)`")
        }
        types[name] = type
        return type
    }

    /// The number in a unit that is stored; a share of one and seconds only move the point.
    private func number(
        of type: SampleType, _ status: PacketStatus
    ) throws(ImportDamage) -> (MedicalFloat, SampleUnit) {
        let name = try json.text("unit")
        let unit = name.map { SampleUnit(named: $0) } ?? type.defaultUnit
        guard let unit, type.units.contains(unit) else {
            throw ImportDamage("unit: \(type.rawValue) does not come in `\(name ?? "")`")
        }
        guard let digits = json.value("value")?.digits else {
            return (try absent(status), unit)
        }
        let stored = DecimalNumber(significant: digits)?.stored(from: unit)
        guard let stored, ImportedSample.exponents.contains(stored.0.exponent) else {
            throw ImportDamage("value: expected a number of at most 18 digits that count")
        }
        return (.finite(stored.0), stored.1)
    }

    private func absent(_ status: PacketStatus) throws(ImportDamage) -> MedicalFloat {
        guard json.value("value") == nil, let reason = try json.text("absent") else {
            throw ImportDamage("value: expected a number, or null with a reason in `absent`")
        }
        if reason == "measurement_unavailable", status.isUnavailable {
            return .finite(DecimalNumber(0))
        }
        let specials: [MedicalFloat] = [
            .nan, .nres, .positiveInfinity, .negativeInfinity, .reserved,
        ]
        guard let special = specials.first(where: { $0.specialName == reason }) else {
            throw ImportDamage("absent: expected NaN or another reason why there is no value")
        }
        return special
    }

    private func duration(from start: Instant) throws(ImportDamage) -> Int64 {
        guard json.value("end") ?? .null != .null else { return 0 }
        let end = try json.instant("end")
        guard end >= start else { throw ImportDamage("end: before the start") }
        return end.milliseconds - start.milliseconds
    }

    private func site() throws(ImportDamage) -> TemperatureType? {
        guard let name = try json.text("site"), !name.isEmpty else { return nil }
        guard let site = TemperatureType(name: name) else {
            throw ImportDamage("site: there is none called `\(name)`")
        }
        return site
    }

    private func status() throws(ImportDamage) -> PacketStatus {
        var status = PacketStatus.none
        for name in json.value("status")?.array ?? [] {
            guard status.set(named: name.string ?? "") else {
                throw ImportDamage("status: there is none called `\(name.string ?? "?")`")
            }
        }
        return status
    }

    /// Keeps what the line says of the quality, where nothing else of it does.
    private func stating(_ line: ImportedLine) throws(ImportDamage) -> ImportedLine {
        guard let quality = try json.word("quality", Quality.self),
            ImportedSample.statable.contains(quality), line.sample.sample.quality != quality
        else { return line }
        let sample = line.sample
        var (status, stated) = (sample.status, line)
        status.stated = quality
        stated.sample = ImportedSample(
            sample.type, sample.number, sample.unit, sample.modality, status: status,
            site: sample.site, duration: sample.duration)
        return stated
    }

    private func source() throws(ImportDamage) -> ImportItem {
        guard let name = try json.sourceName() else { throw ImportDamage("device: missing") }
        var attributes: [DeviceAttribute] = []
        for (key, column) in Self.columns {
            guard let text = try json.text(key, atMost: 512) else { continue }
            attributes.append(.text(column, text))
        }
        return .source(name, attributes)
    }

    private static let columns: [(StaticString, DeviceColumn)] = [
        ("name", .name), ("addressType", .addressType), ("manufacturer", .manufacturer),
        ("model", .model), ("serial", .serial), ("firmware", .firmware),
        ("hardware", .hardware), ("software", .software),
    ]
}

extension JSONParser {
    /// The text of a member; nil if it is missing or null.
    fileprivate func text(
        _ key: StaticString, atMost limit: Int = 64
    ) throws(ImportDamage) -> String? {
        let text: String?
        do throws(JSONTypeMismatch) {
            text = try string(key)
        } catch {
            throw ImportDamage("\(key): expected \(error.expected)")
        }
        guard let text, text.utf8.count > limit else { return text }
        throw ImportDamage("\(key): longer than \(limit) octets")
    }

    /// The time of a member that has to be there.
    fileprivate func instant(_ key: StaticString) throws(ImportDamage) -> Instant {
        guard let text = try text(key) else { throw ImportDamage("\(key): missing") }
        guard let instant = Instant(rfc3339: text.utf8) else {
            throw ImportDamage("\(key): expected a time such as 2026-11-29T22:00:00.123+01:00")
        }
        return instant
    }

    /// One of a few words; nil if it is missing.
    fileprivate func word<Word: RawRepresentable>(
        _ key: StaticString, _ kind: Word.Type
    ) throws(ImportDamage) -> Word? where Word.RawValue == String {
        guard let text = try text(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw ImportDamage("\(key): there is none called `\(text)`")
        }
        return word
    }

    /// What the source is called; nil if the line does not say it.
    fileprivate func sourceName() throws(ImportDamage) -> String? {
        guard let name = try text("device", atMost: SourceDevice.longestName) else { return nil }
        guard SourceDevice.isName(name) else {
            throw ImportDamage("device: expected a name without control characters")
        }
        return name
    }
}
