import Captures
import Measurements
import Testing

@Suite struct GattlogParserTests {
    private func items(_ text: String, origin: GATTEvent.Origin = .replay) -> [GattlogItem] {
        items(Array(text.utf8), origin: origin)
    }

    private func items(_ octets: [UInt8], origin: GATTEvent.Origin = .replay) -> [GattlogItem] {
        var parser = GattlogParser(origin: origin)
        var items = parser.feed(octets)
        if let last = parser.finish() { items.append(last) }
        return items
    }

    private let notify = """
        {"at":"2026-11-29T22:00:00.123Z","event":"notify","device":"00:1C:05:01:02:03",\
        "service":"1822","characteristic":"2a5f","value":"00610048"}
        """

    private var event: GATTEvent {
        GATTEvent(
            .notify, origin: .replay, device: RemoteDevice(DeviceAddress(bits: 0x001C_0501_0203)),
            service: .pulseOximeterService, characteristic: .plxContinuousMeasurement,
            value: [0x00, 0x61, 0x00, 0x48], at: Instant(milliseconds: 1_795_989_600_123))
    }

    @Test func aLineIsAnEvent() {
        #expect(items(notify + "\n") == [.event(event, line: 1)])
    }

    @Test func everyKeyReachesTheEvent() {
        let text = """
            {"at":"2026-11-29T23:00:00.123+01:00","event":"indicate","device":"00:1c:05:01:02:03",\
            "name":"Nonin","addressType":"public","adapter":"hci0","rssi":-58,\
            "service":"0000180f-0000-1000-8000-00805f9b34fb","characteristic":"2A19",\
            "value":"4B","instance":1,"guess":true,"mtu":23}
            """
        let device = RemoteDevice(
            DeviceAddress(bits: 0x001C_0501_0203), name: "Nonin", addressType: "public",
            adapter: "hci0", rssi: -58)
        let expected = GATTEvent(
            .indicate, origin: .import, device: device, service: .batteryService,
            characteristic: .batteryLevel, instance: 1, value: [0x4B],
            at: Instant(milliseconds: 1_795_989_600_123), isGuess: true)
        #expect(items(text, origin: .import) == [.event(expected, line: 1)])
    }

    @Test(arguments: ["connect", "disconnect"])
    func theEndsOfALinkNeedNoValue(name: String) {
        let text =
            "{\"at\":\"2026-11-29T22:00:00Z\",\"event\":\"\(name)\","
            + "\"device\":\"00:1C:05:01:02:03\",\"characteristic\":\"?\"}"
        guard case .event(let event, line: 1)? = items(text).first else {
            Issue.record("no event")
            return
        }
        #expect(event.kind.rawValue == name)
        #expect(event.characteristic == nil)
    }

    @Test func aValueMayHaveNoOctetsAndNoService() {
        let text = notify.replacing("00610048", with: "").replacing(
            "\"service\":\"1822\",", with: "")
        var expected = event
        expected.value = []
        expected.service = nil
        #expect(items(text) == [.event(expected, line: 1)])
    }

    @Test func nullIsAsGoodAsMissing() {
        let text = notify.replacing(
            "\"service\":", with: "\"name\":null,\"rssi\":null,\"service\":")
        #expect(items(text) == [.event(event, line: 1)])
    }

    @Test func aZoneHoldsUntilTheNext() {
        let text = "# Zone: Europe/Berlin\n\(notify)\n#Zone: UTC\n\(notify)\n# Zone:\n\(notify)\n"
        let zones = items(text).compactMap { item in
            if case .event(let event, _) = item { event.zone ?? "none" } else { nil }
        }
        #expect(zones == ["Europe/Berlin", "UTC", "none"])
    }

    @Test func remarksAndBlankLinesAreCountedOnly() {
        let text = "# gattlog 1\n# Device: x\n\n  \t\n# \n#\n\(notify)\n"
        #expect(items(text).dropLast() == (1...6).map { .ignored(line: $0) }[...])
        #expect(items(text).last == .event(event, line: 7))
    }

    @Test(arguments: ["# gattlog 2", "# gattlog", "# gattlog 10", "# gattlog x"])
    func anotherVersionIsSaid(text: String) {
        #expect(
            items(text) == [
                .damaged(line: 1, why: "gattlog: expected version 1, as in # gattlog 1")
            ])
    }

    @Test func aZoneThatIsNoNameIsSaidAndTheOldOneHolds() {
        let long = String(repeating: "x", count: 65)
        let text =
            "# Zone: UTC\n# Zone: \(long)\n# Zone: Europe Berlin\n# Zone: M\u{FC}nchen\n\(notify)"
        let why = "Zone: expected one name such as Europe/Berlin"
        var expected = event
        expected.zone = "UTC"
        #expect(
            items(text) == [
                .ignored(line: 1), .damaged(line: 2, why: "Zone: longer than 64 octets"),
                .damaged(line: 3, why: why), .damaged(line: 4, why: why),
                .event(expected, line: 5),
            ])
    }

    @Test func anUnknownEventIsNamedWhateverElseTheLineSays() {
        #expect(items("{\"event\":\"pair\"}") == [.unknownEvent("pair", line: 1)])
    }

    @Test func CRLFAndAByteOrderMarkAndAMissingLFDoNoHarm() {
        let text = "\u{FEFF}\(notify)\r\n\(notify)"
        #expect(items(text) == [.event(event, line: 1), .event(event, line: 2)])
    }

    @Test func aByteOrderMarkCountsOnlyAtTheStart() {
        guard case .damaged(line: 2, let why)? = items("\n\u{FEFF}\(notify)").last else {
            Issue.record("not damaged")
            return
        }
        #expect(why == "not JSON: unexpected character at offset 0")
    }

    @Test(arguments: 1...40)
    func piecesOfAnySizeGiveTheSame(size: Int) {
        let text = Array("# Zone: UTC\r\n\(notify)\n\n{\n\(notify)\nxyz".utf8)
        var parser = GattlogParser(origin: .replay)
        var pieces: [GattlogItem] = []
        for start in stride(from: 0, to: text.count, by: size) {
            pieces += parser.feed(Array(text[start..<min(start + size, text.count)]))
        }
        if let last = parser.finish() { pieces.append(last) }
        #expect(pieces == items(text))
        #expect(pieces.count == 6)
    }

    @Test func everyPrefixOfALineIsDamagedButNothing() {
        let text = Array(notify.utf8)
        for count in 1..<text.count {
            guard case .damaged(line: 1, _)? = items(Array(text.prefix(count))).first else {
                Issue.record("\(count) octets are not damaged")
                continue
            }
        }
        #expect(items([]).isEmpty)
    }
}
