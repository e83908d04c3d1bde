import Testing

@testable import HealthDaemon

@Suite struct ConfigurationTests {
    private func errors(of text: String) -> [ConfigurationError] {
        do throws(ConfigurationErrors) {
            _ = try Configuration(parsing: text)
            return []
        } catch {
            return error.all
        }
    }

    @Test func everyKeyIsRead() throws {
        let configuration = try Configuration(
            parsing: """
                # a remark
                ; another
                [daemon]
                source = none
                state_dir=/var/lib/other\r
                socket = /run/other.sock

                [time]
                zone = Europe/Berlin
                [store]
                commit_interval = 2s
                """)
        #expect(configuration.source == .none)
        #expect(configuration.stateDirectory == "/var/lib/other")
        #expect(configuration.socket == "/run/other.sock")
        #expect(configuration.zone == "Europe/Berlin")
        #expect(configuration.commitInterval == 2000)
    }

    @Test func anEmptyFileIsTheDefaults() throws {
        #expect(try Configuration(parsing: "") == Configuration())
    }

    @Test(arguments: [
        ("[daemon]\nsourse = none", 2, "unknown key `sourse` in [daemon]; did you mean source?"),
        ("\n\n[tme]\nzone = UTC", 4, "unknown section [tme]; did you mean time?"),
        (
            "[daemon]\nsource = hci0", 2,
            "`source` is «hci0»; it must be bluez or none"
        ),
        (
            "[time]\n\nzone = Berlin", 3,
            "`zone` is «Berlin»; it must be the name of a zone, such as Europe/Berlin"
        ),
        (
            "[store]\ncommit_interval = 1h", 2,
            "`commit_interval` is «1h»; it must be a duration from 100ms to 10s"
        ),
        ("zone = UTC", 1, "`zone` stands before the first [section]"),
        ("[daemon]\nsource", 2, "«source» is not of the form key = value"),
        ("[daemon]\n= none", 2, "= without a key"),
        ("[daemon", 1, "a section is written as [name]"),
        ("[]", 1, "a section is written as [name]"),
        (
            "[daemon]\nsocket = s", 2,
            "`socket` is «s»; it must be an absolute path"
        ),
    ])
    func whatIsWrongIsSaidWithItsLine(text: String, line: Int, message: String) {
        #expect(errors(of: text) == [ConfigurationError(line: line, message)])
    }

    @Test func everyWrongKeyIsTold() {
        let errors = errors(of: "[daemon]\na = 1\nsource = none\nb = 2\n[time]\nzone = x")
        #expect(errors.map(\.line) == [2, 4, 6])
    }
}
