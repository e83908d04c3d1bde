import BlueZ
import DaemonHarness
import Foundation
import Testing

@testable import HealthDaemon

/// The kernel's switches for radios.
@Suite struct RadioSwitchesTests {
    private let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    private func add(_ name: String, _ type: String, soft: Int, hard: Int) throws {
        let path = directory.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (file, text) in [("type", type), ("soft", "\(soft)"), ("hard", "\(hard)")] {
            try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(path)/\(file)"))
        }
    }

    private var block: RadioBlock { RadioSwitches(directory.path("")).bluetooth }

    @Test("B3: a switch of another radio says nothing of Bluetooth")
    func aSwitchOfAnotherRadioSaysNothing() throws {
        #expect(block == .unknown)
        try add("rfkill0", "wlan", soft: 1, hard: 1)
        #expect(block == .unknown)
        try add("rfkill1", "bluetooth", soft: 0, hard: 0)
        #expect(block == RadioBlock.none)
    }

    @Test("B3: a switch on the machine counts more than one in software")
    func aSwitchOnTheMachineCountsMore() throws {
        try add("rfkill0", "bluetooth", soft: 1, hard: 0)
        #expect(block == .soft)
        try add("rfkill1", "bluetooth", soft: 0, hard: 1)
        #expect(block == .hard)
    }

    @Test func withoutSwitchesNothingIsKnown() {
        #expect(RadioSwitches("/nonexistent").bluetooth == .unknown)
    }
}
