extension Command {
    /// All commands, in the order of the help.
    static let all: [Command] = CommandVerb.allCases.map(of)

    /// The command of this verb.
    static func of(_ verb: CommandVerb) -> Command {
        switch verb {
        case .samples: samples
        case .stats: stats
        case .series: series
        case .report: report
        case .plot: plot
        case .latest: latest
        case .watch: watch
        case .changes: changes
        case .explain: explain
        case .types: types
        case .devices: devices
        case .sources: sources
        case .status: status
        case .why: why
        case .doctor: doctor
        case .top: top
        case .gaps: gaps
        case .access: access
        case .metrics: metrics
        case .pair: pair
        case .forget: forget
        case .setClock: setClock
        case .replay: replay
        case .import: importing
        case .export: export
        case .convert: convert
        case .record: record
        case .assign: assign
        case .delete: delete
        case .reprocess: reprocess
        case .backup: backup
        case .checkpoint: checkpoint
        case .simulate: simulate
        case .decode: decode
        case .completion: completion
        case .help: help
        }
    }

    private static let filters: [CommandOption] = [
        .device, .subject, .source, .modality, .quality, .unit, .zone, .utc, .failEmpty,
    ]

    private static let samples = Command(
        verb: .samples, arguments: .oneOrMoreTypes,
        options: [
            .since, .until, .limit, .reverse, .output(OutputFormat.forSamples), .sort, .after,
            .match, .condition, .columns, .timeFormat, .decimals,
        ] + filters,
        formats: OutputFormat.forSamples, summary: "the samples of an interval",
        details: [
            "Samples are printed in the order of time, the oldest first. -n 20 prints the newest",
            "20 of the interval, still the oldest of them first; with -r the newest comes first;",
            "-n +20 prints the oldest 20. The interval holds its beginning but not its end.",
            "",
            "TIME is 2026-11-29, \"2026-11-29 22:00\", 22:00, today, yesterday, \"monday 08:00\",",
            "now, -1h30m, @1764450000 or 2026-11-29T22:00:00+01:00.",
        ],
        examples: [
            Example(
                line: "samples spo2 -S yesterday -n 20", summary: "the newest 20 since yesterday"),
            Example(
                line: "samples spo2 hr -S \"yesterday 22:00\" -U 07:00", summary: "a night"),
            Example(
                line: "samples temp -S 2020-12-01 --tz Asia/Tokyo -o csv",
                summary: "a table for a spreadsheet"),
            Example(line: "samples spo2 --where \"value<90\"", summary: "only low values"),
        ])

    private static let latest = Command(
        verb: .latest, arguments: .types,
        options: [.maxAge, .output(OutputFormat.forSamples)] + filters,
        formats: OutputFormat.forSamples,
        summary: "the newest sample of each type, with its age",
        details: [
            "A value is stale when it is older than its sensor's rhythm lets expect: 10 s for",
            "streams, 12 h for spot checks. Replayed and imported values are always stale.",
        ],
        examples: [
            Example(line: "latest", summary: "every type"),
            Example(
                line: "latest spo2 --max-age 10s -q",
                summary: "a check for a script: exit 4 if older"),
        ])

    private static let types = Command(
        verb: .types, arguments: .none, options: [.output(OutputFormat.forObjects)],
        formats: OutputFormat.forObjects,
        summary: "the types of samples, their units, ranges and codes", details: [],
        examples: [Example(line: "types", summary: "names that samples and latest take")])
}

extension Command {
    private static let devices = Command(
        verb: .devices, arguments: .none,
        options: [.output(OutputFormat.forObjects), .zone, .utc, .failEmpty],
        formats: OutputFormat.forObjects,
        summary: "the devices, how they fare, and when they were heard",
        details: [], examples: [Example(line: "devices", summary: "one line a device")])

    private static let status = Command(
        verb: .status, arguments: .none,
        options: [.output(OutputFormat.forObjects), .zone, .utc],
        formats: OutputFormat.forObjects,
        summary: "how the daemon fares, and why there is no reading", details: [],
        examples: [Example(line: "status", summary: "state, store and counts")])

    private static let replay = Command(
        verb: .replay, arguments: .files,
        options: [
            .assignedSubject, .dryRun, .strictReplay, .handles, .deviceOfUnknownLinks,
            .output(OutputFormat.forValues),
        ],
        formats: OutputFormat.forValues, summary: "take recordings and captures in",
        details: [
            "A recording (.gattlog) is sent to the daemon as it is, a capture (btsnoop, pcap, pcapng)",
            "as `healthctl convert` turns it into one; both may be in gzip. What is already known is",
            "counted as duplicate and adds nothing. Damaged lines are named and skipped.",
        ],
        examples: [
            Example(line: "replay night.gattlog", summary: "take one recording in"),
            Example(line: "replay --dry-run *.gattlog", summary: "only look what is in them"),
            Example(line: "replay btsnoop_hci.log", summary: "take a capture of Android's in"),
            Example(line: "replay - < night.gattlog", summary: "from standard input"),
        ])

    private static let decode = Command(
        verb: .decode, arguments: .value,
        options: [.output(OutputFormat.forValues), .strictDecode],
        formats: OutputFormat.forValues,
        summary: "what the octets of a characteristic mean; needs no daemon",
        details: [
            "CHARACTERISTIC is a number such as 2a5f, a UUID or a name, also SFLOAT, FLOAT and",
            "2906@2A21. HEX may hold blanks, colons and 0x. Without arguments each line of",
            "standard input is decoded to one JSON object; a line that fails gives an object with",
            "`error` and does not stop the rest.",
        ],
        examples: [
            Example(line: "decode 2a5f 0061004800", summary: "one value, as text"),
            Example(line: "decode -o json 2a1c \"00 68 01 00 ff\"", summary: "one value, as JSON"),
            Example(line: "decode < values.txt", summary: "many values"),
        ])

    private static let help = Command(
        verb: .help, arguments: .verb, options: [.manual], formats: [],
        summary: "this help, or the help of a command", details: [],
        examples: [Example(line: "help samples", summary: "all options of samples")])
}
