internal import ControlProtocol
internal import JSON
package import Samples

/// Turns a file of samples, piece by piece, into the lines that the daemon imports.
///
/// JSON lines pass as they are. It holds no more than one piece, whatever the size of the file.
package struct ImportConverter: ~Copyable {
    /// What a file is, as its first octets say.
    package enum Format: String, Sendable {
        /// Samples as objects, one a line.
        case lines = "JSON lines"
        /// A table with a header.
        case table = "a table"
        /// `export.xml` of Apple Health.
        case healthXML = "an Apple Health export"
        /// `export.zip` of Apple Health.
        case healthArchive = "an archive of an Apple Health export"
    }

    /// What the file is; nil before enough of it has come.
    package private(set) var format: Format?
    /// Why the file could not be read to its end; nil if it could.
    package private(set) var damage: String?

    private var input: [UInt8] = []
    private var isEnd = false
    private var isFinished = false
    private var health = HealthExport()
    private var table: SampleTable
    private var archive = HealthArchive()

    /// A converter that reads times without an offset in a zone.
    package init(zone: Zone) {
        table = SampleTable(zone: zone)
    }

    /// Takes in the next octets of the file, when `next` wants more.
    package mutating func feed(_ octets: [UInt8]) { input += octets }

    /// Says that no more octets come.
    package mutating func finish() { isEnd = true }

    /// The next lines, maybe none although there are more; nil if more octets are wanted.
    package mutating func next() -> [UInt8]? {
        guard !isFinished else { return nil }
        if format == nil { format = sniffed }
        var json = JSONWriter()
        let hasMore: Bool
        switch format {
        case nil:
            hasMore = false
            if isEnd { damage = "it is empty" }
        case .lines: hasMore = pass(&json)
        case .table: hasMore = readTable(&json)
        case .healthXML: hasMore = readXML(&json)
        case .healthArchive: hasMore = readArchive(&json)
        }
        isFinished = damage != nil || (isEnd && !hasMore)
        return hasMore || !json.octets.isEmpty ? json.octets : nil
    }

    /// What the file is, as far as its first octets say it.
    private var sniffed: Format? {
        let start = input.first { $0 > UInt8(ascii: " ") && $0 < 0x80 }
        guard let start, input.count >= 4 || isEnd else { return nil }
        if input.starts(with: "PK\u{3}\u{4}".utf8) { return .healthArchive }
        return switch start {
        case UInt8(ascii: "<"): .healthXML
        case UInt8(ascii: "{"), UInt8(ascii: "#"): .lines
        default: .table
        }
    }

    private mutating func pass(_ json: inout JSONWriter) -> Bool {
        json.octets = input
        input = []
        return false
    }

    private mutating func readTable(_ json: inout JSONWriter) -> Bool {
        table.read(input, isEnd: isEnd, into: &json)
        input = []
        damage = table.damage
        return false
    }

    private mutating func readXML(_ json: inout JSONWriter) -> Bool {
        guard isEnd || !input.isEmpty else { return false }
        health.read(input, isEnd: isEnd, into: &json)
        input = []
        damage = health.isForeign ? "it is no export of Apple Health" : health.damage
        return false
    }

    /// True while the archive may have more in what was fed.
    private mutating func readArchive(_ json: inout JSONWriter) -> Bool {
        if !input.isEmpty { archive.feed(input) }
        input = []
        do throws(ImportDamage) {
            let hasMore = try archive.read(into: &json, &health)
            if isEnd, !hasMore { damage = archive.cut }
            return hasMore
        } catch {
            damage = error.why
            return false
        }
    }
}

// What there is to be told of the file.
extension ImportConverter {
    /// Samples that became lines; nil where they are not counted here.
    package var taken: Int? {
        switch format {
        case nil, .lines: nil
        case .table: table.taken
        case .healthXML, .healthArchive: health.taken
        }
    }

    /// What was not taken, by type or reason.
    package var others: [String: Int] {
        var others = health.others
        if health.remarks.count > 0 { others["unusable"] = health.remarks.count }
        if table.remarks.count > 0 { others["unusable"] = table.remarks.count }
        if table.empty > 0 { others["without a value"] = table.empty }
        return others
    }

    /// What there is to be said of single lines, and was not given yet.
    package mutating func takeRemarks() -> [String] {
        health.takeRemarks() + table.takeRemarks()
    }
}
