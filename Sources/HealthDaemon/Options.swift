internal import ControlProtocol

/// What the daemon's command line says.
package struct Options: Equatable, Sendable {
    /// What the process is to do.
    package enum Action: Equatable, Sendable {
        /// Run until it is told to end.
        case run
        /// Check the configuration and end.
        case checkConfiguration
        /// Put a backup in the place of the store and end.
        case restore
        /// Print the version and end.
        case version
        /// Print how it is called and end.
        case help
    }

    /// What to do.
    package var action = Action.run
    /// The configuration file that was named.
    package var configurationFile: String?
    /// The state directory that was named.
    package var stateDirectory: String?
    /// The backup that was named.
    package var backup: String?
    /// The socket that was named.
    package var socket: String?
    /// The source that was named.
    package var source: Configuration.Source?

    /// How the daemon is called.
    package static let usage = """
        usage: healthd [--config FILE] [--state-dir DIR] [--socket PATH] [--source none|bluez]
               healthd --restore FILE [--config FILE] [--state-dir DIR]
               healthd --check-config | --version | --help

          --config FILE     the configuration (default: \(defaultConfiguration))
          --state-dir DIR   where the store is (default: $STATE_DIRECTORY or /var/lib/healthd)
          --socket PATH     where clients connect
                            (default: $RUNTIME_DIRECTORY/healthd.sock or /run/healthd/healthd.sock)
          --source SOURCE   bluez: the sensors that BlueZ knows (default); none: only replays
          --restore FILE    put a backup of `healthctl backup` in the place of the store, and end
          --check-config    say what is wrong with the configuration, and end
        """

    /// The configuration file where none is named.
    package static let defaultConfiguration = "/etc/healthd/healthd.conf"

    /// The options there are.
    static let names = [
        "--config", "--state-dir", "--socket", "--source", "--restore", "--check-config",
        "--version", "--help",
    ]

    /// Reads the arguments that follow the program's name.
    ///
    /// - Throws: What is wrong with them.
    package init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            try apply(parts.first ?? argument, parts.count == 2 ? parts[1] : nil, &rest)
        }
    }

    private mutating func apply(
        _ name: String, _ value: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        switch name {
        case "--check-config": action = .checkConfiguration
        case "--version": action = .version
        case "--help", "-h": action = .help
        case "--config": configurationFile = try Self.value(of: name, value, &rest)
        case "--restore":
            action = .restore
            backup = try Self.value(of: name, value, &rest)
        case "--state-dir": stateDirectory = try Self.value(of: name, value, &rest)
        case "--socket": socket = try Self.value(of: name, value, &rest)
        case "--source": source = try Self.source(try Self.value(of: name, value, &rest))
        default:
            let hint = nearest(to: name, in: Self.names)
            throw UsageError("unknown option \(name)" + didYouMean(hint, else: "try --help"))
        }
    }

    private static func value(
        of name: String, _ value: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = value ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError("\(name) needs a value; try --help")
        }
        return value
    }

    private static func source(_ name: String) throws(UsageError) -> Configuration.Source {
        guard let source = Configuration.Source(rawValue: name) else {
            throw UsageError("--source is none or bluez, not `\(name)`")
        }
        return source
    }
}

/// What is wrong with a command line.
package struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, and what to write instead.
    package let text: String

    /// An error with this text.
    init(_ text: String) {
        self.text = text
    }
}
