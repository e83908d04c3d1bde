import Captures
import Testing

@Suite struct CaptureFormatTests {
    private func damage(_ octets: [UInt8]) -> String? { CaptureReading(octets).damage?.why }

    @Test(arguments: [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "it is a PNG image, not a capture"),
        (Array("%PDF-1.7 and more of it".utf8), "it is a PDF document, not a capture"),
        ([0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0], "it is a ZIP archive: unpack"),
        (
            [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4],
            "it is compressed: unpack it first with `xz -d`"
        ),
        (Array("snoop\0\0\0\0\0\0\u{2}".utf8), "it is a snoop capture of Solaris"),
        ([0x34, 0xCD, 0xB2, 0xA1, 2, 0, 4, 0], "it is a modified pcap: convert it with `editcap"),
        ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], "it is a program, not a capture"),
        (Array("# Notes\n\nto be read\n".utf8), "it is a text, but no recording"),
        (Array("time,spo2\n21:00,97\n".utf8), "it is a text, but no recording"),
        (Array("not a recording".utf8), "it is a text, but no recording"),
        (Array("btsnoop".utf8), "it is a text, but no recording"),
        (Array(String(repeating: "word ", count: 9000).utf8), "it is a text, but no recording"),
        (Array("a name of a file in a tar\0\0\0".utf8), "it is neither a recording nor a capture"),
        ([1, 2, 3, 4], "it is neither a recording nor a capture"),
        (Array(repeating: 0, count: 100), "it is neither a recording nor a capture"),
        ([], "it is empty"),
    ])
    func whatIsNoCaptureIsNamed(octets: [UInt8], sentence: String) {
        #expect(damage(octets)?.hasPrefix(sentence) == true)
        #expect(CaptureReading(octets).events == [])
    }

    @Test(arguments: [
        "# gattlog 1\n", "{\"at\":", "\n", "\u{FEFF}{", "# gattlog 1\nnonsense\n\u{0}\u{1}",
        "damaged\n  {\"at\":", "# a remark", "# one\r\n\r\n{}", "\u{FEFF}\n# Zone: UTC\n",
    ])
    func aTextWithObjectsOrOnlyRemarksIsARecordingAndLeftAsItIs(text: String) {
        let reading = CaptureReading(Array(text.utf8))
        #expect(reading.format == .gattlog)
        #expect(reading.recording == Array(text.utf8))
        #expect(reading.damage == nil)
    }

    @Test(arguments: [1, 5, 100, 5000])
    func whatATextIsDoesNotDependOnPieces(size: Int) {
        let remarks = Array(String(repeating: "# a remark\n", count: 300).utf8)
        let recording = remarks + Array("{\"at\":1}\n".utf8)
        #expect(CaptureReading(recording, pieces: size).recording == recording)
        let other = CaptureReading(remarks + Array("a word\n".utf8), pieces: size)
        #expect(other.damage?.why.hasPrefix("it is a text, but no recording") == true)
        #expect(other.recording == [])
    }

    @Test(
        arguments: [
            String(repeating: "# a remark\n", count: 5000), String(repeating: "\n", count: 9000),
            String(repeating: " \t\r\n", count: 9000),
            "# " + String(repeating: "long ", count: 9000) + "\n",
            "gattlog 1\n" + String(repeating: "# a remark\n", count: 1000),
            String(repeating: "a damaged line\n", count: 100)
                + String(repeating: "\n", count: 9000),
        ], [1000, 100_000])
    func aRecordingMayBeginWithMuchThatIsNothing(beginning: String, size: Int) {
        let recording = Array((beginning + "{\"at\":1}\n").utf8)
        let reading = CaptureReading(recording, pieces: size)
        #expect(reading.recording == recording)
        #expect(reading.damage == nil)
    }

    @Test func muchTextBeforeTheFirstObjectIsNoRecording() {
        let text = String(repeating: "a line\n", count: 1000) + "{\"at\":1}\n"
        #expect(damage(Array(text.utf8))?.hasPrefix("it is a text, but no recording") == true)
    }

    /// Lines of a recording that is written as it is read come out as they come in.
    @Test(arguments: ["# gattlog 1\n# Zone", "{\"at\":\"2026-11-24\""])
    func aRecordingThatGrowsIsNotHeldBack(text: String) throws {
        var capture = Capture()
        capture.feed(Array(text.utf8))
        let items = try capture.next()
        #expect(items?.items == [.recording(Array(text.utf8))])
    }

    @Test func aCompressedRecordingIsARecording() {
        let text = Array(String(repeating: "# gattlog 1\n", count: 20_000).utf8)
        let reading = CaptureReading(GzipWriter.member(text))
        #expect(reading.recording == text)
        #expect(reading.damage == nil)
    }

    @Test func whatIsCompressedTwiceIsSaid() {
        let twice = GzipWriter.member(GzipWriter.member(Array("# gattlog 1\n".utf8)))
        #expect(damage(twice) == "it is compressed twice: unpack it once")
    }

    @Test(arguments: [
        (192, "link type 192 (PPI) is not supported; convert with `editcap "),
        (189, "link type 189 (USB) is not supported; record with `btmon -w FILE` instead"),
        (1, "link type 1 (Ethernet) is not supported; convert with a tool that writes 187"),
        (999, "link type 999 is not supported; convert with a tool that writes 187, 201, 251"),
    ])
    func aLinkTypeThatCannotBeReadIsSaid(number: UInt32, sentence: String) {
        let packets = [ContainerPacket(octets: [1, 2, 3], time: 0)]
        #expect(damage(PcapWriter.file(packets, link: number))?.hasPrefix(sentence) == true)
        let interface = PcapngWriterInterface(link: UInt16(number))
        let reading = CaptureReading(PcapngWriter.file(packets + packets, [interface]))
        #expect(reading.damage?.why.hasPrefix(sentence) == true)
        #expect(reading.account.unsupported.values.reduce(0, +) == 2)
        #expect(reading.remarks.count == 1)
    }

    @Test(arguments: [(1003, "data link 1003 (BCSP)"), (2002, "data link 2002 is not supported")])
    func aDataLinkThatCannotBeReadIsSaid(number: UInt32, sentence: String) {
        #expect(damage(BtsnoopWriter.file([], datalink: number))?.hasPrefix(sentence) == true)
    }

    @Test func otherVersionsAreSaid() {
        var btsnoop = BtsnoopWriter.file([], datalink: 1002)
        btsnoop[11] = 2
        #expect(damage(btsnoop) == "it is btsnoop of version 2, and only 1 is known")
        var pcap = PcapWriter.file([], link: 187)
        pcap[4] = 3
        #expect(damage(pcap) == "it is pcap of version 3, and only 2 is known")
    }

    @Test func aCaptureWithoutRecordsIsWhole() {
        for octets in [
            BtsnoopWriter.file([], datalink: 2001), PcapWriter.file([], link: 256),
            PcapngWriter.file([], []),
        ] {
            #expect(damage(octets) == nil)
            #expect(CaptureReading(octets).account == CaptureAccount())
        }
    }
}
