import Measurements
import Samples
import Testing

@Suite struct ReadingAssemblerTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript()
    }

    @Test mutating func aPacketThatDoesNotDecodeIsKeptWithItsReason() throws {
        let reading = try script.reading(.plxContinuousMeasurement, [0, 97])
        #expect(reading.octets == [0, 97])
        #expect(reading.malformed?.symbol == "truncated")
        #expect(reading.sampleCount == 0)
        #expect(reading.flags.timeQuality == .received)
    }

    @Test mutating func c38AShortPacketCostsNothingOfTheNext() throws {
        let short = try script.reading(.heartRateMeasurement, [0x44])
        let empty = try script.reading(.heartRateMeasurement, [])
        let good = try script.reading(.heartRateMeasurement, [0, 72])
        #expect([short, empty, good].map { $0.malformed?.symbol } == ["truncated", "empty", nil])
        #expect([short, empty, good].map(\.sampleCount) == [0, 0, 1])
    }

    @Test mutating func c42OneValueAfterManyLinksIsOneReading() throws {
        for _ in 1...5 {
            #expect(script.send(.connect) == .link)
            #expect(script.send(.disconnect) == .link)
        }
        script.send(.connect)
        let reading = try script.reading(.plxContinuousMeasurement, plxContinuous())
        #expect(reading.ordinal == 0)
        #expect(reading.sampleCount == 2)
    }

    @Test(arguments: [
        BluetoothUUID(0x2A35), BluetoothUUID(0xFFE4), BluetoothUUID(0x2A00),
        BluetoothUUID(0x2906),
    ])
    mutating func aCharacteristicThatIsNotKnownIsSkipped(uuid: BluetoothUUID) {
        #expect(script.send(.notify, uuid, [1]) == .skipped(.unknownCharacteristic))
        #expect(script.send(.write, uuid, [1]) == .skipped(.unknownCharacteristic))
    }

    @Test mutating func aVendorsCharacteristicIsSkippedThoughItsNumberLooksKnown() throws {
        let uuid = try #require(BluetoothUUID("00002a5f-1212-efde-1523-785feabcd123"))
        #expect(script.send(.notify, uuid, plxContinuous()) == .skipped(.unknownCharacteristic))
    }

    @Test(arguments: [GATTEvent.Kind.read, .write, .notify, .indicate])
    mutating func aValueWithoutCharacteristicIsSkipped(kind: GATTEvent.Kind) {
        #expect(script.send(kind, nil, [1]) == .skipped(.noCharacteristic))
    }

    @Test mutating func onlyTheFirst1024DevicesAreFollowed() throws {
        for number in 1...UInt64(ReadingAssembler.deviceLimit) {
            script.device = RemoteDevice(DeviceAddress(bits: number))
            #expect(script.send(.connect) == .link)
        }
        script.device = RemoteDevice(DeviceAddress(bits: 0xFFFF))
        #expect(script.send(.connect) == .skipped(.tooManyDevices))
        #expect(
            script.send(.notify, .batteryLevel, [50]) == .skipped(.tooManyDevices))
        script.device = RemoteDevice(DeviceAddress(bits: 1024))
        #expect(try script.reading(.batteryLevel, [50]).sampleCount == 1)
    }

    @Test mutating func aReadingKeepsWhereItCameFrom() throws {
        let device = RemoteDevice(DeviceAddress(bits: 7), name: "Nonin", rssi: -60)
        for origin in [GATTEvent.Origin.ble, .replay, .import] {
            let intake = script.assembler.handle(
                GATTEvent(
                    .notify, origin: origin, device: device, characteristic: .batteryLevel,
                    instance: 3, value: [50], at: script.now))
            #expect(intake.device == .sensor(device))
            #expect(intake.at == script.now)
            guard case .reading(let reading) = intake.content else {
                Issue.record("\(intake.content) is no reading")
                continue
            }
            #expect(reading.flags.origin == origin)
            #expect(reading.characteristic == .batteryLevel)
            #expect(reading.instance == 3)
        }
    }

    @Test mutating func whatTheDeviceMayNotSendAgainIsUnrepeatable() throws {
        let stamped = thermometer(366, -1, stamp: dateTime(2026, 6, 1, 13))
        let plain = thermometer(366, -1)
        let uuid = BluetoothUUID.temperatureMeasurement
        #expect(try script.reading(uuid, stamped, .notify).isUnrepeatable)
        #expect(try script.reading(uuid, plain, .indicate).isUnrepeatable)
        #expect(try !script.reading(uuid, plain, .notify).isUnrepeatable)
        #expect(try !script.reading(uuid, plain, .read).isUnrepeatable)
    }
}
