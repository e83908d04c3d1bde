import Captures
import Foundation
import Measurements
import Testing

/// A capture of made-up traffic gives the events that it was made of.
@Suite struct BtsnoopEventWriterTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ReplayTests/Recordings")
    private let address = DeviceAddress(bits: 0x001C_0501_0203)

    private func events(of recording: [UInt8]) -> [GATTEvent] {
        var parser = GattlogParser(origin: .import)
        return parser.feed(recording).compactMap { item in
            if case .event(let event, _) = item { event } else { nil }
        }
    }

    private func reading(_ events: [GATTEvent]) -> CaptureReading {
        var writer = BtsnoopEventWriter()
        for event in events { writer.write(event) }
        #expect(writer.omitted == 0)
        return CaptureReading(writer.take())
    }

    /// What a capture has a place for.
    private func essence(_ events: [GATTEvent]) -> [GATTEvent] {
        events.filter { $0.kind != .connect && $0.kind != .disconnect }.map { event in
            var event = event
            (event.zone, event.bootMilliseconds, event.isGuess) = (nil, nil, false)
            event.device = RemoteDevice(event.device.address)
            return event
        }
    }

    private func notification(
        _ value: [UInt8] = [0, 97, 0, 72, 0], _ device: DeviceAddress? = nil, instance: Int = 0,
        _ uuid: BluetoothUUID = .plxContinuousMeasurement, at: Int64 = 1_795_989_600_123
    ) -> GATTEvent {
        GATTEvent(
            .notify, origin: .import, device: RemoteDevice(device ?? address),
            service: .pulseOximeterService, characteristic: uuid, instance: instance, value: value,
            at: Instant(milliseconds: at))
    }

    @Test(arguments: [
        "nonin3230-continuous", "spotcheck-stored-records", "thermometer-celsius-fahrenheit",
        "thermometer-minute-stamps", "thermometer-device-clock", "heartrate-strap", "two-devices",
    ])
    func aRecordingComesBackAsItWas(name: String) throws {
        let file = Self.folder.appending(path: name + ".gattlog")
        let events = events(of: Array(try Data(contentsOf: file)))
        let reading = reading(events)
        #expect(reading.damage == nil)
        #expect(essence(reading.events) == essence(events))
        #expect(reading.events.count == events.count)
        #expect(reading.account.unpaired == 0)
        #expect(reading.account.malformed == 0)
        #expect(reading.account.unconfirmed == 0)
    }

    @Test func nameStrengthTypeAndAdapterOfALinkComeBack() throws {
        let device = RemoteDevice(
            address, name: "Nonin 3230 — ward 4", addressType: "random", adapter: "hci3", rssi: -58)
        let connect = GATTEvent(
            .connect, origin: .import, device: device, at: Instant(milliseconds: 1_000_000_000_000))
        #expect(reading([connect, notification()]).events.first == connect)
    }

    @Test(arguments: [1, 22, 23, 221, 248]) func aLongNameIsCutAtALetter(count: Int) throws {
        let name = String(repeating: "ä", count: count / 2)
        let connect = GATTEvent(
            .connect, origin: .import, device: RemoteDevice(address, name: name),
            at: Instant(milliseconds: 1_000_000_000_000))
        let read = try #require(reading([connect]).events.first)
        #expect(name.hasPrefix(read.device.name ?? ""))
        #expect((read.device.name ?? "").utf8.count == min(name.utf8.count, 220))
    }

    @Test func instancesKeepTheirRankThoughAHigherOneComesFirst() {
        let events = [2, 0, 1, 3, 0].map { notification(instance: $0) }
        #expect(reading(events).events.dropFirst() == events[...])
    }

    @Test(arguments: GATTEvent.Kind.values, [0, 1, 22, 23, 300, 512])
    func everyKindOfValueOfAnyLengthComesBack(kind: GATTEvent.Kind, length: Int) {
        var event = notification((0..<length).map { UInt8(truncatingIfNeeded: $0) })
        (event.kind, event.characteristic) = (kind, .recordAccessControlPoint)
        let vendor = BluetoothUUID("0000fff1-1234-5678-9abc-def012345678")
        var other = event
        (other.kind, other.characteristic, other.service) = (.notify, vendor, nil)
        #expect(reading([event, other]).events.dropFirst() == [event, other])
    }

    @Test func linksOfManyDevicesAtOnceStayApart() {
        let devices = (1...200).map { DeviceAddress(bits: $0) }
        let events = (devices + devices).map { notification([0, 90, 0, 60, 0], $0) }
        let values = reading(events).events.filter { $0.kind == .notify }
        #expect(values == events)
    }

    @Test func aLinkThatNobodyEndedIsEndedByTheNext() {
        let connect = GATTEvent(
            .connect, origin: .import, device: RemoteDevice(address),
            at: Instant(milliseconds: 1_000_000_000_000))
        let kinds = reading([connect, connect, notification()]).events.map(\.kind)
        #expect(kinds == [.connect, .disconnect, .connect, .notify])
    }

    @Test func whatHasNoRoomIsCounted() {
        var writer = BtsnoopEventWriter()
        writer.write(notification([UInt8](repeating: 0, count: 513)))
        for number in 0..<129 {
            writer.write(notification(BluetoothUUID(UInt16(0x3000 + number))))
        }
        #expect(writer.omitted == 2)
        for number in 0..<UInt64(1024) {
            writer.write(notification([0], DeviceAddress(bits: number)))
        }
        #expect(writer.omitted == 3)
    }

    private func notification(_ uuid: BluetoothUUID) -> GATTEvent {
        notification([1], nil, instance: 0, uuid)
    }

    @Test func aCaptureWithoutEventsIsWhole() {
        var writer = BtsnoopEventWriter()
        writer.write(note: "nothing was recorded", at: Instant(milliseconds: 0))
        let reading = CaptureReading(writer.take())
        #expect(reading.damage == nil)
        #expect(reading.account.records == 1)
        #expect(reading.account.malformed == 0)
    }
}

extension GATTEvent.Kind {
    /// Those that carry a value.
    fileprivate static let values: [GATTEvent.Kind] = [.read, .write, .notify, .indicate]
}
