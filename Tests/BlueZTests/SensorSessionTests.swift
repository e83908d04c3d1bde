import BlueZ
import DBus
import Measurements
import Testing

/// One sensor, seen from the bus: what is called, and what goes through the door.
@Suite struct SensorSessionTests {
    private static let fever: [UInt8] = [0, 0x6f, 0x01, 0, 0xff]

    @Test("H1: every wanted characteristic is armed at a start, while the link is down")
    func standingSessionsAreMade() {
        var script = BusScript.started()
        let wanted = script.look()
        #expect(
            wanted.paths(of: "StartNotify")
                == [BusScript.temperature, BusScript.spotCheck, BusScript.continuous])
        #expect(script.supervisor.nextDeadline == nil)
        let sensor = script.supervisor.snapshot(at: script.now).sensors.first
        #expect(sensor?.state == "armed" && sensor?.isPaired == true)
    }

    @Test("H1: an evening with the sensor away costs nothing")
    func waitingIsFree() {
        var script = BusScript.started()
        _ = script.look()
        script.pass(43_200_000)
        #expect(script.look().isEmpty && script.supervisor.nextDeadline == nil)
    }

    @Test("H1, H5: stored readings that come before the services are resolved are all taken in")
    func sleepySensorIsHeard() {
        var script = BusScript.started()
        _ = script.look()
        for wake in 0..<20 {
            script.connected()
            for reading in 0..<3 {
                script.value(BusScript.temperature, [0, UInt8(wake), UInt8(reading), 0, 0xff])
            }
            script.resolved()
            script.dropped()
        }
        let events = script.look().events
        let readings = events.filter { $0.kind == .indicate }
        #expect(readings.count == 60)
        #expect(readings.allSatisfy { $0.characteristic == .temperatureMeasurement })
        #expect(readings.allSatisfy { $0.service == .healthThermometerService })
        #expect(events.count { $0.kind == .connect } == 20)
        #expect(events.count { $0.kind == .disconnect } == 20)
    }

    @Test func aValueBeforeConnectedBeginsTheLink() {
        var script = BusScript.started()
        _ = script.look()
        script.value(BusScript.temperature, Self.fever)
        script.connected()
        script.resolved()
        script.dropped()
        #expect(
            script.look().events.map(\.kind)
                == [.connect, .indicate, .read, .read, .disconnect])
    }

    @Test func aLinkWithoutConnectedIsALink() {
        var script = BusScript.started()
        script.pass(10)
        _ = script.look()
        script.links.insert(BusScript.device)
        script.resolved()
        for _ in 0..<3 { script.value(BusScript.continuous, [0, 97, 0, 62, 0]) }
        script.dropped()
        let events = script.look().events
        #expect(events.first?.kind == .connect && events.last?.kind == .disconnect)
        #expect(events.count { $0.kind == .notify } == 3)
    }

    @Test func aValueOfALinkThatIsGoneIsAskedAbout() {
        var script = BusScript.started()
        _ = script.look()
        script.value(BusScript.temperature, Self.fever)
        script.pass(15_000)
        let wanted = script.look()
        #expect(wanted.members.contains("Get"))
        #expect(wanted.events.map(\.kind) == [.connect, .indicate, .disconnect])
    }

    @Test("F4: at each ServicesResolved every session is asked for, whatever Notifying says")
    func resolvedRearms() {
        var script = BusScript.started()
        _ = script.look()
        script.connected()
        #expect(script.look().paths(of: "StartNotify").isEmpty)
        script.resolved()
        #expect(script.look().paths(of: "StartNotify").count == 3)
    }

    @Test("F4: at each end of a link every session is asked for, and a lost one is made again")
    func lostSessionIsMended() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        _ = script.look()
        script.sessions.remove(BusScript.temperature)
        script.dropped()
        let wanted = script.look()
        #expect(wanted.paths(of: "StartNotify").count == 3)
        #expect(wanted.notes.contains(.possibleLoss))
        #expect(script.sessions.contains(BusScript.temperature))
    }

    @Test("H2: after a restart of bluetoothd characteristics are armed as they appear")
    func objectsAreArmedAsTheyCome() {
        var script = BusScript.started(hasObjects: false)
        _ = script.look()
        script.connected()
        #expect(script.look().notes.contains(.possibleLoss))
        script.exportObjects()
        #expect(script.look().paths(of: "StartNotify").count == 3)
        script.resolved()
        #expect(script.look().notes.contains(.armed))
    }

    @Test("E3: objects that come after ServicesResolved are armed, and no link is cut")
    func lateObjectsAreArmed() {
        var script = BusScript.started(hasObjects: false)
        script.connected()
        script.resolved()
        script.pass(1_500)
        script.exportObjects()
        script.pass(10_000)
        let wanted = script.look()
        #expect(wanted.paths(of: "StartNotify").count == 3)
        #expect(!wanted.members.contains("Disconnect"))
    }

    @Test("F9: the echo of ReadValue is no notification")
    func echoIsNoReading() {
        var script = BusScript.started()
        script.silent = ["ReadValue"]
        script.connected()
        script.resolved()
        _ = script.look()
        script.value(BusScript.features, [4, 0])
        script.values[BusScript.features] = [4, 0]
        script.silent = []
        script.answer("ReadValue", .success([.octets([4, 0])]))
        let reads = script.look().events.filter { $0.characteristic == .plxFeatures }
        #expect(reads.map(\.kind) == [.read])
    }

    @Test("F9: no measurement characteristic is ever read")
    func measurementsAreNotRead() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.pass(60_000)
        #expect(
            script.look().paths(of: "ReadValue") == [BusScript.features, BusScript.model])
    }

    @Test("H5: nothing is read before the sessions stand")
    func armingComesFirst() {
        var script = BusScript.started()
        script.silent = ["StartNotify"]
        script.connected()
        script.resolved()
        #expect(!script.look().members.contains("ReadValue"))
        script.silent = []
        script.answer("StartNotify", .success([]))
        #expect(script.look().members.contains("ReadValue"))
    }

    @Test func whatASensorSaysOfItselfIsReadOnce() {
        var script = BusScript.started()
        var reads = 0
        for _ in 0..<5 {
            script.connected()
            script.resolved()
            script.dropped()
            reads += script.look().paths(of: "ReadValue").count
        }
        #expect(reads == 2)
    }

    @Test func aReadThatTheLinkEndedIsMadeOnTheNext() {
        var script = BusScript.started()
        script.silent = ["ReadValue"]
        script.connected()
        script.resolved()
        script.dropped()
        script.silent = []
        script.answer(
            "ReadValue", .failure(BusError(name: "org.bluez.Error.Failed", text: "Not connected")))
        _ = script.look()
        script.connected()
        script.resolved()
        #expect(script.look().paths(of: "ReadValue") == [BusScript.features, BusScript.model])
    }

    @Test("E8: bluetoothd's battery level goes through the door as a read, once a link")
    func batteryIsARead() {
        var script = BusScript.started()
        _ = script.look()
        script.connected()
        script.add(BusScript.device, BusScript.battery1, [("Percentage", .byte(88))])
        script.resolved()
        script.change(BusScript.device, BusScript.battery1, [("Percentage", .byte(88))])
        let levels = script.look().events.filter { $0.characteristic == .batteryLevel }
        #expect(levels.map(\.kind) == [.read] && levels.first?.value == [88])
        #expect(script.supervisor.snapshot(at: script.now).sensors.first?.battery == 88)
    }

    @Test("E7: two characteristics of one kind are told apart by their rank")
    func instancesAreRanked() {
        var script = BusScript.started()
        let second = BusScript.device + "/service0040/char0041"
        script.add(
            second, BusScript.characteristic1,
            [BusScript.uuid("2a1c"), BusScript.flags(["indicate"])])
        _ = script.look()
        script.connected()
        script.value(second, Self.fever)
        script.value(BusScript.temperature, Self.fever)
        #expect(script.look().events.filter { $0.kind == .indicate }.map(\.instance) == [1, 0])
    }

    @Test("E5: a characteristic that comes again under another handle is armed there")
    func movedCharacteristicIsArmed() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        _ = script.look()
        script.remove(BusScript.temperature, BusScript.characteristic1)
        let moved = BusScript.device + "/service0050/char0051"
        script.add(
            moved, BusScript.characteristic1,
            [BusScript.uuid("2a1c"), BusScript.flags(["indicate"])])
        #expect(script.look().paths(of: "StartNotify") == [moved])
        script.value(moved, Self.fever)
        #expect(script.look().events.map(\.kind) == [.indicate])
    }

    @Test func aValueThatNobodyWantsIsIgnored() {
        var script = BusScript.started()
        script.connected()
        _ = script.look()
        script.value(BusScript.model, [65])
        #expect(script.look().events.isEmpty)
    }

    @Test("D15: the reason of a link's end is in the ledger")
    func reasonIsKept() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        _ = script.look()
        script.signal(
            .signal(
                path: BusScript.device, interface: BusScript.device1, member: "Disconnected",
                [.string("org.bluez.Reason.Timeout"), .string("Connection timeout")]))
        script.dropped()
        let end = script.look().entries.first { $0.event == .lost }
        #expect(end?.detail.contains("org.bluez.Reason.Timeout") == true)
    }

    @Test("A sensor that streams and goes silent is armed again, once a link")
    func silenceIsNoticed() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        _ = script.look()
        script.pass(300_000)
        let wanted = script.look()
        #expect(wanted.notes.filter { $0 == .silent }.count == 1)
        #expect(wanted.paths(of: "StartNotify").count == 3)
    }

    @Test func aSensorIsTrustedAsSoonAsItIsKnown() {
        var script = BusScript()
        script.addHost()
        script.addSensor(trusted: false)
        script.start()
        let wanted = script.look()
        let calls = wanted.members.filter {
            $0 == "Set" || $0 == "StartNotify" || $0 == "RegisterApplication"
        }
        #expect(
            calls == ["RegisterApplication", "Set", "StartNotify", "StartNotify", "StartNotify"])
    }
}
