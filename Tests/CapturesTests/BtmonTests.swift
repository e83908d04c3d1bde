import Captures
import Foundation
import Measurements
import Testing

/// What `btmon -w` of BlueZ 5.66 wrote while a virtual oximeter was paired and streamed (Tests/VM).
@Suite struct BtmonTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Btmon")

    /// What healthd recorded meanwhile.
    private func recorded() throws -> [GATTEvent] {
        var parser = GattlogParser(origin: .import)
        let octets = try Data(contentsOf: Self.folder.appending(path: "oximeter.gattlog"))
        return parser.feed(Array(octets)).compactMap { item in
            if case .event(let event, _) = item { event } else { nil }
        }
    }

    private func captured() throws -> CaptureReading {
        CaptureReading(
            Array(try Data(contentsOf: Self.folder.appending(path: "oximeter.btsnoop"))))
    }

    @Test func theReadingsAreThoseThatWereRecorded() throws {
        let reading = try captured()
        #expect(reading.damage == nil)
        let values = reading.events.filter { $0.kind == .notify }
        let right = try recorded().filter { $0.kind == .notify }
        #expect(values.map(\.value) == right.map(\.value))
        #expect(values.count == 25)
        for (value, expected) in zip(values, right) {
            #expect(value.device.address == expected.device.address)
            #expect(value.characteristic == expected.characteristic)
            #expect(value.service == expected.service)
            #expect(value.instance == expected.instance)
            // bluetoothd hands a value over after btmon has seen it.
            let delay = expected.at.milliseconds - value.at.milliseconds
            #expect((-1...1000).contains(delay), "\(delay) ms")
        }
    }

    @Test func theDiscoveryInItNamesEveryHandle() throws {
        let reading = try captured()
        #expect(reading.account.unmapped.isEmpty)
        #expect(reading.events.allSatisfy { !$0.isGuess })
        #expect(reading.account.malformed == 0)
        #expect(reading.account.brokenPackets == 0)
    }
}
