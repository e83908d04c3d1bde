import ControlProtocol
import Measurements
import Samples

/// `healthctl plot`: a chart of an interval, as wide as the terminal.
enum PlotCommand {
    /// Rows of a chart.
    private static let height = 12
    /// Places that the values at the left edge take, and the edge.
    private static let labelWidth = 9

    /// Draws the chart.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let base = try session.request(arguments: session.invocation.arguments)
        guard let interval = try interval(base, session) else { return noSamples(session) }
        let width = max(Environment.width - labelWidth, 10)
        let step = PlotStep(of: interval, columns: width)
        let series = try series(base, interval, step, session)
        let signs: Chart.Signs =
            session.invocation.has(.ascii) || !Environment.isUTF8 ? .ascii : .unicode
        guard let chart = Chart(series.columns, height: height, signs) else {
            for remark in series.header?.remarks(samples: 0) ?? [] { session.remark(remark) }
            return session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
        }
        let lines = [series.title(step)] + chart.lines + [series.ends]
        for line in lines { try session.output.writeLine(printable(line).utf8) }
        for remark in series.header?.remarks(samples: series.count) ?? [] {
            session.remark(remark)
        }
        return ExitCode.success
    }

    private static func noSamples(_ session: Session) -> Int32 {
        session.remark("no samples")
        return session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }

    /// The interval of the request; where it has no end, as far as there are samples.
    private static func interval(
        _ base: Request, _ session: Session
    ) throws(Failure) -> ClosedRange<Instant>? {
        let first = try outermost(base, "asc", session)
        guard let sample = first.sample else { return nil }
        let start = first.header?.interval.start ?? sample
        if let end = first.header?.interval.end { return start...max(end, start) }
        let last = try outermost(base, "desc", session).sample ?? sample
        return start...max(last.advanced(byMilliseconds: 1), start)
    }

    private static func outermost(
        _ base: Request, _ order: String, _ session: Session
    ) throws(Failure) -> (header: ReplyHeader?, sample: Instant?) {
        let options = ["limit": "1", "order": order, "format": "tsv"]
        let request = Request(
            verb: "samples", arguments: base.arguments,
            options: base.options
                + options.sorted { $0.key < $1.key }.map {
                    Request.Option(key: $0.key, value: $0.value)
                })
        var connection = try session.connect()
        try connection.send(request)
        var found: (header: ReplyHeader?, sample: Instant?) = (nil, nil)
        while let line = try connection.nextLine() {
            switch line {
            case .remark(let text): found.header = found.header ?? ReplyHeader(text)
            case .row(let text): found.sample = Instant(rfc3339: text.prefix { $0 != 9 })
            case .object, .end: break
            }
        }
        return found
    }

    private static func series(
        _ base: Request, _ interval: ClosedRange<Instant>, _ step: PlotStep, _ session: Session
    ) throws(Failure) -> PlotSeries {
        let isAmount = base.arguments.first.flatMap { SampleType(named: $0) }?.isCumulative ?? false
        let options = [
            ("start", interval.lowerBound.text()), ("end", interval.upperBound.text()),
            ("bucket", step.name), ("fn", isAmount ? "sum" : "min,max"), ("fill", "null"),
            ("format", "tsv"),
        ]
        let request = Request(
            verb: "series", arguments: base.arguments,
            options: base.options.filter { !["start", "end"].contains($0.key) }
                + options.map { Request.Option(key: $0.0, value: $0.1) })
        var connection = try session.connect()
        try connection.send(request)
        var series = PlotSeries()
        while let line = try connection.nextLine() { series.take(line) }
        remarkOnDamage(connection.details, session)
        return series
    }
}

/// How much time a column of a chart stands for.
struct PlotStep: Equatable {
    /// As `series` takes it.
    let name: String

    /// Steps that people can count in, in seconds, up to a day.
    private static let seconds: [Int64] = [
        1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 14_400,
        21_600, 28_800, 43_200, 86_400,
    ]

    /// The least step with which an interval takes at most so many columns.
    init(of interval: ClosedRange<Instant>, columns: Int) {
        let length = interval.upperBound.milliseconds - interval.lowerBound.milliseconds
        // Pieces begin at full steps, so that there are one or two more of them.
        let most = Int64(max(columns - 2, 1))
        guard let step = Self.seconds.first(where: { length / ($0 * 1000) <= most }) else {
            name = "\((length / 86_400_000 + most - 1) / most)d"
            return
        }
        name =
            step % 86_400 == 0
            ? "\(step / 86_400)d"
            : step % 3600 == 0
                ? "\(step / 3600)h" : step % 60 == 0 ? "\(step / 60)m" : "\(step)s"
    }
}

/// What a chart is drawn from.
struct PlotSeries {
    /// What the reply begins with.
    private(set) var header: ReplyHeader?
    /// A column for each piece.
    private(set) var columns: [Chart.Column?] = []
    /// How many values there are.
    private(set) var count = 0
    private var first = ""
    private var last = ""

    /// Nothing has come.
    init() {}

    /// Takes in the rows `start end count excluded min max`, or with the sum alone, which stands on 0.
    mutating func take(_ line: ReplyLine) {
        switch line {
        case .remark(let text): header = header ?? ReplyHeader(text)
        case .row(let text):
            let cells = text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard cells.count == 6 || cells.count == 5 else { return }
            if first.isEmpty { first = cells[0] }
            last = cells[1]
            count += Int(cells[2]) ?? 0
            let least = cells.count == 6 ? DecimalNumber(cells[4]) : DecimalNumber(0)
            columns.append(
                DecimalNumber(cells[cells.count - 1]).flatMap { greatest in
                    least.map { Chart.Column(least: $0, greatest: greatest) }
                })
        case .object, .end: break
        }
    }

    /// What the chart shows.
    func title(_ step: PlotStep) -> String {
        let unit = sign(ofUnit: header?.unit ?? "")
        let name = [header?.type ?? "", unit].filter { !$0.isEmpty }.joined(separator: ", ")
        let zone = header?.zone ?? ""
        return "\(name); \(zone); \(healthctl.count(count, "sample")), \(step.name) a column"
    }

    /// The interval, as far as the chart goes.
    var ends: String { "\(shortTime(first)) until \(shortTime(last))" }
}
