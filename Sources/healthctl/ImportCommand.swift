import ControlProtocol
import Imports
import JSON
import Samples

extension Command {
    /// `healthctl import`.
    static let importing = Command(
        verb: .import, arguments: .sampleFiles,
        options: [
            .importedSource, .assignedSubject, .dryRun, .strictImport, .zone, .utc,
            .output(OutputFormat.forValues),
        ],
        formats: OutputFormat.forValues, summary: "take samples of other programs in",
        details: [
            "FILE is what `healthctl export` wrote, a table (CSV) whose first line names the columns",
            "start, type, value and maybe end, unit, device, subject, site, modality, quality, or an",
            "export of Apple Health: export.zip or export.xml, of which oxygen saturation, heart rate,",
            "body temperature and steps are taken. The same file again adds nothing, so that an import",
            "that was interrupted goes on when it is begun again. --tz is for times without an offset.",
        ],
        examples: [
            Example(line: "import export.zip", summary: "what an iPhone exported"),
            Example(line: "import samples.ndjson", summary: "what `healthctl export` wrote"),
            Example(
                line: "import pulse.csv --device Polar --tz Europe/Berlin", summary: "a table"),
        ])
}

/// `healthctl import`: sends samples of files to the daemon, one file after another.
enum ImportCommand {
    /// Imports each file and prints an account of it; a file that cannot be read stops no other.
    ///
    /// - Returns: The code of the first file that failed.
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let zone = try session.knownZone()
        var code = ExitCode.success
        for path in session.invocation.arguments {
            let result = try take(path, zone, &session)
            if code == ExitCode.success { code = result }
        }
        return code
    }

    private static func take(
        _ path: String, _ zone: Zone, _ session: inout Session
    ) throws(Failure) -> Int32 {
        let input: ImportInput
        do throws(Failure) {
            input = try ImportInput.opened(path, zone: zone)
        } catch {
            writeToStandardError("healthctl: \(printable(error.message))\n")
            return error.exitCode
        }
        var exchange = ReplayExchange(input, over: try session.connect(), isQuiet: session.isQuiet)
        try exchange.run(request(session), &session)
        let report = ImportReport(exchange.account, exchange.input.converter.others)
        try report.print(&session)
        if let damage = exchange.input.damage {
            writeToStandardError(
                "healthctl: \(printable("\(path): \(damage); what came before is taken"))\n")
            return ExitCode.dataError
        }
        let isFailure = report.unusable > 0 && session.invocation.has(.strictImport)
        return isFailure ? ExitCode.dataError : ExitCode.success
    }

    private static func request(_ session: Session) -> Request {
        var options: [Request.Option] = []
        for option in [CommandOption.importedSource, .assignedSubject] {
            guard let key = option.key, let value = session.invocation[option] else { continue }
            options.append(Request.Option(key: key, value: value))
        }
        if session.invocation.has(.dryRun) {
            options.append(Request.Option(key: "dry-run", value: "yes"))
        }
        return Request(verb: "import", arguments: [], options: options)
    }
}

/// What an import came to: the daemon's account, and what did not even get there.
private struct ImportReport {
    private let account: ReplayAccount
    private let others: [(name: String, count: Int)]

    init(_ account: ReplayAccount, _ others: [String: Int]) {
        self.account = account
        self.others = others.sorted {
            ($0.value, $1.key) > ($1.value, $0.key)
        }.map { ($0.key, $0.value) }
    }

    /// Samples that should have been taken and could not be used.
    var unusable: Int {
        account.damaged + (others.first { $0.name == "unusable" }?.count ?? 0)
    }

    func print(_ session: inout Session) throws(Failure) {
        switch session.format {
        case .text: try session.output.write(printable(text) + "\n")
        case .json, .jsonPretty: try printObject(&session)
        case .table, .csv, .tsv, .ndjson, .gattlog: break
        }
        try session.output.flush()
    }

    private var text: String {
        let parts = [account.samples, account.skipped, notTaken].compactMap(\.self)
        return "\(account.name): " + parts.joined(separator: "; ")
    }

    private var notTaken: String? {
        guard !others.isEmpty else { return nil }
        let total = others.reduce(0) { $0 + $1.count }
        let list = others.map { "\(grouped($0.count)) \(Self.shortName($0.name))" }
        return "\(grouped(total)) not taken (\(list.joined(separator: ", ")))"
    }

    /// HealthKit's names without the words that all of them begin with.
    private static func shortName(_ name: String) -> String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
        where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }

    /// The object that says what of the file was not sent to the daemon.
    private func printObject(_ session: inout Session) throws(Failure) {
        guard !others.isEmpty else { return }
        var json = JSONWriter()
        json.object { json in
            json.member("class", "notTaken")
            json.object("types") { json in
                for other in others { json.member(other.name, other.count) }
            }
        }
        json.endLine()
        if session.format == .json {
            try session.output.write(json.octets)
        } else {
            var parser = JSONParser()
            try session.output.write(indented(try object(json.octets[...], with: &parser)))
        }
    }
}
