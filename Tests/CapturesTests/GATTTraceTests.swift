import Captures
import Measurements
import Testing

/// Operations of the Attribute Protocol, from discovery to events.
@Suite struct GATTTraceTests {
    private var script: HCIScript {
        var script = HCIScript()
        script.connect()
        return script
    }

    private func values(_ script: HCIScript) -> [GATTEvent] {
        script.reading().events.filter { $0.kind != .connect && $0.kind != .disconnect }
    }

    @Test func servicesAreFoundByTheirUUIDToo() {
        var script = script
        script.send([6, 1, 0, 0xFF, 0xFF, 0, 0x28, 0x22, 0x18])
        script.receive([7, 10, 0, 20, 0])
        script.declare(.plxContinuousMeasurement, at: 12)
        script.notify(oximeterValue)
        #expect(values(script).map(\.service) == [.pulseOximeterService])
    }

    @Test func typesOfAllAttributesTellCharacteristics() {
        var script = script
        script.send([4, 1, 0, 0xFF, 0xFF])
        script.receive([5, 1, 10, 0, 0, 0x28, 11, 0, 3, 0x28, 12, 0, 0x5F, 0x2A, 13, 0, 2, 0x29])
        script.notify(oximeterValue)
        script.read([1, 0], at: 13)
        let events = values(script)
        #expect(events.map(\.characteristic) == [.plxContinuousMeasurement])
        #expect(events.map(\.service) == [.pulseOximeterService])
    }

    @Test func vendorsHave128BitServicesAndCharacteristics() throws {
        let service = try #require(BluetoothUUID("f0001130-0451-4000-b000-000000000000"))
        let characteristic = try #require(BluetoothUUID("f0001131-0451-4000-b000-000000000000"))
        var script = script
        script.discover(service, characteristic, at: 12)
        script.notify([1])
        #expect(values(script).map(\.service) == [service])
        #expect(values(script).map(\.characteristic) == [characteristic])
        #expect(script.reading().account.others == 1)
    }

    @Test func aDeviceThatIsKnownIsNotAskedAgain() {
        var script = script
        script.discover()
        script.disconnect()
        script.connect(0x77)
        script.notify(oximeterValue, 0x77)
        #expect(values(script).map(\.characteristic) == [.plxContinuousMeasurement])
    }

    @Test func characteristicsOfAKindAreNumberedByHandleInWhateverOrderTheyCome() {
        var script = script
        for handle: UInt16 in [30, 12, 21] { script.declare(.batteryLevel, at: handle) }
        for handle: UInt16 in [12, 21, 30] { script.notify([50], at: handle) }
        #expect(values(script).map(\.instance) == [0, 1, 2])
    }

    @Test func anotherServiceInTheSamePlaceReplacesTheOldOne() {
        var script = script
        script.discover(in: 10...20)
        script.notify(oximeterValue)
        script.discover(.heartRateService, .heartRateMeasurement, in: 8...16)
        script.notify([6, 72])
        #expect(
            values(script).map(\.characteristic) == [
                .plxContinuousMeasurement, .heartRateMeasurement,
            ])
        #expect(values(script).map(\.service) == [.pulseOximeterService, .heartRateService])
    }

    @Test func aResponseBelongsToItsOwnRequest() {
        var script = script
        script.declare(.batteryLevel, at: 12)
        script.declare(.temperatureType, at: 21)
        script.send([0x0A, 12, 0])
        script.notify([60])
        script.receive([0x0B, 50])
        script.send([0x0A, 21, 0])
        script.receive([0x01, 0x0A, 21, 0, 0x05])
        script.receive([0x0B, 9])
        let reading = script.reading()
        #expect(reading.events.map(\.kind) == [.connect, .notify, .read])
        #expect(reading.events.last?.value == [50])
        #expect(reading.account.unpaired == 1)
    }

    @Test func aLongValueIsReadToItsEnd() {
        let value = (0..<60).map { UInt8($0) }
        var script = script
        script.declare(.regulatoryCertification, at: 12)
        script.read(Array(value[..<22]))
        for (start, end) in [(22, 44), (44, 60)] {
            script.send([0x0C, 12, 0] + UInt16(start).octets)
            script.receive([0x0D] + value[start..<end])
        }
        #expect(values(script).map(\.value) == [value])
    }

    @Test(arguments: [[0x01, 0x0C, 12, 0, 0x0B] as [UInt8], [0x01, 0x0C, 12, 0, 0x07], [0x0D]])
    func aLongValueEndsWhereNoMoreComes(answer: [UInt8]) {
        let value = [UInt8](repeating: 7, count: 22)
        var script = script
        script.declare(.modelNumber, at: 12)
        script.read(value)
        script.send([0x0C, 12, 0, 22, 0])
        script.receive(answer)
        #expect(values(script).map(\.value) == [value])
    }

    @Test func aValueThatFillsItsResponseIsGivenWhenSomethingElseFollowsOrNothing() {
        let value = [UInt8](repeating: 7, count: 22)
        var script = script
        script.declare(.modelNumber, at: 12)
        script.declare(.serialNumber, at: 15)
        script.read(value, at: 12)
        script.read(value, at: 15)
        #expect(values(script).map(\.characteristic) == [.modelNumber, .serialNumber])
        script.disconnect()
        #expect(script.reading().events.map(\.kind) == [.connect, .read, .read, .disconnect])
    }

    @Test func aLargerMTUHoldsMoreInOneResponse() {
        let value = [UInt8](repeating: 7, count: 22)
        var script = script
        script.send([2, 0, 2])
        script.receive([3, 0xF7, 0])
        script.declare(.modelNumber, at: 12)
        script.read(value)
        script.notify([1], at: 12)
        #expect(values(script).map(\.kind) == [.read, .notify])
    }

    @Test func severalNotificationsStandInOneOperation() {
        var script = script
        script.declare(.plxContinuousMeasurement, at: 12)
        script.declare(.batteryLevel, at: 21)
        script.receive([0x23, 12, 0, 5, 0] + oximeterValue + [21, 0, 1, 0, 60, 21, 0, 9, 0, 1])
        let reading = script.reading()
        #expect(reading.events.dropFirst().map(\.value) == [oximeterValue, [60]])
        #expect(reading.account.malformed == 1)
    }

    @Test func severalValuesAreReadInOneOperation() {
        var script = script
        script.declare(.batteryLevel, at: 12)
        script.declare(.temperatureType, at: 15)
        script.send([0x20, 12, 0, 15, 0])
        script.receive([0x21, 1, 0, 60, 1, 0, 9])
        #expect(values(script).map(\.value) == [[60], [9]])
    }

    @Test func aValueThatIsReadByItsTypeTellsItsHandle() {
        var script = script
        script.send([8, 1, 0, 0xFF, 0xFF, 0x19, 0x2A])
        script.receive([9, 3, 12, 0, 60])
        script.notify([59])
        let events = values(script)
        #expect(events.map(\.kind) == [.read, .notify])
        #expect(events.map(\.characteristic) == [.batteryLevel, .batteryLevel])
    }

    @Test func theNameThatIsReadIsTheDevicesFromThenOn() {
        var script = script
        script.declare(BluetoothUUID(0x2A00), at: 3)
        script.read(Array("Nonin3230\0\0".utf8), at: 3)
        script.disconnect()
        script.connect()
        let events = script.reading().events
        #expect(events[1].device.name == "Nonin3230")
        #expect(events.last?.device.name == "Nonin3230")
    }

    @Test func onlyConfirmedWritesThatMatterAreEvents() {
        var script = script
        script.declare(.recordAccessControlPoint, at: 12)
        script.declare(.measurementInterval, at: 15)
        script.send([0x12, 12, 0, 1, 1])
        script.receive([0x13])
        script.send([0x12, 12, 0, 2, 1])
        script.receive([0x01, 0x12, 12, 0, 0xFD])
        script.send([0x12, 15, 0, 60, 0])
        script.receive([0x13])
        script.send([0x52, 12, 0, 3, 0])
        let events = values(script)
        #expect(events.map(\.kind) == [.write])
        #expect(events.map(\.value) == [[1, 1]])
    }

    @Test func indicationsThatNobodyConfirmsAreGivenAndCounted() {
        var script = script
        script.declare(.temperatureMeasurement, at: 12)
        for _ in 0..<2 { script.receive([0x1D, 12, 0, 0, 0x6E, 1, 0, 0xFF]) }
        script.send([0x1E])
        script.receive([0x1D, 12, 0, 0, 0x6E, 1, 0, 0xFF])
        script.disconnect()
        let reading = script.reading()
        #expect(reading.events.filter { $0.kind == .indicate }.count == 3)
        #expect(reading.account.unconfirmed == 2)
    }

    @Test(
        arguments: [
            [0x1B], [0x1B, 12], [0x1D, 12], [0xFE], [0x05], [0x09, 1, 2], [0x11, 5, 1, 2, 3, 4, 5],
            [0x23, 12, 0, 9, 0], [],
        ] as [[UInt8]])
    func operationsThatAreTooShortAreNoEvents(operation: [UInt8]) {
        var script = script
        script.send([8, 1, 0, 0xFF, 0xFF, 3, 0x28])
        script.receive(operation)
        let reading = script.reading()
        #expect(reading.events.map(\.kind) == [.connect])
        #expect(reading.account.malformed + reading.account.unpaired == 1)
    }
}
