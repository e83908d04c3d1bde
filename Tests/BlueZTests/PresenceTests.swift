import BlueZ
import DBus
import Measurements
import Testing

@Suite struct PresenceTests {
    @Test("A9: the six match rules are set before the objects are read")
    func matchRulesComeFirst() {
        var script = BusScript.started()
        let members = script.look().members
        #expect(
            members.prefix(8) == Array(repeating: "AddMatch", count: 6)[...] + [
                "GetNameOwner", "GetManagedObjects",
            ])
        #expect(members.count { $0 == "AddMatch" } == 6)
    }

    @Test("A8: however often bluetoothd comes back, no rule is added")
    func rulesAreConstant() {
        var script = BusScript.started()
        for turn in 0..<20 {
            script.ownerChanged(to: nil)
            script.ownerChanged(to: ":1.\(100 + turn)")
        }
        #expect(script.look().members.count { $0 == "AddMatch" } == 6)
    }

    @Test("A1: without bluetoothd it waits, and calls nothing")
    func absenceIsWaitedFor() {
        var script = BusScript()
        script.owner = nil
        script.start()
        #expect(script.look().notes == [.bluetoothdDown])
        script.pass(86_400_000)
        #expect(script.look().isEmpty)
        #expect(script.supervisor.nextDeadline == nil)
        #expect(
            script.supervisor.snapshot(at: script.now).findings.first?.code == "bluetoothd-absent")
    }

    @Test("A3: the agent, the profile, trust and sessions are there again at once")
    func everythingIsMadeAgain() {
        var script = BusScript.started()
        _ = script.look()
        script.ownerChanged(to: nil)
        #expect(script.look().notes.contains(.bluetoothdDown))
        script.ownerChanged(to: ":1.8")
        let wanted = script.look()
        #expect(wanted.members.contains("RegisterAgent"))
        #expect(wanted.members.contains("RegisterApplication"))
        #expect(wanted.paths(of: "StartNotify").count == 3)
        #expect(wanted.notes.contains(.bluetoothdUp))
    }

    @Test("A3: an answer of the bluetoothd before reaches nobody")
    func lateAnswersAreNobodys() {
        var script = BusScript()
        script.addHost()
        script.addSensor()
        script.silent = ["StartNotify"]
        script.start()
        let late = script.waiting
        #expect(late.count == 3)
        script.ownerChanged(to: nil)
        _ = script.look()
        for (id, _) in late {
            script.give(.reply(id, .failure(BusError(name: BusError.noReply))))
        }
        #expect(script.look().isEmpty)
        let counters = script.supervisor.snapshot(at: script.now).counters
        #expect(counters.first { $0.name == "lateReplies" }?.value == 3)
    }

    @Test("A3: a bluetoothd that died is started again once, then ever more rarely")
    func deathIsMended() {
        var script = BusScript.started()
        script.errors["StartServiceByName *"] = BusError(
            name: "org.freedesktop.DBus.Error.Spawn.ChildExited")
        script.ownerChanged(to: nil)
        _ = script.look()
        script.pass(5_000)
        #expect(script.look().members == ["StartServiceByName"])
        script.pass(3_600_000)
        let tries = script.look().members.count
        #expect((8...20).contains(tries))
    }

    @Test("A3: a bluetoothd that was stopped in order is waited for")
    func stoppingIsRespected() {
        var script = BusScript.started()
        script.remove("/org/bluez", "org.bluez.AgentManager1")
        script.ownerChanged(to: nil)
        _ = script.look()
        script.pass(3_600_000)
        #expect(script.look().members.isEmpty)
    }

    @Test("A3: calls go to bluetoothd's unique name, so that none starts it again")
    func callsNameTheOwner() {
        var script = BusScript.started()
        let destinations = script.look().compactMap { action -> String? in
            guard case .call(_, let call) = action else { return nil }
            return call.destination
        }
        #expect(Set(destinations) == ["org.freedesktop.DBus", BusScript.owner])
    }

    @Test("A bus that is slow to answer is asked again, and what it then says is believed")
    func slownessOfTheBusIsSurvived() {
        var script = BusScript()
        script.addHost()
        script.addSensor()
        script.silent = ["AddMatch", "GetNameOwner"]
        script.start()
        script.answer("AddMatch", .failure(BusError(name: BusError.noReply)))
        for _ in 0..<3 {
            #expect(script.waiting.map(\.call.member) == ["GetNameOwner"])
            script.answer("GetNameOwner", .failure(BusError(name: BusError.noReply)))
        }
        script.answer("GetNameOwner", .success([.string(BusScript.owner)]))
        #expect(script.look().paths(of: "StartNotify").count == 3)
    }

    @Test("A9, A10: a flood while the objects are read makes one read them again, once")
    func signalsThatFoundNoRoomAreMadeUpFor() {
        for (count, reads) in [(4_095, 0), (4_096, 1), (6_000, 1)] {
            var script = BusScript()
            script.addHost()
            script.silent = ["GetManagedObjects"]
            script.start()
            for number in 0..<count {
                script.change(
                    BusScript.adapter, BusScript.adapter1, [("Class", .uint32(UInt32(number)))])
            }
            _ = script.look()
            script.silent = []
            script.answer("GetManagedObjects", .success([script.managed]))
            let wanted = script.look()
            #expect(wanted.members.count { $0 == "GetManagedObjects" } == reads, "\(count)")
        }
    }

    @Test("A4: three questions without an answer, and bluetoothd counts as unresponsive")
    func hangingIsNoticed() {
        var script = BusScript.started()
        _ = script.look()
        script.silent = ["StartNotify", "Introspect"]
        script.connected()
        script.resolved()
        script.answer("StartNotify", .failure(BusError(name: BusError.noReply)))
        for _ in 0..<3 {
            script.answer("Introspect", .failure(BusError(name: BusError.noReply)))
            script.pass(200)
        }
        #expect(script.look().notes.contains(.bluetoothdUnresponsive))
        let finding = script.supervisor.snapshot(at: script.now).findings.first
        #expect(finding?.code == "bluetoothd-unresponsive")
        script.silent = []
        script.pass(20_000)
        let wanted = script.look()
        #expect(
            wanted.notes.contains(.bluetoothdUp) && wanted.members.contains("GetManagedObjects"))
        #expect(script.supervisor.snapshot(at: script.now).findings.isEmpty)
    }

    @Test("A4: a bluetoothd that hangs is asked rarely, and never twice at once")
    func hangingCostsLittle() {
        var script = BusScript.started()
        script.silent = ["StartNotify", "Introspect"]
        script.connected()
        script.resolved()
        _ = script.look()
        script.answer("StartNotify", .failure(BusError(name: BusError.noReply)))
        var questions = 0
        for _ in 0..<720 {
            script.pass(5_000)
            #expect(script.waiting.count { $0.call.member == "Introspect" } <= 1)
            script.answer("Introspect", .failure(BusError(name: BusError.noReply)))
            questions += script.look().members.count { $0 == "Introspect" }
        }
        #expect((10...60).contains(questions))
    }

    @Test("A5: when the bus is gone everything is void, and comes again with it")
    func busLossIsSurvived() {
        var script = BusScript.started()
        script.connected()
        _ = script.look()
        script.give(.busClosed(BusError(name: BusError.disconnected)))
        let lost = script.look()
        #expect(lost.events.map(\.kind) == [.disconnect])
        #expect(lost.notes.contains(.busClosed))
        #expect(script.supervisor.snapshot(at: script.now).findings.first?.code == "bus-closed")
        script.links = []
        script.objects[BusScript.device]?[BusScript.device1] = BusScript.properties()
        script.start()
        #expect(script.look().paths(of: "StartNotify").count == 3)
    }

    @Test("A5: the same refusal of the bus is noted once")
    func busRefusalIsNotedOnce() {
        var script = BusScript()
        for _ in 0..<5 { script.give(.busClosed(BusError(name: "x.NoServer"))) }
        #expect(script.look().notes == [.busClosed])
    }

    @Test("A7: who is not let in says so, and does not try again")
    func deniedIsFinal() {
        var script = BusScript()
        script.errors["GetManagedObjects *"] = BusError(name: BusError.accessDenied)
        script.start()
        _ = script.look()
        script.pass(86_400_000)
        #expect(script.look().isEmpty)
        #expect(script.supervisor.snapshot(at: script.now).findings.first?.code == "access-denied")
    }

    @Test("A9: what is said while the objects are read is taken in after them")
    func signalsWaitForTheObjects() {
        var script = BusScript()
        script.addHost()
        script.addSensor(connected: true, resolved: true)
        script.silent = ["GetManagedObjects"]
        script.start()
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        script.value(BusScript.continuous, [0, 98, 0, 62, 0])
        #expect(script.look().events.isEmpty)
        script.silent = []
        script.answer("GetManagedObjects", .success([script.managed]))
        let events = script.look().events
        #expect(events.filter { $0.kind == .notify }.map { $0.value[1] } == [97, 98])
        #expect(events.first?.kind == .connect)
    }

    @Test("A15: a signal of somebody else is nobody's, and counted")
    func spoofedSignalsAreIgnored() {
        var script = BusScript.started()
        _ = script.look()
        var message = BusMessage.signal(
            path: BusScript.device, interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged",
            [.string(BusScript.device1), .properties([("Connected", .boolean(true))])])
        message.sender = ":1.66"
        script.give(.message(message))
        #expect(script.look().isEmpty)
        let counters = script.supervisor.snapshot(at: script.now).counters
        #expect(counters.first { $0.name == "foreignSignals" }?.value == 1)
    }

    @Test("B12: after sleep the objects are read and the sessions asked for again")
    func resumeRearms() {
        var script = BusScript.started()
        _ = script.look()
        for isGoingDown in [true, false] {
            script.signal(
                .signal(
                    path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
                    member: "PrepareForSleep", [.boolean(isGoingDown)]),
                from: ":1.9")
        }
        let wanted = script.look()
        #expect(wanted.notes == [.hostSuspended, .hostResumed])
        #expect(wanted.members.contains("GetManagedObjects"))
        #expect(wanted.paths(of: "StartNotify").count == 3)
    }

    @Test func onlyTheLoginServiceTellsOfSleep() {
        var script = BusScript.started()
        _ = script.look()
        script.signal(
            .signal(
                path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
                member: "PrepareForSleep", [.boolean(false)]),
            from: ":1.66")
        #expect(script.look().members == ["GetNameOwner"])
    }
}
