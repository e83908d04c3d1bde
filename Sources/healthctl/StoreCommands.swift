extension Command {
    /// `healthctl delete`.
    static let delete = Command(
        verb: .delete, arguments: .samplesOrTypes,
        options: [
            .since, .until, .match, .condition, .device, .subject, .source, .modality, .quality,
            .unit, .zone, .utc, .dryDelete, .yes, .failEmpty, .output(OutputFormat.forValues),
        ],
        formats: OutputFormat.forValues, summary: "delete readings for good",
        details: [
            "Whole readings go: every sample that came in the same packet. What would go is shown",
            "first, and needs a `yes`; --yes deletes unasked. Deleted readings do not come back when",
            "a recording of them is replayed. --device without a type removes all that came from it.",
        ],
        examples: [
            Example(line: "delete 17.0", summary: "the reading of one sample"),
            Example(
                line: "delete spo2 hr -S yesterday -U today --dry-run",
                summary: "only look what would go"),
            Example(line: "delete --device \"Anna's iPhone\"", summary: "a whole source"),
        ])

    /// `healthctl assign`.
    static let assign = Command(
        verb: .assign, arguments: .deviceAndSubject, options: [.since, .until, .zone, .utc],
        formats: [], summary: "tell whose readings the ones of a device are",
        details: ["Without -S and -U all of its readings are, also those that come."],
        examples: [
            Example(line: "assign 00:1C:05:01:02:03 anna", summary: "always"),
            Example(line: "assign Nonin3230 ben -S today", summary: "from today on"),
        ])

    /// `healthctl backup`.
    static let backup = Command(
        verb: .backup, arguments: .file, options: [], formats: [],
        summary: "copy the store while healthd runs",
        details: [
            "FILE is replaced once the copy is whole and on disk. To restore it, stop healthd, run",
            "`healthd --restore FILE`, and start healthd.",
        ],
        examples: [Example(line: "backup health.db", summary: "a copy in this folder")])

    /// `healthctl checkpoint`.
    static let checkpoint = Command(
        verb: .checkpoint, arguments: .none, options: [], formats: [],
        summary: "wait until everything is on disk", details: [],
        examples: [Example(line: "checkpoint", summary: "before the power goes")])

    /// `healthctl explain`.
    static let explain = Command(
        verb: .explain, arguments: .sample,
        options: [.output(OutputFormat.forValues), .zone, .utc],
        formats: OutputFormat.forValues, summary: "how a sample came about, from the octets on",
        details: [],
        examples: [Example(line: "explain 17.0", summary: "octets, clocks, quality and samples")])

    /// `healthctl access`.
    static let access = Command(
        verb: .access, arguments: .none, options: [.output(OutputFormat.forObjects)],
        formats: OutputFormat.forObjects, summary: "what you may read and write, and why",
        details: [], examples: [Example(line: "access", summary: "one line a type")])

    /// `healthctl metrics`.
    static let metrics = Command(
        verb: .metrics, arguments: .none, options: [.output(OutputFormat.forObjects)],
        formats: OutputFormat.forObjects, summary: "the counters of healthd", details: [],
        examples: [Example(line: "metrics -o json", summary: "for a program")])
}
