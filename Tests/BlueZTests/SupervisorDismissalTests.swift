import BlueZ
import DBus
import Measurements
import Testing

/// A sensor that the configuration does not want keeps its readings, and is had back when it is wanted.
@Suite struct SupervisorDismissalTests {
    private static func settings(isEnabled: Bool) -> Settings {
        var settings = Settings.plain
        var sensor = Settings.Sensor()
        sensor.isEnabled = isEnabled
        settings.sensors[BusScript.address] = sensor
        return settings
    }

    private static let elsewhere: Settings = {
        var settings = Settings.plain
        settings.sensors[BusScript.address("C0:FF:EE:00:00:77")] = Settings.Sensor()
        return settings
    }()

    /// The calls about the sensor's device object, and of the profile, in their order.
    private static func story(_ actions: [BlueZAction]) -> [String] {
        actions.compactMap { action in
            guard case .call(_, let call) = action else { return nil }
            switch call.member {
            case "Set": return "Trusted=\(call.arguments.last?.bool ?? false)"
            case "Disconnect", "RegisterApplication", "UnregisterApplication": return call.member
            default: return nil
            }
        }
    }

    private static func evidence(_ script: BusScript) -> String {
        let sensor = script.supervisor.snapshot(at: script.now).sensors.first
        return sensor?.findings.first { $0.code == "disabled" }?.evidence ?? ""
    }

    @Test("H4: at a start it is left after the profile that would have it connected")
    func itIsLeftAtAStart() {
        var script = BusScript.started(Self.settings(isEnabled: false))
        let wanted = script.look()
        #expect(Self.story(wanted) == ["RegisterApplication", "Trusted=false", "Disconnect"])
        #expect(wanted.paths(of: "StartNotify").isEmpty)
        #expect(wanted.notes.filter { $0 == .unwanted }.count == 1)
        #expect(Self.evidence(script).contains("keeps its readings"))
        #expect(script.supervisor.nextDeadline == nil)
    }

    @Test("H4: a link that is up may be another program's, and ends by itself first")
    func aLinkIsLetEnd() {
        var script = BusScript(Self.settings(isEnabled: false))
        script.addHost()
        script.addSensor(connected: true, resolved: true)
        script.start()
        #expect(Self.story(script.look()) == ["RegisterApplication"])
        #expect(Self.evidence(script).contains("its link is up"))
        script.dropped()
        #expect(Self.story(script.look()) == ["Trusted=false", "Disconnect"])
        script.connected()
        script.dropped()
        #expect(Self.story(script.look()).isEmpty)
    }

    @Test("H4: one without a bond is left alone, or bluetoothd would remove it")
    func anUnbondedOneIsLeftAlone() {
        var script = BusScript.started(Self.settings(isEnabled: false), paired: false)
        #expect(Self.story(script.look()) == ["RegisterApplication"])
        #expect(Self.evidence(script).contains("no bond"))
        script.change(
            BusScript.device, BusScript.device1,
            [("Paired", .boolean(true)), ("Bonded", .boolean(true))])
        #expect(Self.story(script.look()) == ["Trusted=false", "Disconnect"])
    }

    @Test("H4: one that no section names is not ours, and is left alone")
    func anUnlistedOneIsLeftAlone() {
        var script = BusScript.started(Self.elsewhere)
        #expect(Self.story(script.look()) == ["RegisterApplication"])
        script.give(.settings(Self.elsewhere))
        #expect(Self.story(script.look()).isEmpty)
    }

    @Test("H4: what is disabled while it runs is left, and enabled it is connected by itself again")
    func itIsHadBack() {
        var script = BusScript.started()
        script.connected()
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        script.dropped()
        _ = script.look()
        script.give(.settings(Self.settings(isEnabled: false)))
        #expect(Self.story(script.look()) == ["Trusted=false", "Disconnect"])
        #expect(Self.evidence(script).contains("keeps its readings"))
        script.give(.settings(Self.settings(isEnabled: true)))
        let wanted = script.look()
        #expect(
            Self.story(wanted) == ["UnregisterApplication", "Trusted=true", "RegisterApplication"])
        #expect(wanted.paths(of: "StartNotify").count == 3)
        #expect(wanted.notes == [.adopted])
        let sensor = script.supervisor.snapshot(at: script.now).sensors.first
        #expect(sensor?.frames == 1 && sensor?.findings.map(\.code) == ["asleep"])
        script.give(.settings(Self.settings(isEnabled: true)))
        #expect(Self.story(script.look()).isEmpty)
    }

    @Test("H4: what is enabled again while it is still being left is had back after that")
    func itIsHadBackInTheMiddle() {
        var script = BusScript.started()
        script.silent = ["Disconnect"]
        script.give(.settings(Self.settings(isEnabled: false)))
        script.give(.settings(Self.settings(isEnabled: true)))
        _ = script.look()
        script.silent = []
        script.answer("Disconnect", .success([]))
        let wanted = script.look()
        #expect(
            Self.story(wanted) == ["UnregisterApplication", "Trusted=true", "RegisterApplication"])
        #expect(wanted.paths(of: "StartNotify").count == 3)
    }

    @Test("H4: one that a reload does not name any more stays left, whatever is registered anew")
    func whatIsNotNamedAnyMoreStaysLeft() {
        var script = BusScript.started()
        _ = script.look()
        script.give(.settings(Self.elsewhere))
        #expect(Self.story(script.look()) == ["Trusted=false", "Disconnect"])
        script.ownerChanged(to: nil)
        script.ownerChanged(to: ":1.8")
        #expect(Self.story(script.look()).suffix(2) == ["Trusted=false", "Disconnect"])
    }

    @Test("H4: after a restart of bluetoothd it is left again")
    func itIsLeftAgain() {
        var script = BusScript.started(Self.settings(isEnabled: false))
        _ = script.look()
        script.ownerChanged(to: nil)
        script.ownerChanged(to: ":1.8")
        let wanted = script.look()
        #expect(Self.story(wanted) == ["RegisterApplication", "Trusted=false", "Disconnect"])
        #expect(!wanted.notes.contains(.unwanted))
    }

    @Test func aRefusalIsToldAndNotFought() {
        let denied = BusError(name: BusError.accessDenied, text: "no")
        for member in ["Set", "Disconnect"] {
            var script = BusScript(Self.settings(isEnabled: false))
            script.addHost()
            script.addSensor()
            script.errors["\(member) *"] = denied
            script.start()
            script.pass(3_600_000)
            #expect(script.look().members.count { $0 == member } == 1)
            #expect(Self.evidence(script).contains("goes on connecting it"))
        }
    }

    @Test func whoeverTrustsItAgainIsNotFought() {
        var script = BusScript.started(Self.settings(isEnabled: false))
        _ = script.look()
        for _ in 0..<5 {
            script.change(BusScript.device, BusScript.device1, [("Trusted", .boolean(true))])
        }
        #expect(Self.story(script.look()).isEmpty)
        script.give(.settings(Self.settings(isEnabled: false)))
        #expect(Self.story(script.look()) == ["Trusted=false", "Disconnect"])
    }
}
