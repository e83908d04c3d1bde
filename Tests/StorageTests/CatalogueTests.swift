import Measurements
import Samples
import Storage
import Testing

/// Devices and streams as the store knows them.
@Suite struct CatalogueTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func send(_ value: String, of characteristic: BluetoothUUID) -> GATTEvent {
        event(.read, characteristic, Array(value.utf8), at: 0)
    }

    @Test func aDeviceIsItsAddressWhateverElseIsSaid() throws {
        for (name, type) in [("Nonin", "public"), ("Nonin3230", "random"), (nil, nil)] {
            var event = battery(50, at: 0)
            event.device.name = name
            event.device.addressType = type
            try store.run([event])
        }
        let devices = try store.reader.devices()
        #expect(devices.map(\.address) == ["00:00:00:00:00:01"])
        #expect(devices[0].name == "Nonin3230")
        #expect(devices[0].texts[.addressType] == "random")
    }

    @Test func theLastThingThatADeviceSaidOfItselfCounts() throws {
        for model in ["A", "B", "A"] { try store.run([send(model, of: .modelNumber)]) }
        try store.run([send("ß😀\u{0}hidden", of: .serialNumber), send(" ", of: .firmwareRevision)])
        try store.restart()
        let device = try #require(try store.reader.devices().first)
        #expect(device.texts[.model] == "A")
        #expect(device.texts[.serial] == "ß😀")
        #expect(device.texts[.firmware] == "")
        #expect(device.texts[.hardware] == nil)
    }

    @Test func aNewNameCountsAfterARestart() throws {
        try store.run([send("A", of: .modelNumber)])
        try store.restart()
        try store.run([send("B", of: .modelNumber)])
        #expect(try store.reader.devices().first?.texts[.model] == "B")
    }

    @Test func anAttributeThatWasRolledBackIsNotedAgain() throws {
        try store.run([event(.connect, at: 0)])
        var assembler = ReadingAssembler(hostZone: .utc)
        for _ in 1...2 {
            _ = try store.writer.ingest(assembler.handle(send("A", of: .modelNumber)))
            try store.writer.rollBack()
        }
        try store.run([send("A", of: .modelNumber)])
        #expect(try store.reader.devices().first?.texts[.model] == "A")
    }

    @Test func theSiteOfAThermometerIsThatOfThePacketOrElseOfTheDevice() throws {
        let typed: [UInt8] = [4, 0x6E, 1, 0, 0xFF, 6]
        try store.run([
            event(.read, .temperatureType, [2], at: 0), temperature(366, at: 1),
            event(.indicate, .temperatureMeasurement, typed, at: 2), battery(50, at: 3),
        ])
        let samples = try store.answer(to: store.everything()).samples
        #expect(samples.map { $0.site?.rawValue } == [2, 6, nil])
        #expect(try store.reader.devices().first?.temperatureType?.rawValue == 2)
    }

    @Test func aStreamIsDeviceCharacteristicAndInstance() throws {
        let events = [
            battery(1, at: 0), event(.notify, .batteryLevel, [2], at: 0, instance: 1),
            battery(1, at: 1), continuous(97, at: 0), battery(1, at: 0, device: 2),
        ]
        try store.run(events)
        try store.restart()
        try store.run(
            events.map { event in
                var event = event
                event.at = event.at.advanced(byMilliseconds: 10)
                return event
            })
        let streams = try store.reader.streams()
        #expect(streams.map(\.characteristic.rawValue) == [0x2A19, 0x2A19, 0x2A5F, 0x2A19])
        #expect(streams.map(\.instance) == [0, 1, 0, 0])
        #expect(streams.map { $0.device.address.last } == ["1", "1", "1", "2"])
        #expect(
            try store.reader.newestReception(of: [streams[0]])?.at
                == noon.advanced(byMilliseconds: 11))
    }

    @Test func aLinkKeepsTheDeviceAndNothingElse() throws {
        #expect(try store.run([event(.connect, at: 0)]) == [])
        #expect(try store.reader.devices().count == 1)
        #expect(try store.reader.streams().isEmpty)
        #expect(try store.reader.newestSeq() == 0)
    }

    @Test func whatIsSkippedLeavesNothing() throws {
        try store.run([event(.notify, BluetoothUUID(0xFFE4), [1], at: 0)])
        #expect(try store.reader.devices().isEmpty)
    }

    @Test func aDeviceTooManyLeavesNothing() throws {
        try store.run((1...1030).map { event(.connect, at: 0, device: $0) })
        #expect(try store.reader.devices().count == ReadingAssembler.deviceLimit)
    }

    @Test func aClockReadIsKeptOncePerTime() throws {
        let clock = event(.read, .dateTime, octets(2026) + [6, 1, 11, 59, 58], at: 0)
        try store.run([clock, clock])
        #expect(try store.number("SELECT count(*) FROM clock") == 1)
        #expect(try store.number("SELECT offset_ms FROM clock") == 2000)
    }
}
