internal import ControlProtocol
internal import Measurements
internal import Samples

/// Everything that a configuration file can set.
package struct Configuration: Equatable, Sendable {
    /// Where readings come from.
    package enum Source: String, CaseIterable, Sendable {
        /// The sensors that BlueZ knows.
        case bluez
        /// Nowhere: only what is replayed.
        case none
    }

    /// Where readings come from.
    package var source = Source.bluez
    /// The directory of the store; nil for the service manager's or the default.
    package var stateDirectory: String?
    /// The path of the socket; nil for the service manager's or the default.
    package var socket: String?
    /// The name of the zone that sensors' clocks show; nil for the host's.
    package var zone: String?
    /// How long readings may wait for each other before they are written, in ms.
    package var commitInterval: Int64 = 10_000

    /// For how long readings are kept.
    package struct Retention: Equatable, Sendable {
        /// The age in ms at which they are dropped.
        package let age: Int64
        /// Whether statistics of what is dropped stay.
        package let keepsSummaries: Bool
    }

    /// For how long readings are kept; nil means for ever.
    package var retention: Retention? {
        keptAge.map { Retention(age: $0, keepsSummaries: keepsSummaries) }
    }
    private var keptAge: Int64?
    private var keepsSummaries = true
    /// The least age: a slip of the pen must not delete what came today, in ms.
    private static let leastAge: Int64 = 86_400_000

    /// Whether an adapter that is off may be switched on, once each time that it appears.
    package var powersAdaptersOn = false
    /// Whether sensors' stored records are deleted on them once they are on the disk here.
    package var deletesStoredRecords = false
    /// Whether sensors' clocks are set.
    package var setsClocks = true

    /// The sources whose amounts are preferred where several have counted the same, by name.
    package var sourcePriority: [String] = []

    /// What is said of single sensors; if nothing is, all that are paired are read.
    var sensors: [DeviceAddress: SensorConfiguration] = [:]
    /// Who may read and change what.
    var access = AccessRules()

    /// The defaults.
    package init() {}

    /// The keys there are: section, name, and what a value does.
    private static let keys: [Key] = [
        Key("daemon", "source") { configuration, value in
            guard let source = Source(rawValue: value) else { return "bluez or none" }
            configuration.source = source
            return nil
        },
        Key("daemon", "state_dir") { configuration, value in
            configuration.stateDirectory = value
            return value.hasPrefix("/") ? nil : "an absolute path"
        },
        Key("daemon", "socket") { configuration, value in
            configuration.socket = value
            return value.hasPrefix("/") ? nil : "an absolute path"
        },
        Key("time", "zone") { configuration, value in
            configuration.zone = value
            return Zone(named: value) == nil ? "the name of a zone, such as Europe/Berlin" : nil
        },
        Key("store", "commit_interval") { configuration, value in
            guard let interval = milliseconds(value), (100...10_000).contains(interval) else {
                return "a duration from 100ms to 10s"
            }
            configuration.commitInterval = interval
            return nil
        },
        Key("retention", "keep") { configuration, value in
            configuration.keptAge = milliseconds(value)
            guard value != "forever" else { return nil }
            guard let age = configuration.keptAge, age >= leastAge else {
                return "forever, or an age of at least 1d, such as 104w"
            }
            return nil
        },
        Key("retention", "summaries") { configuration, value in
            configuration.keepsSummaries = value == "keep"
            return ["keep", "drop"].contains(value) ? nil : "keep or drop"
        },
        Key("sources", "priority") { configuration, value in
            configuration.sourcePriority = SourcePriority.names(in: value) ?? []
            return configuration.sourcePriority.isEmpty
                ? "names of sources with commas between them, each once, at most "
                    + "\(SourcePriority.mostNames)" : nil
        },
        Key("bluetooth", "power_on") { configuration, value in
            configuration.powersAdaptersOn = value == "auto"
            return ["never", "auto"].contains(value) ? nil : "never or auto"
        },
        Key("bluetooth", "delete_stored_records") { configuration, value in
            configuration.deletesStoredRecords = value == "yes"
            return ["yes", "no"].contains(value) ? nil : "yes or no"
        },
        Key("bluetooth", "set_clocks") { configuration, value in
            configuration.setsClocks = value == "yes"
            return ["yes", "no"].contains(value) ? nil : "yes or no"
        },
    ]

    /// The keys there are outside of sensors' sections and of `[access]`.
    static var keyNames: [(section: String, name: String)] { keys.map { ($0.section, $0.name) } }

    /// One key: `apply` sets it, or says what a value must be.
    private struct Key: Sendable {
        let section: String
        let name: String
        let apply: @Sendable (inout Configuration, String) -> String?

        init(
            _ section: String, _ name: String,
            _ apply: @escaping @Sendable (inout Configuration, String) -> String?
        ) {
            self.section = section
            self.name = name
            self.apply = apply
        }
    }

    /// Reads the text of a file.
    ///
    /// - Throws: All that is wrong with it, in the order of its lines.
    package init(parsing text: String) throws(ConfigurationErrors) {
        let file = ConfigurationFile(text)
        let sensors = noteSensors(file.sections)
        let errors = (file.errors + sensors + file.entries.compactMap { apply($0) })
            .sorted { $0.line ?? 0 < $1.line ?? 0 }
        guard errors.isEmpty else { throw ConfigurationErrors(all: errors) }
    }

    private mutating func apply(_ entry: ConfigurationFile.Entry) -> ConfigurationError? {
        if entry.section == "access" { return grant(entry) }
        if Self.sensor(ofSection: entry.section) != nil { return applySensor(entry) }
        let section = Self.keys.filter { $0.section == entry.section }
        guard !section.isEmpty else { return Self.unknownSection(entry) }
        guard let key = section.first(where: { $0.name == entry.key }) else {
            let hint = nearest(to: entry.key, in: section.map(\.name))
            let known = "[\(entry.section)] has " + section.map(\.name).joined(separator: ", ")
            return ConfigurationError(
                line: entry.line,
                "unknown key `\(entry.key)` in [\(entry.section)]" + didYouMean(hint, else: known))
        }
        guard let wanted = key.apply(&self, entry.value) else { return nil }
        return ConfigurationError(
            line: entry.line, "`\(entry.key)` is «\(entry.value)»; it must be \(wanted)")
    }

    private mutating func grant(_ entry: ConfigurationFile.Entry) -> ConfigurationError? {
        switch AccessRules.Rule.parse(entry.key, entry.value) {
        case .success(let rule):
            access.rules.append(rule)
            return nil
        case .failure(let error): return ConfigurationError(line: entry.line, error.text)
        }
    }

    private static func unknownSection(_ entry: ConfigurationFile.Entry) -> ConfigurationError {
        let sections = keys.map(\.section) + ["access", "sensor"]
        let hint = nearest(to: entry.section, in: sections)
        let known = "the sections are " + Set(sections).sorted().joined(separator: ", ")
        return ConfigurationError(
            line: entry.line,
            "unknown section [\(entry.section)]" + didYouMean(hint, else: known))
    }

    private static func milliseconds(_ text: String) -> Int64? {
        do throws(TimeExpressionError) {
            return try ZonedDuration(text).fixedMilliseconds
        } catch {
            return nil
        }
    }
}

/// All that is wrong with a configuration file.
package struct ConfigurationErrors: Error, Equatable, Sendable {
    /// The errors, in the order of the lines.
    package let all: [ConfigurationError]
}
