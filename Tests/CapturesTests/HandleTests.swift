import Captures
import Measurements
import Testing

/// What handles are taken for where a device told nothing about them.
@Suite struct HandleTests {
    private func script(_ values: [[UInt8]], isIndication: Bool = false) -> HCIScript {
        var script = HCIScript()
        script.connect()
        for value in values {
            script.receive([isIndication ? 0x1D : 0x1B, 0x0C, 0] + value)
            if isIndication { script.send([0x1E]) }
        }
        return script
    }

    @Test func aMapReadsHandlesAndNames() {
        var script = script([oximeterValue])
        script.receive([0x1B, 0x20, 0, 0x44])
        let map = HandleMap("0x000c=2a5f,32=Battery Level")
        let events = script.reading(handles: map ?? HandleMap()).events.filter {
            $0.kind == .notify
        }
        #expect(events.map(\.characteristic) == [.plxContinuousMeasurement, .batteryLevel])
        #expect(events.map(\.service) == [.pulseOximeterService, .batteryService])
        #expect(events.allSatisfy { !$0.isGuess })
    }

    @Test func aMapWithTwoOfAKindNumbersThemByHandle() {
        var script = HCIScript()
        script.connect()
        script.receive([0x1B, 0x20, 0, 0x44])
        script.receive([0x1B, 0x10, 0, 0x55])
        let map = HandleMap("0x20=2a19,0x10=2a19")
        let events = script.reading(handles: map ?? HandleMap()).events
        #expect(events.dropFirst().map(\.instance) == [1, 0])
    }

    @Test(arguments: [
        "", "0x10", "0x10=", "=2a5f", "0=2a5f", "0x10000=2a5f", "x=2a5f", "0x10=2a5f,",
        "0x10=2a5f,16=2a5f", "0x10=nothing", "0x10=2a5f=1",
    ])
    func aMapThatCannotBeReadIsNone(text: String) {
        #expect(HandleMap(text) == nil)
    }

    @Test(arguments: [
        ("0061004800", BluetoothUUID.plxContinuousMeasurement),
        ("1fd4f36300d4f36000caf363000001000000cee2", .plxContinuousMeasurement),
        ("006e0100ff", .intermediateTemperature), ("01d80300ff", .intermediateTemperature),
        ("164d1603", .heartRateMeasurement), ("064d9a00", nil), ("0048", nil), ("4b", nil),
        ("0061004800ff", nil), ("e061004800", nil), ("00ff00ffff", nil), ("", nil),
        ("0102030405060708090a", nil), ("00ff07ff07", nil), ("00cdcc8c3f", nil),
    ])
    func aNotificationIsGuessedByItsForm(hex: String, uuid: BluetoothUUID?) {
        let reading = script([hexOctets(hex.utf8) ?? []]).reading()
        #expect(reading.events.last?.characteristic == uuid)
        #expect(reading.events.last?.isGuess == (uuid != nil))
        let told = uuid.map { [CaptureRemark.guessed($0, handle: 0x0C, HCIScript.sensor)] }
        #expect(reading.remarks == told ?? [])
        #expect(reading.account.others == (uuid == nil ? 1 : 0))
    }

    @Test(arguments: [
        ("0061004800", BluetoothUUID.plxSpotCheckMeasurement),
        ("0761006000ea070b181600002000200000", .plxSpotCheckMeasurement),
        ("06680100ffea070b1815340009", .temperatureMeasurement),
        ("006f0100ff", .temperatureMeasurement),
        ("06000101", nil),
    ])
    func anIndicationIsGuessedByItsForm(hex: String, uuid: BluetoothUUID?) {
        let reading = script([hexOctets(hex.utf8) ?? []], isIndication: true).reading()
        #expect(reading.events.last?.characteristic == uuid)
    }

    @Test func twoOctetsAreAHeartRateOnceNotificationsWereAskedFor() {
        var script = HCIScript()
        script.connect()
        script.receive([0x1B, 0x0C, 0, 0x00, 0x48])
        script.send([0x12, 0x0D, 0, 1, 0])
        script.receive([0x13])
        script.receive([0x1B, 0x0C, 0, 0x00, 0x49])
        let reading = script.reading()
        #expect(reading.events.map(\.characteristic) == [nil, .heartRateMeasurement])
        #expect(reading.account.others == 1)
    }

    @Test func aGuessHoldsForValuesOfTheSameFormAndEndsAtAnother() {
        let reading = script([
            oximeterValue, [0, 0xFF, 7, 0xFF, 7], [1, 2, 3], oximeterValue,
        ]).reading()
        #expect(reading.events.filter(\.isGuess).count == 2)
        #expect(
            reading.remarks == [
                .guessed(.plxContinuousMeasurement, handle: 0x0C, HCIScript.sensor),
                .guessWithdrawn(.plxContinuousMeasurement, handle: 0x0C, HCIScript.sensor),
            ])
        #expect(reading.account.unmapped.map(\.count) == [2])
    }

    @Test func whatTheDeviceSaysOverrulesTheMapAndIsSaid() {
        var script = HCIScript()
        script.connect()
        script.discover()
        script.notify(oximeterValue)
        script.notify(oximeterValue)
        let reading = script.reading(handles: HandleMap("0x0c=2a37") ?? HandleMap())
        #expect(reading.events.last?.characteristic == .plxContinuousMeasurement)
        #expect(
            reading.remarks == [
                .mapOverruled(handle: 0x0C, by: .plxContinuousMeasurement, HCIScript.sensor)
            ])
    }

    @Test func valuesOfUnknownHandlesAreCountedByHandle() {
        let reading = script([[1], [2], [3]]).reading()
        #expect(reading.account.unmapped.map(\.handle) == [0x0C])
        #expect(reading.account.unmapped.map(\.count) == [3])
        #expect(reading.account.others == 3)
    }

    @Test func aDescriptorIsNeverGuessed() {
        var script = HCIScript()
        script.connect()
        script.discover()
        script.send([4, 0x0D, 0, 0x0D, 0])
        script.receive([5, 1, 0x0D, 0, 2, 0x29])
        script.receive([0x1B, 0x0D, 0] + oximeterValue)
        let reading = script.reading()
        #expect(reading.account.others == 1)
        #expect(reading.remarks == [])
    }

    @Test func linksThatBeganBeforeTheCaptureNeedTheirDevice() {
        var script = HCIScript()
        script.discover()
        script.notify(oximeterValue)
        let unknown = script.reading()
        #expect(unknown.events == [])
        #expect(unknown.account.operationsOfUnknownDevices == 5)
        let known = script.reading(device: HCIScript.sensor)
        #expect(known.events.map(\.device.address) == [HCIScript.sensor])
        #expect(known.events.map(\.characteristic) == [.plxContinuousMeasurement])
    }
}
