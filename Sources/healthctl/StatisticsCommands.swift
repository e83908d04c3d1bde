extension Command {
    private static let ofSamples: [CommandOption] = [
        .device, .subject, .source, .modality, .quality, .zone, .utc, .failEmpty,
    ]

    private static let functions = [
        "NAME is count, min, max, avg, median, p0 to p100, first, last, sum (of steps), below90,",
        "time-below90 (in seconds), twavg (weighted with time) or coverage (in percent); the",
        "numbers are as you like. A value stands until the next one, if that comes within 10 s.",
    ]

    /// `healthctl stats`.
    static let stats = Command(
        verb: .stats, arguments: .oneType,
        options: [.since, .until, .functions, .grouping, .unit, .output(OutputFormat.forSamples)]
            + ofSamples,
        formats: OutputFormat.forSamples, summary: "what the values of an interval come to",
        details: functions,
        examples: [
            Example(line: "stats hr -S today", summary: "count, least, greatest, mean and median"),
            Example(
                line:
                    "stats spo2 -S \"yesterday 22:00\" -U 07:00 --fn min,p5,time-below90,coverage",
                summary: "a night"),
        ])

    /// `healthctl series`.
    static let series = Command(
        verb: .series, arguments: .oneType,
        options: [
            .since, .until, .bucket, .functions, .grouping, .fill, .unit,
            .output(OutputFormat.forSamples),
        ] + ofSamples,
        formats: OutputFormat.forSamples,
        summary: "what values come to, hour by hour, day by day or night by night",
        details: [
            "SIZE is 15m, 1h, 1d, 1w (from Monday), 1mo or night (noon to noon), or another number",
            "of s, m, h (at most a day), d, w or mo, by the clocks of the zone.",
        ] + functions,
        examples: [
            Example(line: "series spo2 --bucket night --fn min,median,below90", summary: "nights"),
            Example(line: "series hr --bucket 1h -S today -o csv", summary: "for a spreadsheet"),
        ])

    /// `healthctl report`.
    static let report = Command(
        verb: .report, arguments: .report,
        options: [.since, .until, .threshold, .output(OutputFormat.forValues)] + ofSamples,
        formats: OutputFormat.forValues,
        summary: "desaturations per hour, or the days with fever",
        details: [
            "odi counts falls of the oxygen saturation by 3 and 4 points for each hour of valid",
            "values, and the time below 90 and 88 %. fever gives the highest temperature of each",
            "day. Both are counts made by a program, and no diagnosis.",
        ],
        examples: [
            Example(line: "report odi -S \"yesterday 22:00\" -U 07:00", summary: "a night"),
            Example(line: "report fever -S -14d --threshold 38.5", summary: "two weeks"),
        ])

    /// `healthctl plot`.
    static let plot = Command(
        verb: .plot, arguments: .oneType,
        options: [.since, .until, .ascii] + ofSamples, formats: [],
        summary: "a chart: the band from the least to the greatest value, with its gaps",
        details: [
            "The chart is as wide as the terminal, or $COLUMNS, or 80. Where there were no values the",
            "line below the chart is broken. Of steps it shows the sums.",
        ],
        examples: [Example(line: "plot spo2 -S \"yesterday 22:00\" -U 07:00", summary: "a night")])

    /// `healthctl reprocess`.
    static let reprocess = Command(
        verb: .reprocess, arguments: .none,
        options: [.dryReprocess, .zone, .utc, .output(OutputFormat.forValues)],
        formats: OutputFormat.forValues, summary: "sum everything up anew from the packets",
        details: [
            "healthd does so by itself after an update that reads packets better; until it is done,",
            "answers are made from the packets. --dry-run tells what would come out different.",
        ],
        examples: [Example(line: "reprocess --dry-run", summary: "only look")])
}

extension CommandOption {
    /// What is asked of values.
    static let functions = CommandOption(
        "fn", nil, "NAME,…", key: "fn", help: "functions (default: count,min,max,avg,median)")
    /// What values are told apart by.
    static let grouping = CommandOption(
        "by", nil, "device|subject|source", key: "by", help: "a line for each of these")
    /// How an interval is cut.
    static let bucket = CommandOption(
        "bucket", "b", "SIZE", key: "bucket", help: "one line for each 15m, 1h, 1d, 1w, 1mo, night")
    /// Whether pieces without values are told.
    static let fill = CommandOption(
        "fill", nil, "none|null", key: "fill", help: "whether pieces without values are shown")
    /// From when on a temperature is a fever.
    static let threshold = CommandOption(
        "threshold", nil, "CEL", key: "threshold", help: "fever from here on (default: 38.0)")
    /// Draws without block characters.
    static let ascii = CommandOption(
        "ascii", help: "only ASCII (default: as the locale says)")
    /// Compares without storing.
    static let dryReprocess = CommandOption(
        "dry-run", help: "only tell what would come out different")
}

extension Command.Arguments {
    /// One sample type.
    static let oneType = Command.Arguments(
        usage: "TYPE", least: 1, most: 1,
        missing: "a type of samples, such as spo2; `healthctl types` lists them")
    /// A report.
    static let report = Command.Arguments(
        usage: "odi|fever", least: 1, most: 1, missing: "a report, which is odi or fever")
}
