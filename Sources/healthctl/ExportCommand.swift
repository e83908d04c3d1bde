import ControlProtocol
import Glibc
import JSON

extension Command {
    /// `healthctl export`.
    static let export = Command(
        verb: .export, arguments: .types,
        options: [
            .since, .until, .output(OutputFormat.forExport), .device, .subject, .source,
            .exportedUnit, .zone, .utc,
        ],
        formats: OutputFormat.forExport,
        summary: "write samples or packets to standard output, for other programs",
        details: [
            "ndjson: sources and samples as objects, one a line, of every modality and quality and in",
            "the units that sensors used; `healthctl import` brings them back. csv: the same samples as",
            "a table. gattlog: the packets of sensors as a recording for `healthctl replay`. Without",
            "TYPE everything that you may read is written.",
        ],
        examples: [
            Example(line: "export > samples.ndjson", summary: "all samples"),
            Example(
                line: "export spo2 hr -S -30d -o csv > month.csv", summary: "for a spreadsheet"),
            Example(line: "export -o gattlog > all.gattlog", summary: "the packets themselves"),
        ])
}

/// `healthctl export`: writes what the store holds, as it comes.
enum ExportCommand {
    /// Writes the samples or packets of an interval.
    ///
    /// - Throws: A usage failure, the daemon's, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        if session.format == .gattlog { return try exportPackets(&session) }
        var connection = try session.connect()
        let types = try types(&connection, session)
        if session.format == .ndjson { try exportSources(&connection, &session) }
        try connection.send(try request("samples", types, samples(session), session))
        try exportSamples(&connection, &session)
        return ExitCode.success
    }

    /// Every modality and quality, as each sample was sent.
    private static func samples(_ session: Session) -> [Request.Option] {
        let unit = session.invocation[.exportedUnit] ?? "sent"
        let format = session.format == .ndjson ? "json" : "tsv"
        return [("modality", "all"), ("quality", "all"), ("unit", unit), ("format", format)]
            .map { Request.Option(key: $0.0, value: $0.1) }
    }

    /// A request of another verb with the options that select samples.
    private static func request(
        _ verb: String, _ types: [String], _ more: [Request.Option], _ session: Session
    ) throws(Failure) -> Request {
        let request = try session.request(arguments: types, more)
        return Request(verb: verb, arguments: request.arguments, options: request.options)
    }

    /// The types that were named, else all that may be read; what may not is said.
    private static func types(
        _ connection: inout Connection, _ session: Session
    ) throws(Failure) -> [String] {
        guard session.invocation.arguments.isEmpty else { return session.invocation.arguments }
        try connection.send(Request(verb: "access", arguments: [], options: []))
        var parser = JSONParser()
        var types: [String] = []
        var denied: [String] = []
        while let line = try connection.nextLine() {
            guard case .object(let text) = line else { continue }
            let object = try object(text, with: &parser)
            guard let type = object["type"]?.string else { continue }
            if object["read"]?.string == "authorized" {
                types.append(type)
            } else {
                denied.append(type)
            }
        }
        if !denied.isEmpty {
            session.remark(
                "left out, because you may not read it: \(denied.joined(separator: ", "))")
        }
        // Where nothing may be read, the daemon says why.
        return types.isEmpty ? denied : types
    }

    /// Writes what is known of the devices, for those who import it.
    private static func exportSources(
        _ connection: inout Connection, _ session: inout Session
    ) throws(Failure) {
        try connection.send(Request(verb: "devices", arguments: [], options: []))
        while let line = try connection.nextLine() {
            if case .object(let text) = line { try session.output.writeLine(text) }
        }
    }

    private static func exportSamples(
        _ connection: inout Connection, _ session: inout Session
    ) throws(Failure) {
        var printer = SamplePrinter(
            format: session.format == .csv ? .csv : .json, isColored: false)
        while let line = try connection.nextLine() {
            switch line {
            case .object(let text), .row(let text): try printer.print(text, to: &session.output)
            case .remark, .end: break
            }
        }
        try printer.finish(&session.output)
    }

    /// Writes packets as a recording.
    private static func exportPackets(_ session: inout Session) throws(Failure) -> Int32 {
        guard session.invocation[.exportedUnit] == nil else {
            throw .usage("--unit is for samples; packets are octets")
        }
        var connection = try session.connect()
        try connection.send(
            try request("readings", session.invocation.arguments, [], session))
        while let line = try connection.nextLine() {
            switch line {
            case .object(let text): try session.output.writeLine(text)
            case .remark(let text) where isOfRecording(text): try session.output.writeLine(text)
            case .remark, .row, .end: break
            }
        }
        for remark in leftOut(connection.details ?? [:]) { session.remark(remark) }
        return ExitCode.success
    }

    private static func isOfRecording(_ remark: ArraySlice<UInt8>) -> Bool {
        remark.starts(with: "# gattlog ".utf8) || remark.starts(with: "# Zone:".utf8)
    }

    /// What the recording does not hold, and why.
    private static func leftOut(_ details: [String: String]) -> [String] {
        [
            ("imported", "imported samples are no packets: export them with -o ndjson"),
            ("denied", "packets left out, because you may not read all that they hold"),
            ("inexact", "packets will have another time when the recording is replayed"),
        ].compactMap { key, text in
            guard let number = details[key].flatMap({ Int($0) }), number > 0 else { return nil }
            return "\(grouped(number)) \(text)"
        }
    }
}
