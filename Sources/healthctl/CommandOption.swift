/// One option: what parsing, the request and the help need to know of it.
struct CommandOption: Equatable, Sendable {
    /// The long name, without dashes.
    let name: String
    /// The letter of the short form, if there is one.
    let letter: Character?
    /// The form of its value as the help shows it; nil if it takes none.
    let form: String?
    /// The key of the request that carries the value; nil if the daemon does not see it.
    let key: String?
    /// What it does, in one line.
    let summary: String

    /// An option with the given parts.
    init(
        _ name: String, _ letter: Character? = nil, _ form: String? = nil, key: String? = nil,
        help summary: String
    ) {
        self.name = name
        self.letter = letter
        self.form = form
        self.key = key
        self.summary = summary
    }

    /// Both forms as the help shows them: `-S, --since TIME`.
    var usage: String {
        let short = letter.map { "-\($0), " } ?? "    "
        return short + "--\(name)" + (form.map { " \($0)" } ?? "")
    }
}

extension CommandOption {
    /// Understood by every command, also before its name.
    static let global: [CommandOption] = [socket, quiet, color, noPager, help, version]

    /// Where the daemon listens.
    static let socket = CommandOption(
        "socket", nil, "PATH",
        help: "default: $HEALTHD_SOCKET, else \(defaultSocket)")
    /// Silences remarks and progress.
    static let quiet = CommandOption(
        "quiet", "q", help: "no remarks and no progress on standard error")
    /// Whether tables are coloured.
    static let color = CommandOption(
        "color", nil, "auto|always|never", help: "colour in tables (default: auto, on a terminal)")
    /// Keeps long output from being shown page by page.
    static let noPager = CommandOption(
        "no-pager", help: "no $PAGER (default: less) for long output on a terminal")
    /// Shows how a command is used.
    static let help = CommandOption("help", "h", help: "this help")
    /// Shows the version.
    static let version = CommandOption("version", help: "the version of healthctl")

    /// Where a daemon under systemd listens.
    static let defaultSocket = "/run/healthd/healthd.sock"
}

extension CommandOption {
    /// Where the interval begins.
    static let since = CommandOption(
        "since", "S", "TIME", key: "start", help: "from this time on: today, -1h, 2026-11-29 22:00")
    /// Where the interval ends.
    static let until = CommandOption("until", "U", "TIME", key: "end", help: "before this time")
    /// How many samples, and from which end of the interval.
    static let limit = CommandOption(
        "limit", "n", "N", help: "the newest N of the interval; +N: the oldest N")
    /// Turns the order of the output.
    static let reverse = CommandOption("reverse", "r", help: "the newest first")
    /// Which time orders samples.
    static let sort = CommandOption(
        "sort", nil, "start|end", key: "sort",
        help: "order by when samples began (default) or ended")
    /// Continues after a page.
    static let after = CommandOption(
        "after", nil, "CURSOR", key: "after", help: "go on where the page before ended")
    /// Which samples belong to the interval.
    static let match = CommandOption(
        "match", nil, "start|overlap", key: "match",
        help: "samples that begin in the interval, or touch it")
    /// Selects by value.
    static let condition = CommandOption(
        "where", nil, "value<90", key: "where", help: "only values that fulfil the condition")
    /// Selects by device.
    static let device = CommandOption(
        "device", nil, "ADDRESS|NAME", key: "device", help: "only this device")
    /// Selects by person.
    static let subject = CommandOption(
        "subject", nil, "NAME", key: "subject", help: "only this person")
    /// Selects by where samples came from.
    static let source = CommandOption(
        "source", nil, "ble|replay|import", key: "source", help: "only from this source")
    /// Selects by how it was measured.
    static let modality = CommandOption(
        "modality", nil, "NAME,…|all", key: "modality",
        help: "how measured: spot, continuous, fast, …")
    /// Selects by how far values can be relied on.
    static let quality = CommandOption(
        "quality", nil, "NAME,…|all", key: "quality",
        help: "how reliable (default: ok,questionable)")
    /// The unit of the output.
    static let unit = CommandOption(
        "unit", nil, "UNIT", key: "unit", help: "in this unit: degF, K, fraction")
    /// The unit of exported samples.
    static let exportedUnit = CommandOption(
        "unit", nil, "UNIT", help: "in this unit (default: as each was sent)")
    /// The zone of times in the request and in the output.
    static let zone = CommandOption(
        "tz", nil, "ZONE", help: "times in this zone (default: $TZ, else /etc/localtime)")
    /// Short for the zone UTC.
    static let utc = CommandOption("utc", help: "times in UTC")
    /// Makes an empty answer a failure.
    static let failEmpty = CommandOption("fail-empty", help: "exit 5 if there is nothing to show")
    /// Makes an old value a failure.
    static let maxAge = CommandOption(
        "max-age", nil, "DURATION", key: "max-age",
        help: "exit 4 if a value is older, such as 10s or 12h")
    /// Assigns the readings of a recording to a person.
    static let assignedSubject = CommandOption(
        "subject", nil, "NAME", key: "subject", help: "whose readings these are")
    /// What samples come from that name no source.
    static let importedSource = CommandOption(
        "device", nil, "NAME", key: "device",
        help: "the source of samples that name none (default: import)")
    /// Counts without storing.
    static let dryRun = CommandOption("dry-run", help: "read and count, store nothing")
    /// Makes a damaged line of a recording a failure.
    static let strictReplay = CommandOption("strict", help: "exit 65 if a line is damaged")
    /// Makes a sample of an import that cannot be used a failure.
    static let strictImport = CommandOption("strict", help: "exit 65 if a sample cannot be used")
    /// Makes a line that does not decode a failure.
    static let strictDecode = CommandOption("strict", help: "exit 65 if a line of the input fails")

    /// Where the feed begins.
    static let anchor = CommandOption(
        "since", nil, "ANCHOR|start|now",
        help: "begin behind an anchor, with the first sample, or now (default)")
    /// Where records begin, which are all of the past.
    static let pastAnchor = CommandOption(
        "since", nil, "ANCHOR|start", help: "begin behind an anchor, or with the first sample")
    /// Where the position in the feed is kept.
    static let cursorFile = CommandOption(
        "cursor-file", nil, "FILE", help: "go on where FILE says, and keep the place in it")
    /// How often the daemon gives a sign of life.
    static let heartbeat = CommandOption(
        "heartbeat", nil, "SECONDS", key: "heartbeat",
        help: "sign of life that often (default: \(WatchCommand.heartbeat))")
    /// Ends a live output.
    static let mostRecords = CommandOption("limit", "n", "N", help: "end after N lines")
    /// How many records one answer has.
    static let mostChanges = CommandOption(
        "limit", "n", "N", key: "limit", help: "end after N records, but never within a packet")
    /// Continues a recording.
    static let append = CommandOption("append", help: "go on in a file that is there")
    /// A capture instead of a recording.
    static let btsnoop = CommandOption(
        "btsnoop", help: "write a capture for btmon and Wireshark instead of a recording")
    /// Asks for the whole manual.
    static let manual = CommandOption("man", help: "the manual page healthctl(1), for `man -l -`")
    /// What a make-believe sensor does wrong.
    static let fault = CommandOption(
        "fault", nil, "NAME,…", help: "what it does wrong, by the names below")
    /// What the make-believe depends on.
    static let seed = CommandOption(
        "seed", nil, "N", help: "the same number gives the same values (default: 1)")
    /// Writes without waiting.
    static let fast = CommandOption("fast", help: "write at once, not as time passes")
    /// Writes what a report of a fault needs.
    static let bundle = CommandOption(
        "bundle", nil, "FILE", help: "also write what a report of a fault needs, without names")
    /// Deletes without asking.
    static let yes = CommandOption("yes", "y", help: "do not ask, for scripts")
    /// Counts without deleting.
    static let dryDelete = CommandOption("dry-run", help: "only tell what would be deleted")

    /// The option for the form of the output, with what a command offers.
    static func output(_ formats: [OutputFormat]) -> CommandOption {
        let names = formats.map(\.rawValue)
        return CommandOption(
            "output", "o", names.joined(separator: "|"),
            help: "form of the output (default: \(names.first ?? ""))")
    }
}
