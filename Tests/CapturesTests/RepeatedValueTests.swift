import Captures
import Measurements
import Testing

/// Values of handles that are known already.
@Suite struct RepeatedValueTests {
    /// Twelve handles of two links, more than are remembered, in changing order.
    private func script(values: Int) -> HCIScript {
        var script = HCIScript()
        for link in [0x40, 0x41] as [UInt16] {
            script.connect(link, DeviceAddress(bits: UInt64(link)))
            script.discover(link)
        }
        for number in 0..<values {
            let (handle, link) = (UInt16(2 + number * 7 % 12), UInt16(0x40 + number % 2))
            script.notify([UInt8(number % 256)], at: handle, link)
            if number % 50 == 49 { script.declare(.batteryLevel, at: handle, link) }
        }
        return script
    }

    private func values(_ reading: CaptureReading) -> [GATTEvent] {
        reading.events.filter { $0.kind == .notify }
    }

    @Test func manyHandlesAreWhatEachIsByItself() {
        let octets = script(values: 500).octets
        let (whole, single) = (CaptureReading(octets), CaptureReading(octets, pieces: 1))
        #expect(whole.events == single.events)
        #expect(whole.account == single.account)
        #expect(whole.events.count > 300)
        #expect(whole.account.others > 0)
    }

    @Test func eachValueHasItsOwnOctetsAndTime() {
        var script = HCIScript()
        script.connect()
        script.discover()
        for number in 0..<3 as Range<UInt8> { script.notify([0, 97, 0, 60 + number, 0]) }
        script.notify([])
        let values = values(script.reading())
        #expect(values.map(\.value.count) == [5, 5, 5, 0])
        #expect(values.prefix(3).map { $0.value[3] } == [60, 61, 62])
        let times = values.map(\.at.milliseconds)
        #expect(zip(times, times.dropFirst()).map { $1 - $0 } == [100, 100, 100])
        #expect(script.reading().account.readings.map(\.count) == [4])
    }

    @Test func aHandleThatIsDeclaredAnewHasItsNewName() {
        var script = HCIScript()
        script.connect()
        script.discover()
        script.notify([0, 97, 0, 60, 0])
        script.notify([0, 97, 0, 61, 0])
        script.discover(.batteryService, .batteryLevel)
        script.notify([80])
        script.notify([79])
        let reading = script.reading()
        let names: [BluetoothUUID] = [
            .plxContinuousMeasurement, .plxContinuousMeasurement, .batteryLevel, .batteryLevel,
        ]
        #expect(values(reading).map(\.characteristic) == names)
        #expect(reading.account.readings.map(\.count) == [2, 2])
    }

    @Test func anIndicationAndANotificationOfOneHandleStayApart() {
        var script = HCIScript()
        script.connect()
        script.discover()
        for opcode in [0x1B, 0x1D, 0x1B, 0x1D] as [UInt8] {
            script.receive([opcode, 0x0C, 0, 0, 97, 0, 60, 0])
            if opcode == 0x1D { script.send([0x1E]) }
        }
        let kinds = script.reading().events.dropFirst().map(\.kind)
        #expect(kinds == [.notify, .indicate, .notify, .indicate])
    }
}

extension HCIScript {
    /// The device of a link tells that it has seven of one kind.
    fileprivate mutating func discover(_ link: UInt16) {
        discover(.pulseOximeterService, .plxContinuousMeasurement, at: 2, in: 1...0xFFFF, link)
        for handle in 3..<9 as Range<UInt16> {
            declare(.plxContinuousMeasurement, at: handle, link)
        }
    }
}
