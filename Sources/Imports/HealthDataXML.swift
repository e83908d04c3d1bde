internal import CExpat

/// The `Record` elements of an Apple Health export, from its XML in pieces.
///
/// Only those right below the root count: a `Correlation` repeats records that stand there as well.
@safe
final class HealthDataXML {
    /// What the root element is called.
    private static let root: StaticString = "HealthData"
    /// Types of records that are counted by name; HealthKit has some two hundred.
    private static let typeLimit = 1024

    private let parser: XML_Parser
    private let wanted: Set<String>
    private var depth = 0
    private var hasEnded = false
    private var records: [HealthRecord] = []
    /// How many records of each type were not wanted.
    private(set) var others: [String: Int] = [:]
    /// Whether the root element is another one, so that nothing of it is read.
    private(set) var isForeign = false
    /// Why no more can be read; nil while it can.
    private(set) var damage: String?

    /// A parser at the start of a document, which takes records of these types.
    init(wanted: Set<String>) {
        guard let parser = unsafe XML_ParserCreate("UTF-8") else {
            preconditionFailure("out of memory")
        }
        unsafe self.parser = parser
        self.wanted = wanted
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser, { unsafe document($0)?.begin($1, $2) },
            { pointer, _ in unsafe document(pointer)?.end() })
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads the next octets of the document.
    ///
    /// - Returns: The wanted records that they hold.
    func read(_ octets: [UInt8], isEnd: Bool) -> [HealthRecord] {
        guard damage == nil, !isForeign else { return [] }
        let status = unsafe octets.withUnsafeBytes { buffer in
            let text = unsafe buffer.bindMemory(to: CChar.self).baseAddress
            return unsafe XML_Parse(parser, text, Int32(buffer.count), isEnd ? 1 : 0)
        }
        if status == XML_STATUS_ERROR, !isForeign {
            damage = unsafe why(XML_GetErrorCode(parser))
        }
        defer { records.removeAll(keepingCapacity: true) }
        return records
    }

    private func why(_ code: XML_Error) -> String {
        let line = unsafe XML_GetCurrentLineNumber(parser)
        // What expat calls it depends on how the octets were cut into pieces.
        if hasEnded { return "line \(line) is behind the end of the document, and no part of it" }
        let cut = [XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR]
        if cut.contains(code) { return "it ends too early, in line \(line)" }
        let text = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
        return "line \(line) is no XML: \(text ?? "error \(code.rawValue)")"
    }

    fileprivate func begin(
        _ name: UnsafePointer<XML_Char>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        depth += 1
        guard let name = unsafe name, let attributes = unsafe attributes else { return }
        if depth == 1, unsafe !isText(name, Self.root) {
            isForeign = true
            _ = unsafe XML_StopParser(parser, 0)
        }
        guard depth == 2, unsafe isText(name, "Record") else { return }
        unsafe take(attributes)
    }

    fileprivate func end() {
        depth -= 1
        hasEnded = depth == 0
    }

    /// Takes the attributes of a record: names and values in turn, up to a null.
    private func take(_ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>) {
        var record = HealthRecord()
        var place = 0
        while let name = unsafe attributes[place], let value = unsafe attributes[place + 1] {
            unsafe record.set(name, value)
            // The type comes first, and most records of an export are of others than the wanted ones.
            if place == 0, !record.type.isEmpty, !wanted.contains(record.type) { break }
            place += 2
        }
        guard wanted.contains(record.type) else { return count(record.type) }
        record.line = unsafe Int(XML_GetCurrentLineNumber(parser))
        records.append(record)
    }

    private func count(_ type: String) {
        let isKnown = others[type] != nil || others.count < Self.typeLimit
        others[isKnown ? type : "others", default: 0] += 1
    }
}

/// The attributes of a record that are read, as the file has them.
struct HealthRecord: Equatable {
    /// What it measures.
    private(set) var type = ""
    /// What the program or device is called that saved it.
    private(set) var sourceName = ""
    /// The device in the words of a debugger.
    private(set) var device = ""
    /// The unit of the value.
    private(set) var unit = ""
    /// When it began.
    private(set) var startDate = ""
    /// When it ended.
    private(set) var endDate = ""
    /// The number.
    private(set) var value = ""
    /// The line that it begins in.
    var line = 0

    fileprivate mutating func set(
        _ name: UnsafePointer<XML_Char>, _ value: UnsafePointer<XML_Char>
    ) {
        if unsafe isText(name, "type") {
            type = unsafe String(cString: value)
        } else if unsafe isText(name, "sourceName") {
            sourceName = unsafe String(cString: value)
        } else if unsafe isText(name, "device") {
            device = unsafe String(cString: value)
        } else if unsafe isText(name, "unit") {
            unit = unsafe String(cString: value)
        } else if unsafe isText(name, "startDate") {
            startDate = unsafe String(cString: value)
        } else if unsafe isText(name, "endDate") {
            endDate = unsafe String(cString: value)
        } else if unsafe isText(name, "value") {
            self.value = unsafe String(cString: value)
        }
    }
}

private func document(_ pointer: UnsafeMutableRawPointer?) -> HealthDataXML? {
    unsafe pointer.map { unsafe Unmanaged<HealthDataXML>.fromOpaque($0).takeUnretainedValue() }
}

/// Whether a text of C, which ends with a NUL, is another one.
private func isText(_ text: UnsafePointer<XML_Char>, _ other: StaticString) -> Bool {
    for place in 0...other.utf8CodeUnitCount
    where unsafe UInt8(bitPattern: text[place]) != other.utf8Start[place] {
        return false
    }
    return true
}
