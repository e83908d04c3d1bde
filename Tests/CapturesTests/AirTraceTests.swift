import Captures
import Measurements
import Testing

/// Links as a sniffer hears them.
@Suite struct AirTraceTests {
    private let sensor = HCIScript.sensor
    private let access: UInt32 = 0x5065_5D01
    private let seed: UInt32 = 0xAB_CD01

    /// A link that begins with the request for it; then each packet, by whom, with its sequence bit.
    private func frames(
        _ packets: [(fromCentral: Bool, bit: UInt8, kind: UInt8, payload: [UInt8])],
        address: UInt32? = nil
    ) -> [AirFrame] {
        var request = IntegerWriter(octets: [1, 2, 3, 4, 5, 6] + sensor.octets)
        request.put(access)
        request.octets += [0x01, 0xCD, 0xAB] + [UInt8](repeating: 1, count: 15)
        var frames = [
            AirFrame(
                accessAddress: 0x8E89_BED6, unit: [5, 34] + request.octets, seed: 0x55_5555,
                fromCentral: nil, time: HCIScript.start)
        ]
        for (place, packet) in packets.enumerated() {
            frames.append(
                AirFrame(
                    accessAddress: address ?? access,
                    unit: [packet.kind | packet.bit << 3, UInt8(packet.payload.count)]
                        + packet.payload,
                    seed: seed, fromCentral: packet.fromCentral,
                    time: HCIScript.start + Int64(place + 1) * 10_000))
        }
        return frames
    }

    private func file(_ frames: [AirFrame]) -> [UInt8] {
        PcapWriter.file(frames.map { $0.withHeader }, link: 256)
    }

    private func notification(_ value: [UInt8]) -> [UInt8] {
        UInt16(value.count + 3).octets + [4, 0, 0x1B, 0x0C, 0] + value
    }

    private let map = HandleMap("0x0c=2a5f") ?? HandleMap()

    @Test func aLinkIsToldOnceAPacketShowsThatItCameAbout() {
        #expect(CaptureReading(file(frames([]))).events == [])
        let reading = CaptureReading(file(frames([(true, 0, 1, [])])))
        #expect(reading.events.map(\.kind) == [.connect])
        #expect(reading.events.first?.device.address == sensor)
    }

    @Test func equalValuesWithEmptyPacketsBetweenAreAllNew() {
        let value = notification(oximeterValue)
        let reading = CaptureReading(
            file(
                frames([
                    (false, 0, 2, value), (true, 0, 1, []), (false, 1, 1, []), (true, 1, 1, []),
                    (false, 0, 2, value), (true, 0, 1, []), (false, 1, 2, value),
                ])), handles: map)
        #expect(reading.events.filter { $0.kind == .notify }.count == 3)
        #expect(reading.account.retransmissions == 0)
    }

    @Test func aPacketSentOnceMoreIsOneValue() {
        let value = notification(oximeterValue)
        let reading = CaptureReading(
            file(frames([(false, 0, 2, value), (true, 0, 1, []), (false, 0, 2, value)])),
            handles: map)
        #expect(reading.events.filter { $0.kind == .notify }.count == 1)
        #expect(reading.account.retransmissions == 1)
    }

    @Test func anotherValueWithTheSameBitIsNewBecauseOneWasMissed() {
        let reading = CaptureReading(
            file(
                frames([
                    (false, 0, 2, notification(oximeterValue)),
                    (false, 0, 2, notification([0, 98, 0, 70, 0])),
                ])), handles: map)
        #expect(reading.events.filter { $0.kind == .notify }.count == 2)
    }

    @Test func packetsWithABadChecksumAreCountedAndLeftAlone() {
        var heard = frames([(false, 0, 2, notification(oximeterValue)), (false, 1, 1, [])])
        heard[1].isBad = true
        let told = CaptureReading(file(heard), handles: map)
        #expect(told.events.map(\.kind) == [.connect])
        #expect(told.account.badChecksums == 1)
        let computed = CaptureReading(
            PcapWriter.file(heard.map { $0.plain }, link: 251), handles: map)
        #expect(computed.account.badChecksums == 1)
        #expect(computed.events.map(\.kind) == [.connect])
    }

    @Test func aChecksumThatIsLeftOutIsNotMissed() {
        var packets = frames([(false, 0, 2, notification(oximeterValue))]).map { $0.plain }
        for place in packets.indices {
            packets[place].octets.replaceSubrange(
                packets[place].octets.count - 3..<packets[place].octets.count, with: [0, 0, 0])
        }
        let zeros = CaptureReading(PcapWriter.file(packets, link: 251), handles: map)
        #expect(zeros.events.map(\.kind) == [.connect, .notify])
        for place in packets.indices { packets[place].octets.removeLast(3) }
        let none = CaptureReading(PcapWriter.file(packets, link: 251), handles: map)
        #expect(none.events == zeros.events)
    }

    private let encryption: [(fromCentral: Bool, bit: UInt8, kind: UInt8, payload: [UInt8])] = [
        (true, 0, 3, [3] + [UInt8](repeating: 9, count: 22)),
        (false, 0, 3, [4] + [UInt8](repeating: 9, count: 12)),
    ]

    @Test func encryptedPacketsAreCountedAndLeftAlone() {
        let after: [(fromCentral: Bool, bit: UInt8, kind: UInt8, payload: [UInt8])] = [
            (false, 1, 3, [5]), (true, 1, 3, [0xAA, 1, 2, 3, 4]),
            (false, 0, 2, notification(oximeterValue) + [1, 2, 3, 4]), (true, 0, 1, []),
        ]
        let reading = CaptureReading(file(frames(encryption + after)), handles: map)
        #expect(reading.events.map(\.kind) == [.connect])
        #expect(reading.account.encrypted == 2)
        let missed = CaptureReading(file(frames(encryption + after.dropFirst())), handles: map)
        #expect(missed.account.encrypted == 2)
    }

    @Test func whatTheSnifferHasDecryptedIsRead() {
        var heard = frames(
            encryption + [(false, 1, 3, [5]), (false, 0, 2, notification(oximeterValue))])
        heard[4].isDecrypted = true
        #expect(
            CaptureReading(file(heard), handles: map).events.map(\.kind) == [.connect, .notify])
        let nordic = PcapWriter.file(heard.map { $0.nordic(version: 3) }, link: 272)
        #expect(CaptureReading(nordic, handles: map).events.map(\.kind) == [.connect, .notify])
    }

    @Test func anEncryptionThatIsRefusedLeavesTheLinkInClear() {
        let after: [(fromCentral: Bool, bit: UInt8, kind: UInt8, payload: [UInt8])] = [
            (false, 1, 3, [0x0D, 6]), (false, 0, 2, notification(oximeterValue)),
        ]
        let reading = CaptureReading(file(frames(encryption + after)), handles: map)
        #expect(reading.events.map(\.kind) == [.connect, .notify])
        #expect(reading.account.encrypted == 0)
    }

    @Test func aNewRequestEndsTheLinkThatWasThere() {
        let first = frames([(true, 0, 1, [])])
        var second = frames([])
        second[0] = AirFrame(
            accessAddress: 0x8E89_BED6,
            unit: Array(second[0].unit.prefix(14)) + [0x99] + Array(second[0].unit.dropFirst(15)),
            seed: 0x55_5555, fromCentral: nil, time: HCIScript.start + 5_000_000)
        let reading = CaptureReading(file(first + second))
        #expect(reading.events.map(\.kind) == [.connect, .disconnect])
        #expect(reading.events.last?.at.milliseconds == HCIScript.start / 1000 + 5000)
        let again = CaptureReading(file(first + [first[0]]))
        #expect(again.events.map(\.kind) == [.connect])
    }

    @Test func aLinkWhoseRequestWasMissedNeedsItsDevice() {
        let heard = frames([(false, 0, 2, notification(oximeterValue))], address: 0x1234_5678)
        let unknown = CaptureReading(file(heard), handles: map)
        #expect(unknown.events == [])
        #expect(unknown.account.operationsOfUnknownDevices == 1)
        let known = CaptureReading(file(heard), handles: map, device: sensor)
        #expect(known.events.map(\.device.address) == [sensor])
    }

    @Test func whitenedShortAndLegacyPacketsAreCounted() {
        let whitened = ContainerPacket(octets: [UInt8](repeating: 0, count: 30), time: 0)
        let short = ContainerPacket(
            octets: [37, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 4, 2, 9], time: 0)
        let reading = CaptureReading(PcapWriter.file([whitened, short], link: 256))
        #expect(reading.account.malformed == 2)
        let legacy = ContainerPacket(
            octets: [0xBE, 0xEF] + [UInt8](repeating: 0, count: 40), time: 0)
        #expect(CaptureReading(PcapWriter.file([legacy], link: 272)).account.malformed == 1)
    }

    @Test func onTheCodedLayerAnOctetStandsBehindTheAccessAddress() {
        var packets = frames([(false, 0, 2, notification(oximeterValue))]).map { $0.withHeader }
        for place in packets.indices {
            packets[place].octets[9] |= 0x80
            packets[place].octets.insert(1, at: 14)
        }
        let reading = CaptureReading(PcapWriter.file(packets, link: 256), handles: map)
        #expect(reading.events.map(\.kind) == [.connect, .notify])
    }
}
