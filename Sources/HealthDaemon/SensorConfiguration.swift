internal import ControlProtocol
internal import Measurements

/// What a `[sensor ADDRESS]` section says of one sensor.
struct SensorConfiguration: Equatable, Sendable {
    /// What people call it; nil means its own name.
    var name: String?
    /// Whose its readings are from now on; nil leaves that as it is.
    var subject: String?
    /// Whether its readings are wanted.
    var isEnabled = true
    /// The address of the adapter that it is to be reached by; nil means any.
    var adapter: DeviceAddress?

    /// Sensors that may be configured: adapters keep fewer bonds, and each costs calls at every start.
    static let limit = 64
    /// The longest name, in octets.
    private static let longestName = 64

    /// The keys there are: name, and what a value does; it says what a value must be.
    static let keys: [String] = ["name", "subject", "enabled", "adapter"]

    /// Sets a key.
    ///
    /// - Returns: What the value must be, if it is not that.
    mutating func set(_ key: String, to value: String) -> String? {
        switch key {
        case "name":
            name = value
            return Self.isName(value) ? nil : "a name of 1 to \(Self.longestName) octets"
        case "subject":
            subject = value
            return Self.isName(value) ? nil : "a name of 1 to \(Self.longestName) octets"
        case "enabled":
            isEnabled = value == "yes"
            return ["yes", "no"].contains(value) ? nil : "yes or no"
        default:
            adapter = DeviceAddress(value)
            return adapter == nil ? "the address of an adapter; `bluetoothctl list` shows it" : nil
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count) && !text.utf8.contains { $0 < 0x20 }
    }
}

extension Configuration {
    /// The address in the name of a section `sensor ADDRESS`; nil if the section is another one.
    static func sensor(ofSection name: String) -> Substring? {
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.first == "sensor" else { return nil }
        return words.count == 2 ? words[1].trimmed : ""
    }

    /// Takes the sensors' sections in, also those without any key.
    mutating func noteSensors(_ sections: [ConfigurationFile.Section]) -> [ConfigurationError] {
        sections.compactMap { section in
            guard let text = Self.sensor(ofSection: section.name) else { return nil }
            guard let address = DeviceAddress(text) else {
                return ConfigurationError(
                    line: section.line,
                    "a sensor is written as [sensor 00:1C:05:01:02:03], with its address")
            }
            sensors[address] = sensors[address] ?? SensorConfiguration()
            guard sensors.count > SensorConfiguration.limit else { return nil }
            sensors[address] = nil
            return ConfigurationError(
                line: section.line, "there are at most \(SensorConfiguration.limit) sensors")
        }
    }

    /// Takes a key of a sensor's section in; nil where that went well, or is told for the section.
    mutating func applySensor(_ entry: ConfigurationFile.Entry) -> ConfigurationError? {
        guard let text = Self.sensor(ofSection: entry.section), let address = DeviceAddress(text),
            sensors[address] != nil
        else { return nil }
        guard SensorConfiguration.keys.contains(entry.key) else {
            let hint = nearest(to: entry.key, in: SensorConfiguration.keys)
            let known = "it has " + SensorConfiguration.keys.joined(separator: ", ")
            return ConfigurationError(
                line: entry.line,
                "unknown key `\(entry.key)` in [\(entry.section)]" + didYouMean(hint, else: known))
        }
        guard let wanted = sensors[address]?.set(entry.key, to: entry.value) else { return nil }
        return ConfigurationError(
            line: entry.line, "`\(entry.key)` is «\(entry.value)»; it must be \(wanted)")
    }
}
