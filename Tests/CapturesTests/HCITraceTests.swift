import Captures
import Measurements
import Testing

/// Links of a controller, and how their data are put together.
@Suite struct HCITraceTests {
    private let other = DeviceAddress(bits: 0xD4B8_5E03_9D77)

    private func values(_ reading: CaptureReading) -> [[UInt8]] {
        reading.events.filter { $0.kind == .notify }.map(\.value)
    }

    private func packet(_ value: [UInt8]) -> [UInt8] {
        UInt16(value.count + 3).octets + [4, 0, 0x1B, 0x0C, 0] + value
    }

    @Test(arguments: 1...12)
    func fragmentsOfAnySizeAreOnePacket(size: Int) {
        var script = HCIScript()
        script.connect()
        script.discover()
        let whole = packet(oximeterValue)
        for start in stride(from: 0, to: whole.count, by: size) {
            script.fragment(
                Array(whole[start..<min(start + size, whole.count)]), boundary: start == 0 ? 2 : 1,
                isReceived: true)
        }
        let reading = script.reading()
        #expect(values(reading) == [oximeterValue])
        #expect(reading.account.brokenPackets == 0)
    }

    @Test func fragmentsOfLinksAndDirectionsDoNotMix() {
        var script = HCIScript()
        script.connect(0x40)
        script.connect(0x41, other)
        script.discover()
        script.discover(at: 0x0C, 0x41)
        let (first, second) = (packet([0, 97, 0, 72, 0]), packet([0, 98, 0, 60, 0]))
        let request: [UInt8] = [3, 0, 4, 0, 0x0A, 0x0C, 0]
        script.fragment(Array(first[..<6]), 0x40, boundary: 2, isReceived: true)
        script.fragment(Array(second[..<9]), 0x41, boundary: 2, isReceived: true)
        script.fragment(Array(request[..<5]), 0x40, boundary: 0, isReceived: false)
        script.fragment(Array(second[9...]), 0x41, boundary: 1, isReceived: true)
        script.fragment(Array(request[5...]), 0x40, boundary: 1, isReceived: false)
        script.fragment(Array(first[6...]), 0x40, boundary: 1, isReceived: true)
        script.receive([0x0B, 1])
        let reading = script.reading()
        #expect(values(reading) == [[0, 98, 0, 60, 0], [0, 97, 0, 72, 0]])
        #expect(reading.events.last?.kind == .read)
        #expect(reading.account.brokenPackets == 0)
    }

    @Test func withoutDirectionsFragmentsGoWhereOneWaits() {
        var script = HCIScript()
        script.connect()
        script.discover()
        let whole = packet(oximeterValue)
        script.fragment(Array(whole[..<6]), boundary: 2, isReceived: true)
        script.fragment(Array(whole[6...]), boundary: 1, isReceived: true)
        let reading = CaptureReading(PcapWriter.file(script.packets, link: 187))
        #expect(values(reading) == [oximeterValue])
    }

    @Test func aFragmentWithoutItsBeginningIsCountedAndTheNextPacketIsRead() {
        var script = HCIScript()
        script.connect()
        script.discover()
        script.fragment([1, 2, 3], boundary: 1, isReceived: true)
        script.fragment(Array(packet(oximeterValue)[..<7]), boundary: 2, isReceived: true)
        script.notify([0, 98, 0, 60, 0])
        let reading = script.reading()
        #expect(values(reading) == [[0, 98, 0, 60, 0]])
        #expect(reading.account.brokenPackets == 2)
    }

    @Test func otherChannelsAndPacketsThatAreTooLongArePassedOver() {
        var script = HCIScript()
        script.connect()
        script.discover()
        script.fragment([20, 0, 5, 0, 1, 2, 3], boundary: 2, isReceived: true)
        script.fragment([UInt8](repeating: 4, count: 17), boundary: 1, isReceived: true)
        script.fragment([0xFF, 0xFF, 4, 0, 0x1B, 0x0C, 0], boundary: 2, isReceived: true)
        script.notify(oximeterValue)
        #expect(values(script.reading()) == [oximeterValue])
    }

    @Test func aHandleThatIsTakenAgainIsAnotherLink() {
        var script = HCIScript()
        script.connect(0x40)
        script.discover()
        script.notify(oximeterValue)
        script.disconnect(0x40)
        script.connect(0x40, other, addressType: 1)
        script.discover(.heartRateService, .heartRateMeasurement)
        script.notify([0x06, 0x48])
        let events = script.reading().events
        #expect(events.map(\.kind) == [.connect, .notify, .disconnect, .connect, .notify])
        #expect(events.map(\.device.address).suffix(2) == [other, other])
        #expect(events[3].device.addressType == "random")
        #expect(events[4].characteristic == .heartRateMeasurement)
    }

    @Test func aHandleThatIsTakenAgainUnseenEndsTheOldLink() {
        var script = HCIScript()
        script.connect(0x40)
        script.connect(0x40, other)
        let events = script.reading().events
        #expect(events.map(\.kind) == [.connect, .disconnect, .connect])
        #expect(events.map(\.device.address) == [HCIScript.sensor, HCIScript.sensor, other])
    }

    @Test func aResetEndsAllLinks() {
        var script = HCIScript()
        script.connect(0x40)
        script.connect(0x41, other)
        script.event(0x0E, [1, 0x03, 0x0C, 0])
        script.receive([0x1B, 0x0C, 0] + oximeterValue, 0x41)
        let reading = script.reading()
        #expect(reading.events.map(\.kind) == [.connect, .connect, .disconnect, .disconnect])
        #expect(reading.account.operationsOfUnknownDevices == 1)
    }

    @Test func connectionsAndDisconnectionsThatFailedAreNone() {
        var script = HCIScript()
        script.connect(0x40, status: 0x3E)
        script.connect(0x40)
        script.event(5, [0x0C, 0x40, 0, 0x13])
        script.discover()
        script.notify(oximeterValue)
        let reading = script.reading()
        #expect(reading.events.map(\.kind) == [.connect, .notify])
    }

    @Test(arguments: [(UInt8(0), "public"), (1, "random"), (2, "public"), (3, "random")])
    func theAddressTypeIsThatOfTheEvent(type: UInt8, name: String) {
        var script = HCIScript()
        script.connect(addressType: type)
        #expect(script.reading().events.first?.device.addressType == name)
    }

    @Test func theWholeNameWinsAndTheStrengthIsTheLast() {
        func report(_ name: [UInt8], _ rssi: UInt8) -> [UInt8] {
            [2, 1, 0, 0] + HCIScript.sensor.octets + [UInt8(name.count)] + name + [rssi]
        }
        var script = HCIScript()
        script.event(0x3E, report([4, 8] + Array("Non".utf8), 0xC0))
        script.event(0x3E, report([6, 9] + Array("Nonin".utf8), 127))
        script.event(0x3E, report([4, 8] + Array("Non".utf8), 0xC8))
        script.event(0x3E, report([3, 9, 0, 0], 0xC9))
        script.connect()
        let device = script.reading().events.first?.device
        #expect(device?.name == "Nonin")
        #expect(device?.rssi == -55)
    }

    @Test func adaptersOfAMonitorAreApart() {
        func connect(_ adapter: UInt32, _ address: DeviceAddress) -> ContainerPacket {
            ContainerPacket(
                octets: [0x3E, 19, 1, 0, 0x40, 0, 0, 0] + address.octets + [24, 0, 0, 0, 72, 0, 0],
                time: HCIScript.start, flags: adapter << 16 | 3)
        }
        let closed = ContainerPacket(octets: [], time: HCIScript.start, flags: 1 << 16 | 9)
        let deleted = ContainerPacket(octets: [], time: HCIScript.start, flags: 1)
        let reading = CaptureReading(
            BtsnoopWriter.file(
                [connect(0, HCIScript.sensor), connect(1, other), closed, deleted], datalink: 2001))
        #expect(reading.events.map(\.kind) == [.connect, .connect, .disconnect, .disconnect])
        #expect(reading.events.map(\.device.adapter) == ["hci0", "hci1", nil, nil])
        #expect(
            reading.events.map(\.device.address) == [
                HCIScript.sensor, other, other, HCIScript.sensor,
            ])
    }

    @Test func whatTheHostItselfServesIsNotASensorsValue() {
        var script = HCIScript()
        script.connect()
        script.discover()
        script.send([0x1B, 0x0C, 0] + oximeterValue)
        script.receive([0x0A, 0x0C, 0])
        script.send([0x0B] + oximeterValue)
        let reading = script.reading()
        #expect(reading.events.map(\.kind) == [.connect])
        #expect(reading.account.attOperations == 7)
    }
}
