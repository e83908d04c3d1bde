import Testing

@testable import HealthDaemon

@Suite struct OptionsTests {
    @Test func everyOptionIsRead() throws {
        let options = try Options([
            "--config", "/c", "--state-dir=/d", "--socket", "/s", "--source=none",
        ])
        #expect(options.action == .run)
        #expect(options.configurationFile == "/c")
        #expect(options.stateDirectory == "/d")
        #expect(options.socket == "/s")
        #expect(options.source == Configuration.Source.none)
    }

    @Test func nothingIsChosenWhereNothingIsSaid() throws {
        #expect(try Options([]) == Options(["--socket=/s"]).without(\.socket))
    }

    @Test(arguments: [
        ("--version", Options.Action.version), ("--help", .help), ("-h", .help),
        ("--check-config", .checkConfiguration),
    ])
    func anActionIsRead(argument: String, action: Options.Action) throws {
        #expect(try Options([argument]).action == action)
    }

    @Test(arguments: [
        ("--sockt", "unknown option --sockt; did you mean --socket?"),
        ("--socket", "--socket needs a value; try --help"),
        ("--socket=", "--socket needs a value; try --help"),
        ("--source=hci0", "--source is none or bluez, not `hci0`"),
        ("run", "unknown option run; try --help"),
    ])
    func whatIsWrongIsSaid(argument: String, text: String) {
        #expect(throws: UsageError(text)) { try Options([argument]) }
    }
}

extension Options {
    fileprivate func without(_ member: WritableKeyPath<Options, String?>) -> Options {
        var options = self
        options[keyPath: member] = nil
        return options
    }
}
