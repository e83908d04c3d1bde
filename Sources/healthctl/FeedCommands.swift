extension Command {
    /// `healthctl watch`.
    static let watch = Command(
        verb: .watch, arguments: .types,
        options: [
            .anchor, .cursorFile, .mostRecords, .output(FeedPrinter.formats), .heartbeat,
            .modality, .quality, .zone, .utc,
        ],
        formats: FeedPrinter.formats, summary: "samples as they come in, until Ctrl-C",
        details: [
            "It goes on by itself when healthd was away, without a gap and without a repetition.",
            "With --cursor-file it also goes on where it was when it is started again; FILE is",
            "written after the output, at most once a second and at the end. Ctrl-C prints the",
            "anchor, with which --since goes on. A sample may also be updated or deleted: the table",
            "says so, -o json in `class`, csv and tsv in the last column.",
        ],
        examples: [
            Example(line: "watch", summary: "everything"),
            Example(line: "watch spo2 hr -o json", summary: "two types, for a program"),
            Example(
                line: "watch --since start --cursor-file f -o tsv",
                summary: "a copy that goes on where it was"),
        ])

    /// `healthctl changes`.
    static let changes = Command(
        verb: .changes, arguments: .types,
        options: [
            .pastAnchor, .cursorFile, .mostChanges, .output(FeedPrinter.formats), .modality,
            .quality,
            .zone, .utc, .failEmpty,
        ],
        formats: FeedPrinter.formats,
        summary: "what was added, updated and deleted since an anchor",
        details: [
            "The anchor to go on from is told at the end; --cursor-file keeps it."
        ],
        examples: [
            Example(line: "changes --since start -n 100 -o json", summary: "the first 100 records"),
            Example(
                line: "changes --since start --cursor-file f",
                summary: "what is new since the last time"),
        ])

    /// `healthctl record`.
    static let record = Command(
        verb: .record, arguments: .recording, options: [.append, .btsnoop], formats: [],
        summary: "record what sensors send, until Ctrl-C (.gattlog)",
        details: [
            "From now on, with all that is needed to take it in again with `healthctl replay`. The",
            "file must be new, but for --append. What came is on disk after a second at most. It goes",
            "on by itself when healthd was away; what is missing then is said, also in the file.",
            "With --btsnoop the links, and what host and sensor said before the first value, are made up;",
            "zones have no place in it.",
        ],
        examples: [
            Example(line: "record night.gattlog", summary: "from now on"),
            Example(line: "record --append night.gattlog", summary: "in a file that is there"),
            Example(line: "record - | gzip > night.gz", summary: "for another program"),
            Example(line: "record --btsnoop night.btsnoop", summary: "for `btmon -r` or Wireshark"),
        ])
}
