import Captures
import Foundation
import Measurements
import Testing

@Suite struct ShippedRecordingTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ReplayTests/Recordings")

    private func items(_ name: String) throws -> [GattlogItem] {
        let file = Self.folder.appending(path: name + ".gattlog")
        var parser = GattlogParser(origin: .replay)
        var items = parser.feed(Array(try Data(contentsOf: file)))
        if let last = parser.finish() { items.append(last) }
        return items
    }

    private func damage(_ items: [GattlogItem]) -> [String] {
        items.compactMap { item in
            if case .damaged(_, let why) = item { why } else { nil }
        }
    }

    private func events(_ items: [GattlogItem]) -> [GATTEvent] {
        items.compactMap { item in
            if case .event(let event, _) = item { event } else { nil }
        }
    }

    @Test(arguments: [
        "nonin3230-continuous", "spotcheck-stored-records", "thermometer-celsius-fahrenheit",
        "thermometer-minute-stamps", "thermometer-device-clock", "heartrate-strap", "two-devices",
    ])
    func wholeRecordingsHaveNoDamageAndAZone(name: String) throws {
        let items = try items(name)
        #expect(damage(items) == [])
        #expect(events(items).count >= 20)
        #expect(events(items).allSatisfy { $0.zone == "Europe/Berlin" })
        #expect(events(items).allSatisfy { $0.at.milliseconds < 1_795_996_800_000 })
    }

    @Test func theContinuousRecordingBeginsWithThePublicFrames() throws {
        let frames = try events(items("nonin3230-continuous"))
            .filter { $0.characteristic == .plxContinuousMeasurement }
        #expect(
            frames.prefix(2).map { hexText($0.value) } == [
                "1fd4f36300d4f36000caf363000001000000cee2",
                "1fd4f35b00d4f35a00d4f35f000001000000bce2",
            ])
    }

    @Test func noDamagedLineCostsItsNeighbour() throws {
        let items = try items("damaged-lines")
        #expect(damage(items).count == 33)
        #expect(Set(damage(items)).count == 30)
        for (item, next) in zip(items, items.dropFirst()) where !damage([item]).isEmpty {
            #expect(events([next]).count == 1)
        }
        let unknown = items.filter { if case .unknownEvent = $0 { true } else { false } }
        #expect(unknown == [.unknownEvent("pair", line: 72)])
    }
}
