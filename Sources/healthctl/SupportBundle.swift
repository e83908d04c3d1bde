import ControlProtocol
import JSON

/// A text file with what a report of a fault needs, without names of people and without readings.
///
/// Of an address only the maker's half stays; what is the same before is the same in it.
struct SupportBundle {
    /// The text of the file.
    let text: String

    /// What is to be known, under headings.
    init(_ checks: [DoctorCheck], _ daemon: DaemonReport, _ host: HostReport) {
        var sections = [
            ("versions", Self.versions(host)),
            ("doctor", checks.map { $0.text(isColored: false) }.joined()),
        ]
        for request in DaemonReport.requests {
            let octets = (daemon.answers[request] ?? []).flatMap { indented($0) }
            let refusal = daemon.refusals[request].map { $0.message + "\n" } ?? ""
            sections.append((request, String(decoding: octets, as: UTF8.self) + refusal))
        }
        sections.append(("log", ProgramOutput(Self.journal)?.text ?? ""))
        var redaction = Redaction(Self.names(daemon) + [host.socket.user])
        text = redaction.applied(
            to: sections.map { "== \($0.0)\n\($0.1)" }.joined(separator: "\n"))
    }

    /// Writes it where nobody else can read it.
    ///
    /// - Throws: A failure with the reason of the system.
    func write(to path: String) throws(Failure) {
        var file = try FreshFile(replacing: path)
        try file.write(Array(text.utf8))
        try file.commit()
    }

    private static let journal = [
        "journalctl", "--unit", "healthd", "--lines", "200", "--no-pager", "--output", "short-iso",
        "--no-hostname", "--quiet",
    ]

    private static func versions(_ host: HostReport) -> String {
        let system = ProgramOutput(["uname", "-srm"])?.text ?? ""
        let release = ProgramOutput(["sed", "-n", "s/^PRETTY_NAME=//p", "/etc/os-release"])?.text
        return "healthctl \(Release.version)\nbluetoothd \(host.bluetoothdVersion ?? "none")\n"
            + system + (release ?? "")
    }

    /// The members that say who or which one it is.
    private static func names(_ daemon: DaemonReport) -> [String] {
        (daemon.answers["devices"] ?? []).flatMap { device in
            ["name", "subject", "serial", "systemID", "system_id"].map { device.text($0) }
        }
    }
}

/// Takes names and the telling halves of addresses out of a text.
struct Redaction {
    private let names: [String]
    private var addresses: [String: String] = [:]

    /// Without these names; those that are words of healthd's own stay.
    init(_ names: [String]) {
        let telling = Set(names).subtracting(["", "root", "healthd", "me"])
        self.names = telling.sorted { ($1.count, $1) < ($0.count, $0) }
    }

    /// The text without them.
    mutating func applied(to text: String) -> String {
        var text = text
        for (place, name) in names.enumerated() {
            text = without(name, "NAME-\(place + 1)", in: text)
        }
        let pattern = /(?i)([0-9A-F]{2}[:_]){5}[0-9A-F]{2}/
        return text.replacing(pattern) { match in redacted(String(match.output.0)) }
    }

    /// A few letters of Latin are part of many words: they are a name where they stand alone.
    private func without(_ name: String, _ word: String, in text: String) -> String {
        let isShort = name.count <= 3 && name.utf8.count == name.count
        var (result, start) = ("", text.startIndex)
        for range in text.ranges(of: name) where !isShort || text.isAlone(range) {
            result += text[start..<range.lowerBound] + word
            start = range.upperBound
        }
        return result + text[start...]
    }

    private mutating func redacted(_ address: String) -> String {
        let key = address.uppercased().replacing("_", with: ":")
        if let known = addresses[key] { return known }
        let word = "\(key.prefix(8)):xx:xx:\(addresses.count + 1)"
        addresses[key] = word
        return word
    }
}

extension String {
    /// Whether neither a letter nor a digit stands beside a part.
    fileprivate func isAlone(_ range: Range<Index>) -> Bool {
        let beside = [self[..<range.lowerBound].last, self[range.upperBound...].first]
        return beside.allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
    }
}
