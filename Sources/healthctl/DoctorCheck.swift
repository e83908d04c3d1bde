import JSON

/// One thing that was looked at: what holds, what that is concluded from, and what to do.
struct DoctorCheck: Equatable {
    /// What a check is about, in the order in which one thing needs the other.
    enum Subject: String, CaseIterable {
        /// Whether healthd answers.
        case daemon
        /// Whether the caller may open its socket.
        case socket
        /// What the caller may read.
        case access
        /// Whether the configuration can be read as it is.
        case configuration
        /// Whether the store is whole.
        case store
        /// Whether it has room.
        case disk
        /// Whether the host's clock is right.
        case clock
        /// Whether bluetoothd runs, and which one.
        case bluetoothd
        /// Whether there is an adapter that is on.
        case controller
        /// Whether Bluetooth is switched off by a key or by software.
        case rfkill
        /// Whether other programs search, which keeps sensors waiting.
        case scanners
        /// Whether sensors and this host know each other.
        case bonds
        /// How each sensor fares.
        case sensors
    }

    /// How good it is.
    enum Level: String {
        /// As it should be.
        case ok
        /// Worth knowing.
        case warn
        /// It keeps readings away, or answers.
        case fail
    }

    /// What it is about.
    let subject: Subject
    /// How good it is.
    let level: Level
    /// What holds.
    let text: String
    /// What that is concluded from; may be empty.
    var evidence = ""
    /// What to do; empty where there is nothing to do.
    var next = ""
    /// The sensor that it is about.
    var device: String?

    /// A check with the given parts.
    init(
        _ subject: Subject, _ level: Level, _ text: String, evidence: String = "",
        next: String = "", device: String? = nil
    ) {
        self.subject = subject
        self.level = level
        self.text = text
        self.evidence = evidence
        self.next = next
        self.device = device
    }

    /// One that healthd itself has made.
    init(_ subject: Subject, finding: JSONValue) {
        self.init(
            subject, Level(rawValue: finding.text("level")) ?? .warn, finding.text("text"),
            evidence: finding.text("evidence"), next: finding.text("next"),
            device: finding["device"]?.string)
    }
}

extension DoctorCheck {
    /// The check as an object on a line.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("class", "check")
            json.member("check", subject.rawValue)
            json.member("level", level.rawValue)
            json.member("device", device)
            json.member("text", text)
            json.member("evidence", evidence)
            json.member("next", next)
        }
        json.endLine()
        return json.octets
    }

    /// A line for a person, and below it what is not as it should be.
    func text(isColored: Bool) -> String {
        let columns = [TextTable.Column(""), TextTable.Column(""), TextTable.Column("")]
        let widths = [
            TextTable.Cell("warn"), TextTable.Cell(Subject.configuration.rawValue),
            TextTable.Cell(""),
        ]
        let table = TextTable(columns, measuring: [widths], isColored: isColored)
        let words = (device.map { "\($0): " } ?? "") + text
        let first = table.line([
            TextTable.Cell(level.rawValue, WhyCommand.style(level.rawValue)),
            TextTable.Cell(subject.rawValue), TextTable.Cell(words),
        ])
        guard level != .ok else { return first + "\n" }
        let more = [WhyCommand.labelled("seen", evidence), WhyCommand.labelled("next", next)]
        return ([first] + more.filter { !$0.isEmpty }.map { "    \($0)" })
            .map { $0 + "\n" }.joined()
    }
}
