import Measurements
import Samples
import Testing

/// What a device says of itself.
@Suite struct DeviceAttributeTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript()
    }

    @Test(arguments: [
        (BluetoothUUID.manufacturerName, DeviceColumn.manufacturer),
        (.modelNumber, .model), (.serialNumber, .serial), (.firmwareRevision, .firmware),
        (.hardwareRevision, .hardware), (.softwareRevision, .software),
    ])
    mutating func aStringIsKeptWithoutItsPadding(uuid: BluetoothUUID, column: DeviceColumn) {
        let padded = Array(" Nonin 3230 ".utf8) + [0, 0xFF]
        #expect(script.send(.read, uuid, padded) == .attribute(.text(column, "Nonin 3230")))
        #expect(script.send(.read, uuid, []) == .skipped(.malformedAttribute))
    }

    @Test(arguments: [
        (BluetoothUUID.systemID, DeviceColumn.systemID), (.pnpID, .pnpID),
        (.regulatoryCertification, .regulatory),
    ])
    mutating func octetsThatAreNoTextAreKeptAsTheyAre(uuid: BluetoothUUID, column: DeviceColumn) {
        #expect(script.send(.read, uuid, [0, 0x1F, 0xE2]) == .attribute(.text(column, "001fe2")))
    }

    @Test mutating func numbersAreKeptAsNumbers() {
        #expect(
            script.send(.read, .temperatureType, [2]) == .attribute(.number(.temperatureType, 2)))
        #expect(
            script.send(.read, .bodySensorLocation, [1]) == .attribute(.number(.bodyLocation, 1)))
        #expect(
            script.send(.indicate, .measurementInterval, [0x2C, 1])
                == .attribute(.number(.measurementInterval, 300)))
    }

    @Test mutating func featuresAreKeptIfTheyDecode() {
        #expect(
            script.send(.read, .plxFeatures, [0x0C, 0]) == .attribute(.text(.plxFeatures, "0c00")))
        #expect(script.send(.read, .plxFeatures, [0x0C]) == .skipped(.malformedAttribute))
    }

    @Test(arguments: [
        BluetoothUUID.temperatureType, .bodySensorLocation, .measurementInterval, .currentTime,
    ])
    mutating func aValueThatDoesNotDecodeIsSkipped(uuid: BluetoothUUID) {
        #expect(script.send(.read, uuid, []) == .skipped(.malformedAttribute))
    }
}
