internal import Measurements

extension DecodedLine {
    /// The answer to the line for a person: what it is, then a line for each field, aligned.
    package var text: String {
        var rows = DecodedRows()
        switch self {
        case .value(let name, let value):
            rows.heading = name.heading
            rows.add(value)
        case .malformed(let name, let reason):
            rows.heading = name.heading
            rows.add("error", "\(reason.symbol): \(reason.explanation)")
        case .badHex(let name):
            rows.heading = name.heading
            rows.add("error", "the octets are not pairs of hexadecimal digits")
        case .unknownCharacteristic:
            rows.add("error", "no characteristic of this name or number is decoded")
        }
        return rows.text
    }
}

extension DecodableName {
    fileprivate var heading: String {
        uuid.map { "\(title) (\($0))" } ?? title
    }
}

/// The fields of one value, as a person reads them.
struct DecodedRows {
    /// What the value is.
    var heading: String?
    private var rows: [(key: String, value: String)] = []

    /// Adds a field; control characters, which a device may have sent, never reach a terminal.
    mutating func add(_ key: String, _ value: String) {
        let printable = value.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        rows.append((key, String(String.UnicodeScalarView(printable))))
    }

    /// Adds a field if the value has it.
    mutating func add(_ key: String, _ value: (some BinaryInteger)?, _ unit: String = "") {
        if let value { add(key, unit.isEmpty ? "\(value)" : "\(value) \(unit)") }
    }

    /// Adds a number of the sensor's, or why there is none, if the value has it.
    mutating func add(_ key: String, _ value: MedicalFloat?, _ unit: String) {
        guard let value else { return }
        let number = value.number.map { unit.isEmpty ? "\($0)" : "\($0) \(unit)" }
        add(key, number ?? value.meaning)
    }

    /// Adds a set of flags by their names, if the value has it.
    mutating func add(_ key: String, names: [String]?) {
        guard let names else { return }
        let words = names.map(inWords).joined(separator: ", ")
        add(key, words.isEmpty ? "none" : words)
    }

    /// Adds a number of the standard's by its name.
    mutating func add(_ key: String, _ code: UInt8, named name: String?) {
        add(key, name.map(inWords) ?? "\(code) (reserved)")
    }

    /// Adds what the decoder ignored, if it ignored something.
    mutating func ignored(flags: some FixedWidthInteger, trailing: Int) {
        if flags != 0 { add("reserved flags", "0x\(String(flags, radix: 16))") }
        if trailing != 0 { add("trailing", trailing, trailing == 1 ? "octet" : "octets") }
    }

    /// The heading and the fields, each on a line of its own.
    var text: String {
        let width = rows.map(\.key.count).max() ?? 0
        let lines = rows.map { row in
            row.key + String(repeating: " ", count: width - row.key.count + 2) + row.value
        }
        return ((heading.map { [$0] } ?? []) + lines).map { $0 + "\n" }.joined()
    }
}

extension MedicalFloat {
    /// A special value with its meaning; empty for a number.
    fileprivate var meaning: String {
        switch self {
        case .finite: ""
        case .nan: "NaN (no valid result)"
        case .nres: "NRes (not at this resolution)"
        case .positiveInfinity: "+INFINITY (above the range)"
        case .negativeInfinity: "-INFINITY (below the range)"
        case .reserved: "Reserved (no meaning)"
        }
    }
}

/// A name with blanks for underscores.
private func inWords(_ name: String) -> String {
    name.split(separator: "_").joined(separator: " ")
}
