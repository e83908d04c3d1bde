import Captures
import Foundation
import Measurements
import Testing

/// What a capture gives, from octets to its end.
struct CaptureReading {
    var events: [GATTEvent] = []
    var remarks: [CaptureRemark] = []
    var recording: [UInt8] = []
    var damage: CaptureDamage?
    var account = CaptureAccount()
    var format: CaptureFormat?

    init(
        _ octets: [UInt8], pieces size: Int = 4096, handles: HandleMap = HandleMap(),
        device: DeviceAddress? = nil
    ) {
        var capture = Capture(handles: handles, deviceOfUnknownLinks: device)
        var start = 0
        do throws(CaptureDamage) {
            while start < octets.count {
                capture.feed(Array(octets[start..<min(start + size, octets.count)]))
                start += size
                while let output = try capture.next() { take(output.items) }
            }
        } catch {
            damage = error
        }
        let end = capture.finish()
        take(end.output.items)
        damage = end.damage
        account = capture.account
        format = capture.format
    }

    private mutating func take(_ items: [CaptureItem]) {
        for item in items {
            switch item {
            case .event(let event): events.append(event)
            case .remark(let remark): remarks.append(remark)
            case .recording(let octets): recording += octets
            }
        }
    }
}

@Suite struct CaptureSceneTests {
    private static let isRecording = ProcessInfo.processInfo.environment["HEALTHD_RECORD"] == "1"

    private func expected(_ scene: Scene, _ fixture: CaptureFixture) -> [GATTEvent] {
        scene.events.map { event in
            var event = event
            if !fixture.hasAdapter { event.device.adapter = nil }
            if !fixture.hasStrength { event.device.rssi = nil }
            return event
        }
    }

    @Test(arguments: CaptureFixture.all)
    func everyFormatGivesWhatTheRecordingSays(fixture: CaptureFixture) throws {
        let scene = try Scene.shipped()
        let reading = CaptureReading(fixture.octets(scene))
        #expect(reading.damage == nil)
        let expected = expected(scene, fixture)
        for (event, right) in zip(reading.events, expected) { #expect(event == right) }
        #expect(reading.events.count == expected.count)
    }

    @Test(arguments: CaptureFixture.all)
    func theShippedFileIsWhatTheWriterWrites(fixture: CaptureFixture) throws {
        let file = Scene.folder.appending(path: fixture.name)
        let octets = fixture.octets(try Scene.shipped())
        if Self.isRecording { try Data(octets).write(to: file) }
        let shipped = try #require(
            FileManager.default.contents(atPath: file.path),
            "there is no \(file.path); HEALTHD_RECORD=1 writes it")
        #expect(Array(shipped) == octets)
    }

    @Test(arguments: CaptureFixture.all, [1, 7, 100_000])
    func piecesOfAnySizeGiveTheSame(fixture: CaptureFixture, size: Int) throws {
        let octets = fixture.octets(try Scene.shipped())
        let whole = CaptureReading(octets)
        let pieces = CaptureReading(octets, pieces: size)
        #expect(pieces.events == whole.events)
        #expect(pieces.account == whole.account)
        #expect(pieces.remarks == whole.remarks)
        #expect(pieces.damage == nil)
    }
}
