/// What a request can ask for: the one table that parsing, `help` and the documentation come from.
package struct Verb: Sendable {
    /// The word that the request begins with.
    package let name: String
    /// The arguments, as the help shows them.
    package let arguments: Arguments
    /// The keys that are understood.
    package let keys: [Key]
    /// Whether only an administrator may ask for it.
    package let needsAdmin: Bool
    /// What it does, in one line.
    package let summary: String

    /// What may stand without a key.
    package enum Arguments: Sendable {
        /// Nothing.
        case none
        /// Any number of sample types.
        case types
        /// At least one sample type.
        case oneOrMoreTypes
        /// One sample type.
        case oneType
        /// The name of a report.
        case report
        /// The id of a sample.
        case id
        /// Ids of samples, or sample types.
        case idsOrTypes
        /// A device, or nothing.
        case device
        /// The address of a sensor.
        case address
        /// The address of a sensor, or nothing.
        case optionalAddress
        /// One word.
        case value
    }

    /// One key, and the form of its value as the help shows it.
    package struct Key: Sendable {
        /// The key.
        package let name: String
        /// The form of its value.
        package let form: String
    }

    /// All verbs, in the order of the help.
    package static let all: [Verb] = [
        Verb("help", summary: "what can be asked"),
        Verb("hello", summary: "the greeting again"),
        Verb("ping", summary: "nothing but OK"),
        Verb("quit", summary: "close when all before is answered"),
        Verb("types", summary: "the types of samples, their units, ranges and codes"),
        Verb("devices", keys: [zone], summary: "the devices that readings came from"),
        Verb("sources", keys: [zone], summary: "what samples came from, and from when to when"),
        Verb("status", keys: [zone], summary: "how the daemon fares, and why there is no reading"),
        Verb(
            "latest", .types,
            keys: [Key("max-age", "DURATION")] + filters + [Key("unit", "UNIT"), zone],
            summary: "the newest sample of each type, with its age"),
        Verb(
            "samples", .oneOrMoreTypes,
            keys: [
                Key("start", "TIME"), Key("end", "TIME"), Key("limit", "N"),
                Key("order", "asc|desc"), Key("sort", "start|end"), Key("after", "CURSOR"),
                Key("match", "start|overlap"),
            ] + filters + [
                Key("where", "value<90"), Key("unit", "UNIT"), zone, Key("format", "json|tsv"),
            ],
            summary: "the samples of an interval"),
        Verb(
            "stats", .oneType,
            keys: [Key("start", "TIME"), Key("end", "TIME")] + statistics + filters
                + [Key("unit", "UNIT"), zone, Key("format", "json|tsv")],
            summary: "what the values of an interval come to"),
        Verb(
            "series", .oneType,
            keys: [
                Key("bucket", "15m|1h|1d|1w|1mo|night"), Key("start", "TIME"), Key("end", "TIME"),
                Key("fill", "none|null"),
            ] + statistics + filters + [Key("unit", "UNIT"), zone, Key("format", "json|tsv")],
            summary: "what values come to, hour by hour, day by day or night by night"),
        Verb(
            "report", .report,
            keys: [Key("start", "TIME"), Key("end", "TIME"), Key("threshold", "38.0")] + filters
                + [zone],
            summary: "desaturations per hour, or the days with fever"),
        Verb(
            "changes", .types,
            keys: [Key("since", "ANCHOR|start"), Key("limit", "N")] + kinds + [zone],
            summary: "what happened to samples since an anchor"),
        Verb(
            "follow", .types,
            keys: [Key("since", "ANCHOR|now|start"), Key("heartbeat", "SECONDS")] + kinds + [zone],
            summary: "what happens to samples, until the next request"),
        Verb("why", .device, keys: [zone], summary: "why there is no reading, or that all is well"),
        Verb(
            "gaps", .types,
            keys: [
                Key("device", "ADDRESS|NAME"), Key("start", "TIME"), Key("end", "TIME"),
                Key("min", "DURATION"), zone,
            ],
            summary: "when nothing came, and why"),
        Verb(
            "readings", .types,
            keys: [
                Key("start", "TIME"), Key("end", "TIME"), Key("device", "ADDRESS|NAME"),
                Key("subject", "NAME"), Key("source", "ble|replay|import"), zone,
            ],
            summary: "the packets of sensors, as lines of a recording"),
        Verb("explain", .id, keys: [zone], summary: "the packet behind a sample, and what it says"),
        Verb("metrics", summary: "counters for programs that watch the daemon"),
        Verb("access", summary: "what you may read and change, and why"),
        Verb(
            "replay", keys: [Key("subject", "NAME"), Key("dry-run", "yes|no")], needsAdmin: true,
            summary: "take a recording in: lines of .gattlog, then a line with a dot"),
        Verb(
            "import",
            keys: [
                Key("device", "NAME"), Key("subject", "NAME"), Key("dry-run", "yes|no"),
            ], needsAdmin: true,
            summary: "take samples of other programs in: lines of JSON, then a line with a dot"),
        Verb(
            "record", needsAdmin: true,
            summary: "what sensors send from now on, as lines of .gattlog, until the next request"),
        Verb(
            "delete", .idsOrTypes,
            keys: [Key("start", "TIME"), Key("end", "TIME"), Key("match", "start|overlap")]
                + filters + [
                    Key("where", "value<90"), Key("unit", "UNIT"), zone, Key("dry-run", "yes|no"),
                ],
            needsAdmin: true, summary: "delete whole readings; they do not come back"),
        Verb(
            "assign",
            keys: [
                Key("device", "ADDRESS|NAME"), Key("subject", "NAME"), Key("start", "TIME"),
                Key("end", "TIME"), zone,
            ], needsAdmin: true, summary: "say whose the readings of a device are"),
        Verb(
            "pair", .optionalAddress, keys: [Key("window", "DURATION"), Key("yes", "yes|no")],
            needsAdmin: true, summary: "pair a sensor, and wait for its first reading"),
        Verb(
            "answer", .value, needsAdmin: true,
            summary: "answer a question of `pair`, while it goes on"),
        Verb("forget", .address, needsAdmin: true, summary: "remove the bond with a sensor"),
        Verb("set-clock", .address, needsAdmin: true, summary: "set a sensor's clock"),
        Verb(
            "reprocess", keys: [zone, Key("dry-run", "yes|no")], needsAdmin: true,
            summary: "sum everything up anew, or tell what would come out different"),
        Verb("backup", needsAdmin: true, summary: "a copy of the store, in pieces"),
        Verb("checkpoint", needsAdmin: true, summary: "return when everything is on the disk"),
    ]

    /// The verb of this name, with all of a request's keys and arguments known to it.
    ///
    /// - Throws: `unknown-verb`, `unknown-key` or `syntax`, with the nearest match.
    package static func of(_ request: Request) throws(ProtocolError) -> Verb {
        guard let verb = all.first(where: { $0.name == request.verb }) else {
            let hint = nearest(to: request.verb, in: all.map(\.name))
            throw ProtocolError(
                .unknownVerb,
                "unknown verb `\(request.verb)`" + didYouMean(hint, else: "try `help`"))
        }
        try verb.check(request)
        return verb
    }

    private func check(_ request: Request) throws(ProtocolError) {
        for option in request.options where !keys.contains(where: { $0.name == option.key }) {
            let hint = nearest(to: option.key, in: keys.map(\.name))
            throw ProtocolError(
                .unknownKey,
                "`\(name)` has no key `\(option.key)`" + didYouMean(hint, else: usage)
            ).with("key", option.key)
        }
        switch arguments {
        case .none where !request.arguments.isEmpty:
            throw ProtocolError(
                .syntax, "`\(name)` takes no argument `\(request.arguments[0])`; \(usage)")
        case .oneOrMoreTypes where request.arguments.isEmpty:
            throw ProtocolError(.syntax, "`\(name)` needs a type of samples; \(usage)")
        case .oneType where request.arguments.count != 1:
            throw ProtocolError(.syntax, "`\(name)` needs one type of samples; \(usage)")
        case .report where request.arguments.count != 1:
            throw ProtocolError(.syntax, "`\(name)` needs the name of a report; \(usage)")
        case .idsOrTypes where request.arguments.isEmpty && request["device"] == nil:
            throw ProtocolError(
                .syntax, "`\(name)` needs ids or types of samples, or a device; \(usage)")
        case .id where request.arguments.count != 1:
            throw ProtocolError(.syntax, "`\(name)` needs the id of one sample; \(usage)")
        case .device where request.arguments.count > 1,
            .optionalAddress where request.arguments.count > 1:
            throw ProtocolError(
                .syntax, "`\(name)` takes no argument `\(request.arguments[1])`; \(usage)")
        case .address where request.arguments.count != 1:
            throw ProtocolError(.syntax, "`\(name)` needs the address of one sensor; \(usage)")
        case .value where request.arguments.count != 1:
            throw ProtocolError(.syntax, "`\(name)` needs one word; \(usage)")
        case .none, .types, .oneOrMoreTypes, .oneType, .report, .id, .idsOrTypes, .device,
            .address, .optionalAddress, .value:
            break
        }
    }

    /// How the verb is written.
    package var usage: String {
        let options = keys.map { "[\($0.name)=\($0.form)]" }
        return ([name] + arguments.usage + options).joined(separator: " ")
    }

    private init(
        _ name: String, _ arguments: Arguments = .none, keys: [Key] = [],
        needsAdmin: Bool = false, summary: String
    ) {
        self.name = name
        self.arguments = arguments
        self.keys = keys
        self.needsAdmin = needsAdmin
        self.summary = summary
    }

    private static let zone = Key("tz", "ZONE")

    private static let kinds = [
        Key("modality", "NAME[,NAME]|all"), Key("quality", "NAME[,NAME]|all"),
    ]

    private static let statistics = [
        Key(
            "fn", "count,min,max,avg,median,p95,first,last,sum,below90,time-below90,twavg,coverage"),
        Key("by", "device|subject|source"),
    ]

    private static let filters =
        [
            Key("device", "ADDRESS|NAME"), Key("subject", "NAME"),
            Key("source", "ble|replay|import"),
        ] + kinds
}

extension Verb.Key {
    fileprivate init(_ name: String, _ form: String) {
        self.name = name
        self.form = form
    }
}

extension Verb.Arguments {
    fileprivate var usage: [String] {
        switch self {
        case .none: []
        case .types: ["[TYPE…]"]
        case .oneOrMoreTypes: ["TYPE…"]
        case .oneType: ["TYPE"]
        case .report: ["odi|fever"]
        case .id: ["ID"]
        case .idsOrTypes: ["[ID…|TYPE…]"]
        case .device: ["[DEVICE]"]
        case .address: ["ADDRESS"]
        case .optionalAddress: ["[ADDRESS]"]
        case .value: ["VALUE"]
        }
    }
}
