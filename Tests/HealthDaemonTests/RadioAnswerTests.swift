import BlueZ
import DaemonHarness
import Measurements
import Samples
import Storage
import Testing

@testable import HealthDaemon

/// What answers tell of live sensors.
@Suite struct RadioAnswerTests {
    private let nonin = DeviceAddress(bits: 0x00_1C05_0102_03)

    private var snapshot: RadioSnapshot {
        var snapshot = RadioSnapshot()
        snapshot.adapters = [
            .init(
                address: DeviceAddress(bits: 0xAA), name: "hci0", isPowered: true,
                isDiscovering: false)
        ]
        var sensor = RadioSnapshot.Sensor(address: nonin, state: "armed")
        sensor.name = "Nonin3230"
        sensor.isPaired = true
        sensor.rssi = -61
        sensor.links = 2
        sensor.frames = 31
        sensor.lastFrame = Instant(milliseconds: 1_795_989_600_000)
        sensor.findings = [
            Finding(.warn, "silent", "It is silent.", evidence: "31 frames", nextStep: "Wake it.")
        ]
        snapshot.sensors = [sensor]
        snapshot.counters = [("signals", 5)]
        return snapshot
    }

    private static let finding =
        #""level":"warn","code":"silent","text":"It is silent.","evidence":"31 frames","next":"Wake it.""#

    private static func reading(_ address: DeviceAddress, _ store: StoreWriter) throws {
        var assembler = ReadingAssembler(hostZone: .utc)
        _ = try store.ingest(
            assembler.handle(
                GATTEvent(
                    .notify, origin: .ble, device: RemoteDevice(address, name: "Nonin3230"),
                    characteristic: .plxContinuousMeasurement, value: [0, 97, 0, 72, 0],
                    at: Instant(milliseconds: 1_795_989_600_000))))
    }

    @Test func aSensorWithoutAnyReadingIsAmongTheDevices() throws {
        let reply = try ServedBySelf().reply(to: "devices", with: snapshot)
        #expect(
            reply.data == [
                #"{"class":"device","device":"00:1C:05:01:02:03","name":"Nonin3230","state":"armed","#
                    + #""connected":false,"paired":true,"rssi":-61,"lastSeen":null,"#
                    + #""lastFrame":"2026-11-29T22:00:00.000+00:00","links":2,"frames":31,"#
                    + #""findings":[{\#(Self.finding)}]}"#
            ])
        #expect(reply.end == "OK n=1")
    }

    @Test func aSensorWithReadingsIsOneDevice() throws {
        let served = try ServedBySelf { try Self.reading(nonin, $0) }
        let reply = try served.reply(to: "devices", with: snapshot)
        #expect(reply.end == "OK n=1")
        #expect(reply.body.contains(#""state":"armed""#))
        #expect(reply.body.contains(#""characteristics":["2a5f"]"#))
    }

    @Test func theNameOfTheConfigurationGoesFirst() throws {
        let configuration = try Configuration(
            parsing: "[sensor 00:1C:05:01:02:03]\nname = Anna's finger")
        let served = try ServedBySelf(configuration) { try Self.reading(nonin, $0) }
        #expect(
            try served.reply(to: "devices", with: snapshot).body
                .contains(#""name":"Anna's finger""#))
        let latest = try served.reply(to: #"latest spo2 device="Anna's finger""#, with: snapshot)
        #expect(latest.body.contains(#""deviceName":"Anna's finger","state":"armed""#))
        #expect(try served.reply(to: #"why "Anna's finger""#, with: snapshot).end == "OK n=1")
    }

    @Test func whySaysWhatHoldsForAllAndForEach() throws {
        let served = try ServedBySelf { try Self.reading(DeviceAddress(bits: 1), $0) }
        var snapshot = snapshot
        snapshot.findings = [Finding(.fail, "adapter-off", "Off.", evidence: "hci0")]
        let reply = try served.reply(to: "why", with: snapshot)
        #expect(
            reply.data.prefix(2) == [
                #"{"class":"finding","device":null,"level":"fail","code":"adapter-off","#
                    + #""text":"Off.","evidence":"hci0","next":""}"#,
                #"{"class":"finding","device":"00:1C:05:01:02:03",\#(Self.finding)}"#,
            ])
        #expect(
            reply.data.last?.contains(
                #""device":"00:00:00:00:00:01","level":"ok","code":"recorded""#) == true)
        #expect(reply.end == "OK n=3")
        #expect(try served.reply(to: "why Nonin3230", with: snapshot).end == "OK n=2")
        #expect(
            try served.reply(to: "why nobody", with: snapshot).failure == "404 no-such-device")
    }

    @Test func ofADeviceWithoutReadingsWhyClaimsNone() throws {
        let served = try ServedBySelf {
            try $0.note(
                LedgerRow(
                    LedgerEntry(
                        at: Instant(milliseconds: 0), device: DeviceAddress(bits: 1), .forgotten)))
        }
        let reply = try served.reply(to: "why 00:00:00:00:00:01", with: RadioSnapshot())
        #expect(
            reply.data.last?.contains(
                #""device":"00:00:00:00:00:01","level":"ok","code":"unread""#) == true)
    }

    @Test func statusTellsTheWorstOfEachSensor() throws {
        let reply = try ServedBySelf().reply(to: "status", with: snapshot)
        #expect(
            reply.body.contains(
                #""adapters":[{"adapter":"hci0","address":"00:00:00:00:00:AA","powered":true,"#
                    + #""discovering":false}],"sensors":1,"sensorsLive":0,"#
                    + #""reasons":[{"device":"00:1C:05:01:02:03",\#(Self.finding)}]"#))
    }

    @Test func withoutAnySensorStatusSaysHowToGetOne() throws {
        let reply = try ServedBySelf().reply(to: "status", with: RadioSnapshot())
        #expect(reply.body.contains(#""code":"no-sensor""#))
        #expect(reply.body.contains("healthctl pair"))
    }

    @Test func metricsCountTheWayToTheSensors() throws {
        let text = try ServedBySelf().reply(to: "metrics", with: snapshot).body
        #expect(
            text.contains(
                #""sensors":1,"sensorsLive":0,"links":2,"frames":31,"busOpenings":0,"busCalls":0,"#
                    + #""busTimeouts":0,"pendingCalls":3,"bluez":{"signals":5}"#))
    }

    @Test func aCollectorThatIsBusyHoldsNoAnswerUp() throws {
        let served = try ServedBySelf()
        let reply = try served.connect().request("status")
        #expect(reply.isOK)
        #expect(reply.body.contains(#""code":"collector-busy""#))
    }

    @Test func withTheSourceNoneTheCollectorIsNotAsked() throws {
        let served = try ServedBySelf(source: .none)
        #expect(try served.connect().request("why").body.contains(#""code":"source-none""#))
        #expect(served.collector.take().isEmpty)
    }
}
