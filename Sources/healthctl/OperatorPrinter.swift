import JSON

/// Shows what the daemon says of a sensor that is paired, and understands what is typed.
struct OperatorPrinter {
    private let format: OutputFormat
    private let isQuiet: Bool
    /// The addresses that were shown, by the number that stands before them.
    private var candidates: [String] = []
    private var question: Question?

    /// What was asked last.
    private enum Question {
        case choice
        case yesOrNo
        case value
    }

    /// A printer in the session's form of output.
    init(_ session: Session) {
        format = session.format
        isQuiet = session.isQuiet
    }

    /// Shows a message; data goes to standard output, the rest to standard error.
    ///
    /// - Throws: A failure of the output.
    mutating func print(
        _ message: JSONValue, _ line: ArraySlice<UInt8>, to output: inout StandardOutput
    ) throws(Failure) {
        note(message)
        switch format {
        case .json: try output.writeLine(line)
        case .jsonPretty: try output.write(indented(message))
        case .text, .table, .csv, .tsv, .ndjson, .gattlog:
            guard let text = text(message) else { return }
            if isResult(message) { return try output.write(text) }
            if !isQuiet || message.text("class") == "ask" { writeToStandardError(text) }
        }
    }

    /// Whether a message waits for a line of the operator's.
    func needsAnswer(_ message: JSONValue) -> Bool {
        message.text("class") == "ask" && message.text("kind") != "display"
    }

    /// What a line answers to the last question; nil if it cannot be understood, which is said.
    func answer(_ line: String) -> String? {
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        switch question {
        case .choice:
            if let number = Int(words), candidates.indices.contains(number - 1) {
                return candidates[number - 1]
            }
            if candidates.contains(words.uppercased()) { return words.uppercased() }
            writeToStandardError("type the number or the address of a sensor in the list: ")
            return nil
        case .yesOrNo:
            switch words.lowercased() {
            case "y", "yes": return "yes"
            case "n", "no": return "no"
            default:
                writeToStandardError("type yes or no: ")
                return nil
            }
        case .value, nil: return words.isEmpty ? nil : words
        }
    }
}

extension OperatorPrinter {
    private mutating func note(_ message: JSONValue) {
        switch message.text("class") {
        case "candidate":
            let address = message.text("device")
            if !candidates.contains(address) { candidates.append(address) }
        case "ask":
            switch message.text("kind") {
            case "choose": question = .choice
            case "confirm", "authorize": question = .yesOrNo
            default: question = .value
            }
        default: break
        }
    }

    private func isResult(_ message: JSONValue) -> Bool {
        message.text("class") == "candidate" || message.text("step") == "done"
    }

    private func text(_ message: JSONValue) -> String? {
        switch message.text("class") {
        case "candidate": printable(candidate(message)) + "\n"
        case "ask": ask(message)
        case "progress": printable(message.text("text")) + "\n"
        default: nil
        }
    }

    private func candidate(_ message: JSONValue) -> String {
        let address = message.text("device")
        let number = candidates.firstIndex(of: address).map { "\($0 + 1)" } ?? "?"
        let kinds = message.texts("services").compactMap(Self.kind).joined(separator: ", ")
        let signal = message.text("rssi")
        let parts = [
            "\(number). \(address)", message.text("name"), kinds,
            signal.isEmpty ? "" : "\(signal) dBm",
            message["paired"]?.bool ?? false ? "paired already" : "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func ask(_ message: JSONValue) -> String {
        let text = printable(message.text("text"))
        let number = message.text("number")
        let shown = number.isEmpty || text.contains(number) ? text : "\(text) \(printable(number))"
        switch message.text("kind") {
        case "display": return shown + "\n"
        case "confirm", "authorize": return shown + " Type yes or no: "
        default: return shown + ": "
        }
    }

    /// What a health service makes a sensor; nil for others.
    private static func kind(_ service: String) -> String? {
        switch service.lowercased() {
        case "1822": "pulse oximeter"
        case "1809": "thermometer"
        case "180d": "heart rate strap"
        default: nil
        }
    }
}
