internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples

/// Turns the records of an Apple Health export into lines of an import.
struct HealthExport: ~Copyable {
    /// Sources whose devices are remembered, so that each is told once.
    private static let sourceLimit = 4096

    private let document = HealthDataXML(wanted: Set(HealthQuantity.all.keys))
    private var filter = DoctypeFilter()
    private var devices: [String: Substring] = [:]
    private var lastTime: (text: String, instant: Instant)?
    /// What there is to be said of single records.
    private(set) var remarks = ImportRemarks()
    /// Records that became lines.
    private(set) var taken = 0

    /// Why no more can be read; nil while it can.
    var damage: String? { document.damage }
    /// Whether it is no Apple Health export at all.
    var isForeign: Bool { document.isForeign }
    /// How many records of each type were not taken.
    var others: [String: Int] { document.others }

    /// Reads the next octets of the XML, and writes the lines that they give.
    mutating func read(_ octets: [UInt8], isEnd: Bool, into json: inout JSONWriter) {
        let text = filter.pass(octets, isEnd: isEnd)
        guard isEnd || !text.isEmpty else { return }
        for record in document.read(text, isEnd: isEnd) {
            do throws(ImportDamage) {
                try write(record, to: &json)
                taken += 1
            } catch {
                remarks.add(line: record.line, error.why)
            }
        }
    }

    /// What there is to be said, and was not given yet.
    mutating func takeRemarks() -> [String] { remarks.take() }

    private mutating func write(
        _ record: HealthRecord, to json: inout JSONWriter
    ) throws(ImportDamage) {
        guard let quantity = HealthQuantity.all[record.type] else {
            preconditionFailure("only the records of these types are wanted")
        }
        let (number, unit) = try quantity.value(record.value, record.unit)
        let start = try time(record.startDate, "startDate")
        let end = try time(record.endDate, "endDate")
        guard end >= start else { throw ImportDamage("endDate: before startDate") }
        let source = Self.sourceName(record.sourceName)
        tellDevice(of: source, record.device, to: &json)
        let sample = ImportedSample(
            quantity.type, .finite(number), unit,
            duration: end.milliseconds - start.milliseconds)
        ImportedLine(sample, start: start, source: source).write(to: &json)
    }

    /// A time such as `2020-12-01 09:00:00 +0900`; that before is remembered, as most ends are the start.
    private mutating func time(
        _ text: String, _ attribute: StaticString
    ) throws(ImportDamage) -> Instant {
        if let lastTime, lastTime.text == text { return lastTime.instant }
        guard let instant = Instant(fileTime: text) else {
            throw ImportDamage("\(attribute): expected a time such as 2020-12-01 09:00:00 +0900")
        }
        lastTime = (text, instant)
        return instant
    }

    /// The name as people type it: Apple writes blanks that do not break.
    private static func sourceName(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            let isBlank = scalar == "\u{A0}" || scalar == "\u{202F}" || scalar.value < 0x20
            let next = isBlank ? " " : scalar
            guard name.utf8.count + next.utf8.count <= SourceDevice.longestName else { break }
            name.unicodeScalars.append(next)
        }
        return name.isEmpty ? "Apple Health" : name
    }

    /// Writes what is known of a source's device, where that is news.
    private mutating func tellDevice(
        of source: String, _ text: String, to json: inout JSONWriter
    ) {
        // What stands before the first `>` is where the object was in some phone's memory.
        guard let end = text.firstIndex(of: ">") else { return }
        let parts = text[end...].dropFirst()
        guard devices[source] != parts, devices[source] != nil || devices.count < Self.sourceLimit
        else { return }
        devices[source] = parts
        HealthDevice(parts).write(source, to: &json)
    }
}

/// Remarks on single lines of a file: the first are told, the others counted.
struct ImportRemarks {
    /// Remarks that are told one by one.
    private static let limit = 100

    /// How many lines gave a remark.
    private(set) var count = 0
    private var waiting: [String] = []

    /// Adds the reason why a line is not taken.
    mutating func add(line: Int, _ why: String) {
        count += 1
        if count <= Self.limit { waiting.append("line \(line): \(why)") }
    }

    /// What there is to be said, and was not given yet.
    mutating func take() -> [String] {
        defer { waiting = [] }
        return waiting
    }
}
