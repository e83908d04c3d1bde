import Captures
import Measurements
import Testing

@Suite struct CaptureDamageTests {
    /// A small scene, so that every prefix of every format can be read.
    private static let scene: Scene = {
        var parser = GattlogParser(origin: .import)
        let device = #""device":"00:1C:05:01:02:03""#
        let text = """
            {"at":"2026-11-24T21:00:00Z","event":"connect",\(device),"name":"Nonin3230","rssi":-57}
            {"at":"2026-11-24T21:00:01Z","event":"notify",\(device),"service":"1822",\
            "characteristic":"2a5f","value":"0061004800"}
            {"at":"2026-11-24T21:00:02Z","event":"disconnect",\(device)}

            """
        return Scene(
            events: parser.feed(Array(text.utf8)).compactMap { item in
                if case .event(let event, _) = item { event } else { nil }
            })
    }()

    @Test(arguments: CaptureFixture.all)
    func everyPrefixGivesTheBeginningAndOneSentence(fixture: CaptureFixture) {
        let octets = fixture.octets(Self.scene)
        let whole = CaptureReading(octets)
        #expect(whole.events.count == 3)
        for count in 0..<octets.count where isTried(count, of: octets.count) {
            let reading = CaptureReading(Array(octets.prefix(count)), pieces: 1000)
            #expect(whole.events.starts(with: reading.events))
            if reading.damage == nil {
                #expect(
                    reading.account.records < whole.account.records || count > octets.count - 20)
            }
        }
    }

    /// All near the ends, and every seventh between, which is coprime to all lengths of fields.
    private func isTried(_ count: Int, of all: Int) -> Bool {
        count < 200 || count > all - 100 || count % 7 == 0
    }

    @Test(arguments: CaptureFixture.all)
    func aFileCutInTheMiddleSaysSo(fixture: CaptureFixture) {
        let octets = fixture.octets(Self.scene)
        let reading = CaptureReading(Array(octets.prefix(octets.count - 5)))
        let why = reading.damage?.why ?? ""
        #expect(
            why.hasPrefix("it ends in the middle of a record") || why.hasPrefix("its gzip data"))
        #expect(why.contains("is the last whole one") || why.contains("no whole record"))
        #expect(reading.account.records >= CaptureReading(octets).account.records - 1)
    }

    @Test(arguments: CaptureFixture.all, 0..<40)
    func octetsThatAreTurnedDoNoHarm(fixture: CaptureFixture, seed: UInt64) {
        var octets = fixture.octets(Self.scene)
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        for _ in 0..<20 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            octets[Int(state >> 33) % octets.count] = UInt8(truncatingIfNeeded: state >> 25)
        }
        let reading = CaptureReading(octets)
        #expect(reading.events.count <= 64)
    }

    @Test func aRecordThatIsTooLongEndsTheReading() {
        var script = HCIScript()
        script.connect()
        script.notify(oximeterValue)
        var octets = script.octets
        octets[16 + 4] = 0x7F
        let reading = CaptureReading(octets)
        #expect(
            reading.damage?.why
                == "record 1 says that it has 2130706454 octets, and the longest has 262144: "
                + "the rest cannot be read")
        #expect(reading.account.records == 0)
    }

    @Test func aBlockOfPcapngThatCannotBeIsSaid() {
        let interface = PcapngWriterInterface(link: 187)
        let whole = PcapngWriter.file([ContainerPacket(octets: [4, 5, 0], time: 1)], [interface])
        var lengths = whole
        lengths[lengths.count - 4] ^= 4
        #expect(
            CaptureReading(lengths).damage?.why
                == "block 4 has two lengths: the rest cannot be read")
        var stranger = whole
        stranger[stranger.count - 28] = 9
        #expect(
            CaptureReading(stranger).damage?.why
                == "block 4 is a packet of interface 9, which nothing describes: the rest cannot "
                + "be read")
    }

    @Test func longBlocksOfNamesAndKeysAreSkipped() {
        var file = IntegerWriter(octets: PcapngWriter.file([], [PcapngWriterInterface(link: 187)]))
        PcapngWriter.block(10, [UInt8](repeating: 7, count: 3_000_000), &file)
        PcapngWriter.block(3, [3, 0, 0, 0, 4, 5, 0, 0], &file)
        let reading = CaptureReading(file.octets, pieces: 65_536)
        #expect(reading.damage == nil)
        #expect(reading.account.records == 1)
        let cut = CaptureReading(Array(file.octets.prefix(2_000_000)))
        #expect(cut.damage?.why == "it ends in the middle of a record: there is no whole record")
    }

    @Test func damagedGzipIsSaid() {
        var octets = GzipWriter.member(HCIScript().octets)
        octets[10] = 7
        #expect(CaptureReading(octets).damage?.why == "its gzip data are damaged")
        octets[10] = 1
        octets[octets.count - 6] ^= 1
        #expect(CaptureReading(octets).damage?.why == "its gzip data are damaged")
    }

    @Test func whatWasUnpackedBeforeADamageIsRead() {
        var script = HCIScript()
        script.connect()
        var octets = GzipWriter.member(script.octets)
        octets[octets.count - 6] ^= 1
        let reading = CaptureReading(octets)
        #expect(reading.damage?.why == "its gzip data are damaged")
        #expect(reading.events.map(\.kind) == [.connect])
    }

    @Test func whatTheRecorderLeftOutIsCounted() {
        var script = HCIScript()
        script.connect()
        var packets = script.packets
        packets[0].missing = 4
        #expect(CaptureReading(BtsnoopWriter.file(packets, datalink: 1002)).account.cutRecords == 1)
        #expect(CaptureReading(PcapWriter.file(packets, link: 187)).account.cutRecords == 1)
    }

    @Test func whatTheRecorderLostIsSaid() {
        var script = HCIScript()
        script.connect()
        script.notify(oximeterValue)
        script.notify(oximeterValue)
        var octets = script.octets
        let third = octets.count - 24 - script.packets[2].octets.count
        octets[third + 15] = 12
        let reading = CaptureReading(octets)
        #expect(reading.remarks.contains(.dropped(12, record: 3)))
        #expect(reading.account.droppedRecords == 12)
    }
}
