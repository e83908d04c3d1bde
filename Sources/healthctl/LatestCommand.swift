import ControlProtocol
import JSON
import Samples

/// `healthctl latest`: the newest sample of each type, with its age.
enum LatestCommand {
    /// Prints the samples.
    ///
    /// - Returns: The code for a value that is older than `--max-age`, or for none at all.
    /// - Throws: A usage failure, the daemon's, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        let limit = try invocation[.maxAge].map(milliseconds)
        let lines = try fetch(&session)
        try print(lines, &session)
        if lines.isEmpty { session.remark("no samples") }
        if let limit, let reason = staleness(lines, invocation.arguments, limit) {
            session.remark(reason)
            return ExitCode.stale
        }
        return lines.isEmpty && invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }

    /// One sample, as it came and taken apart.
    struct Line {
        /// The text of the object.
        let text: [UInt8]
        /// The object.
        let sample: JSONValue
    }

    private static func milliseconds(_ text: String) throws(Failure) -> Int64 {
        do throws(TimeExpressionError) {
            return try ZonedDuration(text).fixedMilliseconds
        } catch {
            throw .usage("--max-age: \(error)")
        }
    }

    private static func fetch(_ session: inout Session) throws(Failure) -> [Line] {
        var connection = try session.connect()
        var parser = JSONParser()
        var lines: [Line] = []
        try connection.send(try session.request(arguments: session.invocation.arguments))
        while let line = try connection.nextLine() {
            guard case .object(let text) = line else { continue }
            lines.append(Line(text: Array(text), sample: try object(text, with: &parser)))
        }
        return lines
    }

    private static func print(_ lines: [Line], _ session: inout Session) throws(Failure) {
        if session.format == .table {
            let samples = lines.map(\.sample)
            return try session.output.write(LatestTable.text(samples, session.isColored))
        }
        var printer = SamplePrinter(format: session.format, isColored: session.isColored)
        let isJSON = session.format == .json || session.format == .jsonPretty
        for line in lines {
            let row = isJSON ? line.text : Array(SampleRow(line.sample).line.utf8)
            try printer.print(row[...], to: &session.output)
        }
        try printer.finish(&session.output)
    }

    /// Why what is asked for is not there at the wanted age; nil if it is.
    static func staleness(_ lines: [Line], _ asked: [String], _ limit: Int64) -> String? {
        for line in lines {
            let age = line.sample.seconds("age") ?? .max / 1000
            let type = line.sample.text("type")
            if age < 0 { return "\(type) is of the future: our clock is behind" }
            guard Int64(age) * 1000 > limit else { continue }
            return "\(type) is \(lengthOfTime(seconds: age)) old"
        }
        let types = Set(lines.map { $0.sample.text("type") })
        let missing = asked.first { name in
            SampleType(named: name).map { !types.contains($0.rawValue) } ?? false
        }
        return missing.map { "there is no sample of \($0)" }
            ?? (lines.isEmpty ? "there is no sample at all" : nil)
    }
}
