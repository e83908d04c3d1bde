import BlueZ
import DaemonHarness
import Measurements
import Samples
import Storage
import Testing

@testable import HealthDaemon

/// The answer to `gaps`, out of a store.
@Suite struct GapsAnswerTests {
    private let day: Int64 = 1_795_953_600_000  // 2026-11-29T12:00:00Z

    /// A stream of one value a second, from one second of the day to another.
    private func stream(
        _ seconds: ClosedRange<Int64>, isWorn: Bool = true, origin: GATTEvent.Origin = .ble
    ) -> [GATTEvent] {
        seconds.map { second in
            GATTEvent(
                .notify, origin: origin, device: RemoteDevice(DeviceAddress(bits: 1)),
                characteristic: .plxContinuousMeasurement,
                value: isWorn ? [0, 97, 0, 72, 0] : [0, 0xFF, 0x07, 0xFF, 0x07],
                at: Instant(milliseconds: day + second * 1000))
        }
    }

    private func row(
        _ event: LedgerEntry.Event, _ second: Int64, device: UInt64? = 1, _ detail: String = ""
    ) -> LedgerRow {
        LedgerRow(
            at: Instant(milliseconds: day + second * 1000),
            device: device.map { DeviceAddress(bits: $0) }, event: event.rawValue, detail: detail)
    }

    private func gaps(
        _ events: [GATTEvent], _ rows: [LedgerRow] = [], request: String = "gaps"
    ) throws -> LineReply {
        let served = try ServedBySelf { store in
            var assembler = ReadingAssembler(hostZone: .utc)
            for event in events { _ = try store.ingest(assembler.handle(event)) }
            for row in rows { try store.note(row) }
        }
        return try served.connect().request(
            "\(request) start=2026-11-29T12:00:00Z end=2026-11-29T13:00:00Z")
    }

    @Test func aLostLinkIsAGapWithItsCause() throws {
        let reply = try gaps(
            stream(0...100) + stream(400...3599), [row(.linkDown, 101, "Timeout")])
        #expect(
            reply.data == [
                #"{"class":"gap","device":"00:00:00:00:00:01","type":"oxygenSaturation","#
                    + #""start":"2026-11-29T12:01:40.000+00:00","end":"2026-11-29T12:06:40.000+00:00","#
                    + #""seconds":300,"cause":"link-down","#
                    + #""text":"the sensor hung up, was switched off or was out of reach","#
                    + #""evidence":"2026-11-29T12:01:41.000+00:00 link down (Timeout)"}"#
            ])
        #expect(reply.end == "OK n=1")
    }

    @Test("I8: a finger that is out is a gap of its own kind")
    func aFingerThatIsOutIsAGap() throws {
        let reply = try gaps(
            stream(0...100) + stream(101...160, isWorn: false) + stream(161...3599))
        #expect(reply.body.contains(#""seconds":61,"cause":"no-value""#))
        #expect(reply.body.contains(#""evidence":"60 packets without a value (NaN 60)""#))
        #expect(reply.end == "OK n=1")
    }

    @Test func whatEndsTheRequestsSpanIsStillOpen() throws {
        let reply = try gaps(stream(0...1800))
        #expect(reply.body.contains(#""end":null,"seconds":1800,"cause":"unknown""#))
    }

    @Test func whatBeganBeforeTheSpanIsSeen() throws {
        let reply = try gaps(stream(-600...(-500)) + stream(30...3599))
        #expect(reply.body.contains(#""start":"2026-11-29T11:51:40.000+00:00""#))
        #expect(reply.end == "OK n=1")
    }

    @Test func aRecordingThatEndsIsNoGap() throws {
        let recording = stream(0...60, origin: .replay) + stream(200...260, origin: .replay)
        let reply = try gaps(recording)
        #expect(reply.body.contains(#""cause":"recorded""#))
        #expect(reply.end == "OK n=1")
    }

    @Test func shorterPausesAreToldWhereTheyAreAskedFor() throws {
        let events = stream(0...100) + stream(108...3599)
        #expect(try gaps(events).end == "OK n=0")
        #expect(try gaps(events, request: "gaps min=5s").end == "OK n=1")
        #expect(try gaps(events, request: "gaps min=x").failure == "400 bad-time")
    }

    @Test func eachTypeThatIsNamedHasItsGaps() throws {
        let reply = try gaps(stream(0...100) + stream(400...3599), request: "gaps hr spo2 temp")
        let types = reply.data.map { $0.split(separator: "\"")[11] }
        #expect(types == ["heartRate", "oxygenSaturation"])
    }

    @Test("A3: what concerns all sensors is told once, before what concerns each")
    func whatConcernsAllIsToldOnce() throws {
        let reply = try gaps(
            stream(0...3599),
            [
                row(.bluetoothdDown, 10, device: nil), row(.bluetoothdUp, 12, device: nil),
                row(.possibleLoss, 20, "the first link"), row(.bondLost, 30),
            ])
        #expect(reply.end == "OK n=3")
        let causes = reply.data.map { $0.split(separator: "\"cause\":\"")[1].prefix { $0 != "\"" } }
        #expect(causes == ["bluetoothd-down", "possible-loss", "bond-lost"])
        #expect(reply.data[0].hasPrefix(#"{"class":"gap","device":null,"type":null,"#))
        #expect(reply.data[2].contains(#""end":null"#))
    }

    @Test func anOutageThatBeganBeforeTheSpanIsSeen() throws {
        let reply = try gaps(
            [], [row(.adapterOff, -5000, device: nil), row(.adapterOn, 60, device: nil)])
        #expect(reply.body.contains(#""seconds":5060,"cause":"adapter-off""#))
    }

    @Test func aLongLedgerIsGoneThroughToItsEnd() throws {
        let rows = (0..<2500).flatMap { second in
            [
                row(.adapterOff, Int64(second), device: nil),
                row(.adapterOn, Int64(second), device: nil),
            ]
        }
        #expect(try gaps([], rows).end == "OK n=2500")
    }

    @Test func oneDeviceMayBeNamed() throws {
        let reply = try gaps(
            stream(0...100) + stream(400...3599), request: "gaps device=00:00:00:00:00:02")
        #expect(reply.failure == "404 no-such-device")
        #expect(
            try gaps(stream(0...3599), request: "gaps device=00:00:00:00:00:01").end == "OK n=0")
    }

    @Test func whoMayNotReadATypeIsToldNothingOfIt() throws {
        let reply = try gaps(stream(0...100), request: "gaps nosuch")
        #expect(reply.failure == "404 no-such-type")
    }
}
