import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// Sensors that do not do what they should.
@Suite struct LiveTroubleTests {
    @Test("E1: a link that never tells its services is ended, and the next one works")
    func aLinkThatNeverResolvesIsEnded() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter, isExported: true)
            fake.change(LiveRig.oximeter) { $0.resolution = .stuck }
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitForCall("Disconnect")
        rig.fake.change(LiveRig.oximeter) { $0.resolution = .normal }
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        #expect(rig.fake.calls("Disconnect").count == 1)
        #expect(try rig.causes().contains("stuck"))
        rig.expectGoodManners()
    }

    @Test("E2: services that are resolved and empty are tried once more, then told, never removed")
    func emptyServicesAreTold() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.change(LiveRig.oximeter) { $0.resolution = .empty }
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitForCall("Disconnect")
        let line = try rig.why("no-services", LiveRig.oximeter)
        #expect(line.contains("ServicesResolved = true"))
        rig.fake.change(LiveRig.oximeter) { $0.resolution = .normal }
        rig.fake.drop(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        #expect(rig.fake.calls("Disconnect").count <= 2)
        rig.expectGoodManners()
    }

    @Test("E3: objects that come after ServicesResolved are waited for")
    func objectsAfterServicesResolvedAreWaitedFor() throws {
        let rig = try LiveRig.withOximeter { $0.resolvesLast = false }
        try rig.expectStream(90...92)
        #expect(rig.fake.calls("Disconnect").isEmpty)
        rig.expectGoodManners()
    }

    @Test("E5: services that are taken away and come back on a link are armed again")
    func renewedServicesAreArmedAgain() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.renewServices(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        rig.expectGoodManners()
    }

    @Test("E7: two services of a kind are both heard")
    func twoServicesOfAKindAreBothHeard() throws {
        var sensor = FakeSensor.thermometer()
        sensor.services.append(
            FakeService("1809", [FakeCharacteristic("2a1c", "indicate")]))
        let rig = try LiveRig(sensor) { $0.know(LiveRig.thermometer) }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.thermometer)
        try rig.fake.waitUntilArmed("2a1c", of: LiveRig.thermometer, place: 1)
        #expect(
            rig.fake.send(Frame.temperature(365), of: "2a1c", from: LiveRig.thermometer))
        #expect(
            rig.fake.send(
                Frame.temperature(371), of: "2a1c", from: LiveRig.thermometer, place: 1))
        #expect(try rig.wait(for: 2, "temp") == ["36.5", "37.1"])
    }

    @Test("E8: the battery that bluetoothd shows is told, and its change too")
    func theBatteryThatBluetoothdShowsIsTold() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        try waitUntil {
            try rig.daemon.request("devices").data.first?.contains("\"battery\":88") == true
        }
        rig.fake.setBattery(17, of: LiveRig.oximeter)
        try waitUntil {
            try rig.daemon.request("devices").data.first?.contains("\"battery\":17") == true
        }
        #expect(try rig.wait(for: 2, "battery").suffix(2) == ["88", "17"])
    }

    @Test("F1: a read that bluetoothd is too busy for is asked again")
    func aReadThatIsRefusedAsBusyIsAskedAgain() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.setFault(Fault("ReadValue", times: 3, .fails("InProgress", "In Progress")))
        }
        try rig.wake()
        let expected = ["manufacturer": "Virtual", "model": "VirtOxi", "serial": "0001"]
        try waitUntil {
            let line = try rig.daemon.request("devices").data.first ?? ""
            return expected.allSatisfy { text($0, in: line) == $1 }
        }
        try rig.expectStream(90...92)
    }

    @Test("F2: a link that is lost in the middle of a read costs the read and nothing else")
    func aLinkThatIsLostInAReadCostsTheRead() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.setFault(Fault("ReadValue", times: 1, .isSilent))
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitForCall("ReadValue")
        rig.fake.drop(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        try rig.fake.waitForCall("ReadValue", count: 2)
        rig.expectGoodManners()
    }

    @Test("F3: a sensor that wants a bond first is told, and not asked without end")
    func aSensorThatWantsABondIsTold() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter, isPaired: false, isTrusted: true)
            fake.setFault(Fault("StartNotify", .fails("NotPermitted", "Not paired")))
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        let line = try rig.why("bond-wanted", LiveRig.oximeter)
        #expect(line.contains("healthctl pair"))
        #expect(rig.fake.calls("StartNotify").count < 40)
        rig.expectGoodManners()
    }

    @Test(
        "F4: a session that was lost in silence is found at the next edge",
        arguments: [UInt8(0x0F), 0x80, 0x03])
    func aSessionThatWasLostInSilenceIsFound(code: UInt8) throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        for round in 1...3 {
            rig.fake.change(LiveRig.oximeter) { $0.refusals["2a5f"] = (code, 1) }
            rig.fake.drop(LiveRig.oximeter)
            try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
            try rig.expectStream(UInt8(90 + round)...UInt8(90 + round))
        }
        #expect(try rig.values("spo2") == ["90", "91", "92", "93"])
        rig.expectGoodManners()
    }

    @Test("F5: readings that another program has taken for itself are told, and come when it ends")
    func readingsThatAnotherProgramTakesAreTold() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.setFault(Fault("StartNotify", .fails("NotPermitted", "Notify acquired")))
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.why("held-by-another", LiveRig.oximeter)
        #expect(rig.fake.calls("StartNotify").count < 40)
        rig.fake.clearFaults()
        rig.fake.drop(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        try rig.noLonger("held-by-another", LiveRig.oximeter)
        rig.expectGoodManners()
    }

    @Test("F9: a value that was read is not taken for one that was sent")
    func aValueThatWasReadIsNoReading() throws {
        let rig = try LiveRig(.strap()) { $0.know(LiveRig.strap) }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.strap)
        try rig.fake.waitForCall("ReadValue")
        try rig.fake.waitUntilArmed("2a37", of: LiveRig.strap)
        rig.fake.send([0x00, 71], of: "2a37", from: LiveRig.strap)
        #expect(try rig.wait(for: 1, "hr") == ["71"])
        let devices = try rig.daemon.request("devices").data.first ?? ""
        #expect(devices.contains("\"frames\":1,"))
        let measurements = ["2a37", "2a5f", "2a5e", "2a1c", "2a1e"]
        for uuid in measurements {
            let path = rig.fake.path(of: uuid, in: LiveRig.strap)
            if !path.isEmpty { #expect(rig.fake.calls("ReadValue", on: path).isEmpty) }
        }
    }

    @Test("G4: a sensor that has forgotten its bond is told, and nothing is removed")
    func aForgottenBondIsTold() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        rig.fake.setPace { $0.advertising = .milliseconds(300) }
        rig.fake.change(LiveRig.oximeter) { $0.hasForgottenBond = true }
        rig.fake.drop(LiveRig.oximeter)
        let line = try rig.why("bond-lost", LiveRig.oximeter)
        #expect(line.contains("healthctl forget \(LiveRig.oximeter)"))
        rig.fake.change(LiveRig.oximeter) { $0.hasForgottenBond = false }
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(91...92)
        try rig.noLonger("bond-lost", LiveRig.oximeter)
        rig.expectGoodManners()
    }

    @Test("D10: a sensor that hangs up at once, again and again, is told and not chased")
    func aSensorThatHangsUpAtOnceIsTold() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter, isPaired: false, isTrusted: true, isExported: true)
        }
        try rig.fake.waitUntilStanding("2a5f", of: LiveRig.oximeter)
        rig.fake.setPace { $0.step = .milliseconds(50) }
        rig.fake.forgetCalls()
        rig.fake.wake(LiveRig.oximeter)
        for _ in 0..<40 {
            try rig.fake.waitUntilConnected(LiveRig.oximeter)
            rig.fake.drop(LiveRig.oximeter)
        }
        try rig.why("flapping", LiveRig.oximeter)
        #expect(rig.fake.callCount < 100)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        rig.expectGoodManners()
    }

    @Test("G11: a sensor that another program removes stays in the store, and is told")
    func aSensorThatAnotherProgramRemovesIsTold() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.remove(LiveRig.oximeter)
        let line = try rig.why("removed-elsewhere", LiveRig.oximeter)
        #expect(line.contains("healthctl pair"))
        #expect(try rig.values("spo2").count == 3)
        rig.expectGoodManners()
    }
}
