import Simulation

extension Command {
    /// `healthctl why`.
    static let why = Command(
        verb: .why, arguments: .optionalDevice,
        options: [.output(OutputFormat.forValues), .zone, .utc],
        formats: OutputFormat.forValues, summary: "why there is no reading, and what to do",
        details: [
            "Each paragraph says what holds, what that is concluded from, and what to do. Without a",
            "DEVICE it is about bluetoothd, the adapters and every sensor.",
        ],
        examples: [
            Example(line: "why", summary: "everything"),
            Example(line: "why Nonin3230", summary: "one sensor"),
        ])

    /// `healthctl simulate`.
    static let simulate = Command(
        verb: .simulate, arguments: .simulatedSensor,
        options: [.fault, .mostRecords, .seed, .fast], formats: [],
        summary: "what a make-believe sensor sends, as a recording; needs no Bluetooth",
        details: [
            "It writes a recording (.gattlog) as time passes, to be looked at or to be taken in by",
            "`healthctl replay -`. The same seed gives the same values. Faults:",
        ] + SensorFault.allCases.map { "  \($0.rawValue): \($0.summary)" },
        examples: [
            Example(line: "simulate -n 20", summary: "an oximeter's first events"),
            Example(
                line: "simulate strap --fault drops | healthctl replay -",
                summary: "a strap into the store, as it happens"),
        ])

    /// `healthctl top`.
    static let top = Command(
        verb: .top, arguments: .none, options: [], formats: [],
        summary: "every sensor and its newest values, drawn anew each second",
        details: [
            "A trend tells the last value from one of up to a minute before. A stale value has none.",
            "q ends it. Without a terminal it prints one picture.",
        ],
        examples: [Example(line: "top", summary: "what the sensors say now")])

    /// `healthctl doctor`.
    static let doctor = Command(
        verb: .doctor, arguments: .none,
        options: [.bundle, .output(OutputFormat.forValues)],
        formats: OutputFormat.forValues,
        summary: "whether everything that readings need is there",
        details: [
            "It looks at healthd, its socket, your rights, the configuration, the store, the disk, the",
            "clock, bluetoothd, the adapter, what blocks or disturbs it, bonds and sensors. It changes",
            "nothing. The exit code is 1 if something fails; warnings leave it 0. The file of --bundle",
            "holds the same and the log, without names and without readings.",
        ],
        examples: [
            Example(line: "doctor", summary: "what is wrong, and what to do"),
            Example(line: "doctor --bundle report.txt", summary: "a file to send with a report"),
        ])

    /// `healthctl gaps`.
    static let gaps = Command(
        verb: .gaps, arguments: .types,
        options: [
            .since, .until, .device, .leastGap, .output(OutputFormat.forObjects), .zone, .utc,
            .failEmpty,
        ],
        formats: OutputFormat.forObjects, summary: "when nothing came, and why",
        details: [
            "Of streams it tells the pauses between values that last longer than --min and than five",
            "times the sensor's rhythm; of every sensor also when it could not be heard. Without -S it",
            "looks back for 24 hours. A cause that nobody has noted is told as unknown.",
        ],
        examples: [
            Example(line: "gaps", summary: "the last 24 hours"),
            Example(
                line: "gaps spo2 -S \"yesterday 22:00\" -U 07:00 --min 1m", summary: "a night"),
        ])

    /// `healthctl pair`.
    static let pair = Command(
        verb: .pair, arguments: .optionalAddress,
        options: [.window, .yes, .output(OutputFormat.forValues)],
        formats: OutputFormat.forValues, summary: "pair a sensor, and wait for its first reading",
        details: [
            "Sensors that can be paired are listed as they are heard: switch yours on, and bring it into",
            "pairing mode. Questions are asked on the terminal; --yes answers every one that needs no",
            "number, and takes the only sensor there is. Only a reading makes it say that the sensor",
            "works. Ctrl-C ends it.",
        ],
        examples: [
            Example(line: "pair", summary: "look for sensors, and choose one"),
            Example(
                line: "pair 00:1C:05:01:02:03 --yes --window 5m", summary: "one sensor, in a script"
            ),
        ])

    /// `healthctl forget`.
    static let forget = Command(
        verb: .forget, arguments: .device, options: [.yes], formats: [],
        summary: "remove the pairing with a sensor",
        details: ["Its readings stay in the store; it must be paired again to send more."],
        examples: [Example(line: "forget Nonin3230", summary: "asks before it does")])

    /// `healthctl set-clock`.
    static let setClock = Command(
        verb: .setClock, arguments: .device, options: [], formats: [],
        summary: "set a sensor's clock, now or when it is next connected",
        details: ["It is only set while this computer's own clock is known to be right."],
        examples: [Example(line: "set-clock UT-201", summary: "and read back")])
}

extension Command.Arguments {
    /// A device, by address or name.
    static let device = Command.Arguments(
        usage: "DEVICE", least: 1, most: 1,
        missing: "the address or name of a device; `healthctl devices` lists them")
    /// At most one device.
    static let optionalDevice = Command.Arguments(
        usage: "[DEVICE]", least: 0, most: 1, missing: "")
    /// At most one address.
    static let optionalAddress = Command.Arguments(
        usage: "[ADDRESS]", least: 0, most: 1, missing: "")
}

extension CommandOption {
    /// The shortest pause that counts as a gap.
    static let leastGap = CommandOption(
        "min", nil, "DURATION", key: "min", help: "only gaps that last longer (default: 10s)")
    /// How long pairing may take.
    static let window = CommandOption(
        "window", nil, "DURATION", key: "window", help: "how long it may take (default: 2m)")
}
