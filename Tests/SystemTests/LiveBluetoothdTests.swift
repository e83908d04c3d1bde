import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// bluetoothd ends, starts, hangs, and says less than others.
@Suite struct LiveBluetoothdTests {
    /// Ends bluetoothd in the middle of a stream and starts it again: the stream goes on.
    private func streamOver(_ end: (FakeBlueZ) -> Void) throws -> LiveRig {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        end(rig.fake)
        try rig.why("bluetoothd-absent")
        try rig.fake.start()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        return rig
    }

    @Test("A3: a bluetoothd that is killed and started again costs a gap and nothing else")
    func aBluetoothdThatIsKilledCostsAGap() throws {
        let rig = try streamOver { $0.kill() }
        #expect(try rig.values("spo2") == ["90", "91", "92", "93", "94", "95"])
        #expect(try rig.causes("spo2").contains("bluetoothd-down"))
        rig.expectGoodManners()
    }

    @Test(
        "A3: a bluetoothd that is stopped in order and started again costs a gap and nothing else")
    func aBluetoothdThatIsStoppedCostsAGap() throws {
        let rig = try streamOver { $0.terminate() }
        #expect(try rig.values("spo2").count == 6)
        // It did not forget the bond: nobody has removed anything.
        try rig.noLonger("removed-elsewhere")
        rig.expectGoodManners()
    }

    @Test("A3: what was asked of the bluetoothd before is not waited for")
    func whatWasAskedBeforeIsNotWaitedFor() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.setFault(Fault("StartNotify", .isSilent))
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitForCall("StartNotify")
        rig.fake.kill()
        rig.fake.clearFaults()
        try rig.fake.start()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        rig.expectGoodManners()
    }

    @Test("G9: agent and profile are registered again after each restart")
    func agentAndProfileAreRegisteredAgain() throws {
        let rig = try LiveRig.withOximeter()
        for _ in 0..<5 {
            rig.fake.kill()
            rig.fake.forgetCalls()
            try rig.fake.start()
            try rig.fake.waitUntilRegistered()
            try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
            #expect(rig.fake.agents.map(\.capability) == ["KeyboardDisplay"])
            #expect(rig.fake.calls("RegisterAgent").count == 1)
            #expect(rig.fake.calls("RegisterApplication").count == 1)
        }
    }

    @Test("A4: a bluetoothd that hangs is told, not flooded, and used again when it goes on")
    func aBluetoothdThatHangsIsTold() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.drop(LiveRig.oximeter)
        rig.fake.hang()
        let line = try rig.why("bluetoothd-unresponsive")
        #expect(line.contains("sudo systemctl restart bluetooth"))
        rig.fake.forgetCalls()
        rig.fake.goOn()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        try rig.noLonger("bluetoothd-unresponsive")
        // What piled up in the half minute: a few for each characteristic, and some questions.
        #expect(rig.fake.callCount < 60)
        #expect(
            try rig.causes("spo2").contains {
                ["bluetoothd-unresponsive", "link-down"].contains($0)
            })
        rig.expectGoodManners()
    }

    @Test("A11: an answer that never comes is asked for again after its time")
    func anAnswerThatNeverComesIsAskedForAgain() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.setFault(Fault("RegisterApplication", times: 1, .isSilent))
        }
        try rig.fake.waitForCall("RegisterApplication")
        try rig.fake.waitForCall("RegisterApplication", count: 2)
        try rig.wake()
        try rig.expectStream(90...92)
    }

    @Test("A12: properties that an older bluetoothd does not have are not needed")
    func missingPropertiesAreNotNeeded() throws {
        var sensor = FakeSensor.oximeter()
        sensor.name = nil
        sensor.appearance = nil
        let rig = try LiveRig(sensor) { fake in
            fake.omit("Bonded", "MTU", "Alias", "AddressType", "Notifying", "Blocked", "Pairable")
            fake.know(LiveRig.oximeter)
        }
        try rig.wake()
        try rig.expectStream(90...92)
        try rig.why("live", LiveRig.oximeter)
    }

    @Test("A13: a property that is invalidated says nothing of the sensor")
    func anInvalidatedPropertySaysNothing() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        let names = BusValue.array(of: "s", [.string("RSSI"), .string("Value"), .string("Name")])
        for (path, interface) in [
            (rig.fake.path(LiveRig.oximeter), "org.bluez.Device1"),
            (rig.fake.path(of: "2a5f", in: LiveRig.oximeter), "org.bluez.GattCharacteristic1"),
        ] {
            rig.fake.say(
                .signal(
                    path: path, interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged", [.string(interface), .properties([]), names]))
        }
        try rig.expectStream(91...92)
        #expect(try rig.values("spo2").count == 3)
        try rig.why("live", LiveRig.oximeter)
    }

    @Test("A13: signals that make no sense are passed over")
    func signalsThatMakeNoSenseArePassedOver() throws {
        let rig = try LiveRig.withOximeter()
        let path = rig.fake.path(of: "2a5f", in: LiveRig.oximeter)
        let changed = "org.freedesktop.DBus.Properties"
        let characteristic = BusValue.string("org.bluez.GattCharacteristic1")
        for body: [BusValue] in [
            [], [.int32(1)], [characteristic], [characteristic, .string("x")],
            [characteristic, .properties([("Value", .string("x"))]), .array(of: "s", [])],
            [characteristic, .properties([("Value", .octets([]))]), .int32(1)],
            [.string("org.bluez.Device1"), .properties([("Connected", .string("yes"))])],
        ] {
            rig.fake.say(
                .signal(path: path, interface: changed, member: "PropertiesChanged", body))
        }
        for member in ["InterfacesAdded", "InterfacesRemoved"] {
            rig.fake.say(
                .signal(
                    path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: member,
                    [.string("not a path")]))
        }
        try rig.expectStream(90...92)
    }
}
