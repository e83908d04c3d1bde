internal import BlueZ
internal import CLinux
internal import ControlProtocol
internal import DBus
internal import Glibc
internal import Samples
internal import Storage

/// The daemon from its command line to its end.
package struct Daemon {
    private let options: Options
    private let configuration: Configuration

    /// Exit codes, as in sysexits.h.
    private enum Exit {
        static let usage: Int32 = 64
        static let unavailable: Int32 = 69
        static let configuration: Int32 = 78
    }

    /// Does what the arguments behind the program's name say; returns the exit code.
    package static func main(_ arguments: [String]) -> Int32 {
        do throws(UsageError) {
            return perform(try Options(arguments))
        } catch {
            Log.write(.failure, error.text)
            return Exit.usage
        }
    }

    private static func perform(_ options: Options) -> Int32 {
        switch options.action {
        case .help:
            print(Options.usage)
            return 0
        case .version:
            print("healthd \(Release.version)")
            return 0
        case .checkConfiguration, .restore, .run: break
        }
        guard let configuration = configuration(options) else { return Exit.configuration }
        let daemon = Daemon(options: options, configuration: configuration)
        return options.action == .checkConfiguration ? daemon.check() : daemon.run()
    }

    /// Judges what only shows when the configuration is used, and says that all is well.
    private func check() -> Int32 {
        if let fault = SocketFile.fault(of: socketPath) {
            Log.write(.failure, fault)
            return Exit.configuration
        }
        let path = Self.configurationPath(options)
        print(access(path, F_OK) == 0 ? "\(path): ok" : "\(path): no such file, all defaults")
        return 0
    }

    private static func configurationPath(_ options: Options) -> String {
        options.configurationFile ?? Options.defaultConfiguration
    }

    /// The configuration, or nil with its errors told; without a file, the defaults.
    private static func configuration(_ options: Options) -> Configuration? {
        let path = configurationPath(options)
        guard let octets = SmallFile.contents(at: path) else {
            if options.configurationFile == nil, errno == ENOENT { return Configuration() }
            Log.write(.failure, "cannot read \(path): \(String(cString: strerror(errno)))")
            return nil
        }
        guard octets.count <= SmallFile.limit else {
            Log.write(.failure, "\(path) is longer than \(SmallFile.limit) octets: shorten it")
            return nil
        }
        do throws(ConfigurationErrors) {
            return try Configuration(parsing: String(decoding: octets, as: UTF8.self))
        } catch {
            for one in error.all {
                let place = one.line.map { "\(path):\($0)" } ?? path
                Log.write(.failure, "\(place): \(one.text)")
            }
            return nil
        }
    }

    private func run() -> Int32 {
        umask(0o077)
        do throws(SystemError) {
            if let backup = options.backup {
                let directory = try StateDirectory(stateDirectory)
                print(try Restore(backup: backup).run(into: directory))
            } else {
                try serve()
            }
            return 0
        } catch {
            Log.write(.failure, error.description)
            return Exit.unavailable
        }
    }

    private var stateDirectory: String {
        options.stateDirectory ?? configuration.stateDirectory
            ?? environment("STATE_DIRECTORY") ?? "/var/lib/healthd"
    }

    private var socketPath: String {
        options.socket ?? configuration.socket
            ?? environment("RUNTIME_DIRECTORY").map { $0 + "/healthd.sock" }
            ?? "/run/healthd/healthd.sock"
    }

    private func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Daemon {
    /// Runs all threads until a signal ends them.
    private func serve() throws(SystemError) {
        let signals = clinux_signals()
        guard signals >= 0 else { throw SystemError("cannot wait for signals") }
        defer { close(signals) }
        signal(SIGPIPE, SIG_IGN)
        let directory = try StateDirectory(stateDirectory)
        let store = try StoreFile(directory.storePath)
        let threads = try DaemonThreads(
            facts(store), store, socketPath: socketPath, configuration,
            reload: { [options] in Self.configuration(options) })
        var settings = Settings(configuration, zone: zone)
        settings.wasStoppedInOrder = store.wasClosed
        var collector = try Collector(
            signals: signals, threads, beginning: beginning(store), settings,
            bus: source == .bluez ? BusConnection.systemAddress : nil, zone: zone)
        announce(store)
        ProgramText.release()
        collector.run()
        threads.stop()
    }

    private func announce(_ store: StoreFile) {
        ServiceManager.notify("READY=1")
        Log.write(
            .info,
            "answering at \(socketPath), store \(store.path), \(store.newest) readings so far")
    }

    private func beginning(_ store: StoreFile) -> String {
        "healthd \(Release.version), "
            + (store.wasClosed ? "after an orderly end" : LedgerRow.afterCrash)
    }

    private var source: Configuration.Source { options.source ?? configuration.source }

    private func facts(_ store: StoreFile) -> DaemonFacts {
        DaemonFacts(
            server: "healthd/\(Release.version)", zone: zone, source: source,
            started: Clock.now, storePath: store.path, uid: geteuid())
    }

    /// The zone that sensors' clocks show: the configured one, or the host's.
    private var zone: Zone {
        let name =
            configuration.zone
            ?? Zone.hostName(
                environment: getenv("TZ").map { String(cString: $0) },
                localtimeLink: SmallFile.linkTarget(of: "/etc/localtime"))
        return name.flatMap { Zone(named: $0) } ?? .utc
    }
}
