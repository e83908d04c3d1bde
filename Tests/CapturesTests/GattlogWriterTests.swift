import Captures
import Measurements
import Testing

@Suite struct GattlogWriterTests {
    private func parsed(_ octets: [UInt8]) -> [GATTEvent] {
        var parser = GattlogParser(origin: .replay)
        return parser.feed(octets).compactMap { item in
            if case .event(let event, _) = item { event } else { nil }
        }
    }

    @Test func eventsAreWrittenAsTheFormatSays() {
        var writer = GattlogWriter()
        let device = RemoteDevice(
            DeviceAddress(bits: 0x001C_0501_0203), name: "Nonin \"3230\"\n", addressType: "public",
            adapter: "hci0", rssi: -58)
        let at = Instant(milliseconds: 1_795_989_600_123)
        writer.write(remark: "Device: Nonin\n3230")
        writer.write(GATTEvent(.connect, origin: .ble, device: device, at: at, zone: "UTC"))
        writer.write(
            GATTEvent(
                .read, origin: .ble, device: RemoteDevice(device.address), service: .batteryService,
                characteristic: .batteryLevel, instance: 1, value: [0x4B], at: at, isGuess: true))
        let expected = #"""
            # gattlog 1
            # Device: Nonin 3230
            # Zone: UTC
            {"at":"2026-11-29T22:00:00.123Z","event":"connect","device":"00:1C:05:01:02:03",\#
            "name":"Nonin \"3230\"\n","addressType":"public","adapter":"hci0","rssi":-58}
            # Zone: \#("")
            {"at":"2026-11-29T22:00:00.123Z","event":"read","device":"00:1C:05:01:02:03",\#
            "service":"180f","characteristic":"2a19","value":"4b","instance":1,"guess":true}

            """#
        #expect(String(decoding: writer.take(), as: UTF8.self) == expected)
        #expect(writer.octets.isEmpty)
    }

    @Test(arguments: 0..<64)
    func whatIsWrittenIsReadBackTheSame(seed: UInt64) {
        var random = SeededNumbers(state: seed)
        let events = (0..<50).map { _ in GATTEvent.random(&random) }
        var writer = GattlogWriter()
        for event in events { writer.write(event) }
        #expect(parsed(writer.octets) == events)
    }

    @Test func theEndsOfTheTimeRangeAreReadBackTheSame() {
        for at in [Instant.range.lowerBound, .range.upperBound, Instant(milliseconds: -1)] {
            let device = RemoteDevice(DeviceAddress(bits: 1))
            let event = GATTEvent(.connect, origin: .replay, device: device, at: at)
            var writer = GattlogWriter()
            writer.write(event)
            #expect(parsed(writer.octets) == [event])
        }
    }
}

private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    }
}

extension GATTEvent {
    fileprivate static func random(_ numbers: inout SeededNumbers) -> GATTEvent {
        let kinds: [Kind] = [.connect, .disconnect, .read, .write, .notify, .indicate]
        let kind = kinds.randomElement(using: &numbers) ?? .read
        let times = Instant.range.lowerBound.milliseconds...Instant.range.upperBound.milliseconds
        let zones = [nil, "UTC", "America/Argentina/Buenos_Aires"]
        var event = GATTEvent(
            kind, origin: .replay, device: .random(&numbers),
            at: Instant(milliseconds: .random(in: times, using: &numbers)),
            zone: zones.randomElement(using: &numbers) ?? nil)
        if kind != .connect, kind != .disconnect { event.addValue(&numbers) }
        return event
    }

    private mutating func addValue(_ numbers: inout SeededNumbers) {
        let digits = Int.random(in: 1000...9999, using: &numbers)
        let vendor = BluetoothUUID("f0001131-0451-4000-b000-00000000\(digits)")
        let assigned = BluetoothUUID(.random(in: 0...0xFFFF, using: &numbers))
        service = [nil, .batteryService, vendor].randomElement(using: &numbers) ?? nil
        characteristic = Bool.random(using: &numbers) ? vendor : assigned
        instance = .random(in: 0...255, using: &numbers)
        isGuess = .random(using: &numbers)
        let count = Int.random(in: 0...512, using: &numbers)
        value = (0..<count).map { _ in .random(in: 0...255, using: &numbers) }
    }
}

extension RemoteDevice {
    fileprivate static func random(_ numbers: inout SeededNumbers) -> RemoteDevice {
        let texts = [nil, "", "\"\\/\n\u{7F}\u{1}", "Thermomètre 体温计 😀", "\0"]
        return RemoteDevice(
            DeviceAddress(bits: .random(in: 0...0xF, using: &numbers)),
            name: texts.randomElement(using: &numbers) ?? nil,
            addressType: [nil, "public", "random"].randomElement(using: &numbers) ?? nil,
            adapter: [nil, "hci0"].randomElement(using: &numbers) ?? nil,
            rssi: [nil, -127, 0, 20].randomElement(using: &numbers) ?? nil)
    }
}
