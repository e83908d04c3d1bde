import Foundation
import Measurements
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
                [retention]
                keep = 104w
                summaries = drop
                [bluetooth]
                power_on = auto
                delete_stored_records = yes
                set_clocks = no
                [sources]
                priority = Anna's Apple Watch,  Anna's iPhone
                """)
        #expect(configuration.source == .none)
        #expect(configuration.sourcePriority == ["Anna's Apple Watch", "Anna's iPhone"])
        #expect(configuration.stateDirectory == "/var/lib/other")
        #expect(configuration.socket == "/run/other.sock")
        #expect(configuration.zone == "Europe/Berlin")
        #expect(configuration.commitInterval == 2000)
        #expect(configuration.retention?.age == 62_899_200_000)
        #expect(configuration.retention?.keepsSummaries == false)
        #expect(configuration.powersAdaptersOn)
        #expect(configuration.deletesStoredRecords)
        #expect(!configuration.setsClocks)
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
        (
            "[retention]\nkeep = 10m", 2,
            "`keep` is «10m»; it must be forever, or an age of at least 1d, such as 104w"
        ),
        (
            "[retention]\nkeep = always", 2,
            "`keep` is «always»; it must be forever, or an age of at least 1d, such as 104w"
        ),
        (
            "[retention]\nsummaries = yes", 2,
            "`summaries` is «yes»; it must be keep or drop"
        ),
        (
            "[sources]\npriority = Watch, , Phone", 2,
            "`priority` is «Watch, , Phone»; it must be names of sources with commas between them, "
                + "each once, at most 64"
        ),
        (
            "[sources]\npriority = Watch,Watch", 2,
            "`priority` is «Watch,Watch»; it must be names of sources with commas between them, "
                + "each once, at most 64"
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

    private func sensors(of text: String) throws -> [DeviceAddress: SensorConfiguration] {
        try Configuration(parsing: text).sensors
    }

    private let nonin = DeviceAddress(bits: 0x00_1C05_0102_03)

    @Test func everyKeyOfASensorIsRead() throws {
        let sensors = try sensors(
            of: """
                [sensor 00:1c:05:01:02:03]
                name = Anna's finger
                subject = anna
                enabled = no
                adapter = 00:1A:7D:DA:71:13
                """)
        #expect(
            sensors == [
                nonin: SensorConfiguration(
                    name: "Anna's finger", subject: "anna", isEnabled: false,
                    adapter: DeviceAddress(bits: 0x00_1A7D_DA71_13))
            ])
    }

    @Test func aSensorWithoutAnyKeyIsWanted() throws {
        #expect(try sensors(of: "[sensor 00:1C:05:01:02:03]") == [nonin: SensorConfiguration()])
    }

    @Test func sixtyFourSensorsAreTheMost() throws {
        let sections = (0...SensorConfiguration.limit).map {
            "[sensor \(DeviceAddress(bits: UInt64($0)))]\nname = x\n"
        }
        #expect(try sensors(of: sections.dropLast().joined()).count == SensorConfiguration.limit)
        #expect(
            errors(of: sections.joined())
                == [ConfigurationError(line: 129, "there are at most 64 sensors")])
    }

    @Test(arguments: [
        (
            "[sensor]", 1,
            "a sensor is written as [sensor 00:1C:05:01:02:03], with its address"
        ),
        (
            "[sensor Nonin3230]\nname = x", 1,
            "a sensor is written as [sensor 00:1C:05:01:02:03], with its address"
        ),
        (
            "[sensor 00:1C:05:01:02:03]\nnam = x", 2,
            "unknown key `nam` in [sensor 00:1C:05:01:02:03]; did you mean name?"
        ),
        (
            "[sensor 00:1C:05:01:02:03]\nenabled = 1", 2,
            "`enabled` is «1»; it must be yes or no"
        ),
        (
            "[sensor 00:1C:05:01:02:03]\nadapter = hci0", 2,
            "`adapter` is «hci0»; it must be the address of an adapter; `bluetoothctl list` shows it"
        ),
        (
            "[sensor 00:1C:05:01:02:03]\nsubject =", 2,
            "`subject` is «»; it must be a name of 1 to 64 octets"
        ),
        (
            "[sensor 00:1C:05:01:02:03]\nname = a\nname = b", 3,
            "`name` was given on line 2 already"
        ),
        (
            "[bluetooth]\npower_on = yes", 2,
            "`power_on` is «yes»; it must be never or auto"
        ),
    ])
    func whatIsWrongWithASensorIsSaid(text: String, line: Int, message: String) {
        #expect(errors(of: text) == [ConfigurationError(line: line, message)])
    }

    /// The file that is installed, as it is and with every key in force.
    private func installed(inForce: Bool) throws -> String {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("config/healthd.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard inForce else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // Users and groups of the examples are not those of this host.
            let isRule = line.hasPrefix("#user") || line.hasPrefix("#group")
            let isKey = line.hasPrefix("#") && !line.hasPrefix("# ") && line.count > 1 && !isRule
            return String(isKey ? line.dropFirst() : line)
        }.joined(separator: "\n")
    }

    @Test func theInstalledFileIsTheDefaults() throws {
        #expect(try Configuration(parsing: installed(inForce: false)) == Configuration())
    }

    @Test func everyKeyOfTheInstalledFileIsOne() throws {
        let text = try installed(inForce: true)
        let configuration = try Configuration(parsing: text)
        #expect(configuration.sensors.count == 1)
        #expect(!configuration.powersAdaptersOn && !configuration.deletesStoredRecords)
        #expect(configuration.setsClocks && configuration.commitInterval == 10_000)
        #expect(configuration.retention == nil)
        for key in SensorConfiguration.keys + ["power_on", "delete_stored_records", "set_clocks"] {
            #expect(text.contains("\n\(key) = "), "\(key)")
        }
    }

    @Test func everyWrongKeyIsTold() {
        let errors = errors(of: "[daemon]\na = 1\nsource = none\nb = 2\n[time]\nzone = x")
        #expect(errors.map(\.line) == [2, 4, 6])
    }
}
