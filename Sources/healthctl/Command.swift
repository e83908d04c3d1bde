/// One verb of the command line: the one table that parsing, dispatch and help come from.
struct Command: Sendable {
    /// The verb.
    let verb: CommandVerb
    /// The words beside the options.
    let arguments: Arguments
    /// The options, without the global ones.
    let options: [CommandOption]
    /// What `-o` offers, the default first; empty if there is no such option.
    let formats: [OutputFormat]
    /// What it does, in one line.
    let summary: String
    /// What there is to know beside that, line by line.
    let details: [String]
    /// Command lines, and what each does.
    let examples: [Example]

    /// How many words beside the options there may be, and what they are.
    struct Arguments: Sendable {
        /// As the help shows them.
        let usage: String
        /// The least number.
        let least: Int
        /// The greatest number; nil if there is none.
        let most: Int?
        /// What is said when there are too few.
        let missing: String
    }

    /// A command line that can be copied.
    struct Example: Sendable {
        /// The words behind `healthctl`.
        let line: String
        /// What it does.
        let summary: String
    }

    /// The options that may stand behind the verb.
    var allOptions: [CommandOption] { options + CommandOption.global }

    /// How the command is written, in one line.
    var usage: String {
        let words = ["healthctl", verb.rawValue, arguments.usage, "[OPTION…]"]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// The verbs of the command line.
enum CommandVerb: String, CaseIterable, Sendable {
    /// The samples of an interval.
    case samples
    /// What values come to.
    case stats
    /// What values come to, piece by piece.
    case series
    /// Counts of falls, or days with fever.
    case report
    /// A chart.
    case plot
    /// The newest samples.
    case latest
    /// The samples that come in, as they come.
    case watch
    /// What happened since an anchor.
    case changes
    /// How a sample came about.
    case explain
    /// The types of samples.
    case types
    /// The devices.
    case devices
    /// What samples came from.
    case sources
    /// How the daemon fares.
    case status
    /// Why there is no reading.
    case why
    /// Every sensor and its newest values, again and again.
    case top
    /// Whether everything that readings need is there.
    case doctor
    /// When nothing came.
    case gaps
    /// What the caller may do.
    case access
    /// The counters of the daemon.
    case metrics
    /// Pairs a sensor.
    case pair
    /// Removes the pairing with a sensor.
    case forget
    /// Sets a sensor's clock.
    case setClock = "set-clock"
    /// Takes recordings in.
    case replay
    /// Takes samples of other programs in.
    case `import`
    /// Writes samples for other programs.
    case export
    /// Turns captures into recordings.
    case convert
    /// Records what sensors send.
    case record
    /// Tells whose readings a device sends.
    case assign
    /// Deletes readings.
    case delete
    /// Sums everything up anew.
    case reprocess
    /// Copies the store.
    case backup
    /// Brings everything to disk.
    case checkpoint
    /// What a make-believe sensor sends.
    case simulate
    /// Decodes octets without the daemon.
    case decode
    /// Helps shells to complete command lines.
    case completion
    /// Shows how a command is used.
    case help
}

extension Command.Arguments {
    /// There are none.
    static let none = Command.Arguments(usage: "", least: 0, most: 0, missing: "")
    /// Any number of sample types.
    static let types = Command.Arguments(usage: "[TYPE…]", least: 0, most: nil, missing: "")
    /// At least one sample type.
    static let oneOrMoreTypes = Command.Arguments(
        usage: "TYPE…", least: 1, most: nil,
        missing: "a type of samples, such as spo2; `healthctl types` lists them")
    /// At least one file.
    static let files = Command.Arguments(
        usage: "FILE…", least: 1, most: nil,
        missing: "a recording or a capture, or - for standard input")
    /// At least one file of samples.
    static let sampleFiles = Command.Arguments(
        usage: "FILE…", least: 1, most: nil,
        missing: "a file of samples, such as export.zip, or - for standard input")
    /// One file that is read.
    static let capture = Command.Arguments(
        usage: "FILE", least: 1, most: 1, missing: "a capture, or - for standard input")
    /// One sample.
    static let sample = Command.Arguments(
        usage: "ID", least: 1, most: 1,
        missing: "the id of a sample, such as 17.0; `healthctl samples -o json` shows it")
    /// Samples, or types of samples.
    static let samplesOrTypes = Command.Arguments(
        usage: "[ID…|TYPE…]", least: 0, most: nil,
        missing: "ids of samples, such as 17.0, or types, such as spo2, or --device")
    /// A device and a person.
    static let deviceAndSubject = Command.Arguments(
        usage: "DEVICE SUBJECT", least: 2, most: 2,
        missing: "the address or name of a device, and the name of a person")
    /// A file to write, or standard output.
    static let recording = Command.Arguments(
        usage: "FILE", least: 1, most: 1, missing: "a file, or - for standard output")
    /// A file to write.
    static let file = Command.Arguments(usage: "FILE", least: 1, most: 1, missing: "a file")
    /// A characteristic and its octets, or nothing for standard input.
    static let value = Command.Arguments(
        usage: "[CHARACTERISTIC HEX…]", least: 0, most: nil, missing: "")
    /// A make-believe sensor.
    static let simulatedSensor = Command.Arguments(
        usage: "[oximeter|thermometer|strap]", least: 0, most: 1, missing: "")
    /// At most one verb.
    static let verb = Command.Arguments(usage: "[COMMAND]", least: 0, most: 1, missing: "")
}
