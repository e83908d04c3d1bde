import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// Adapters: none, off, pulled out, put in elsewhere, two at once; and the host that sleeps.
@Suite struct LiveAdapterTests {
    @Test("B1: without an adapter the reason is told, and one that is plugged in is enough")
    func withoutAnAdapterItWaits() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.unplug()
        }
        try rig.why("no-adapter")
        rig.fake.plug()
        try rig.wake()
        try rig.expectStream(90...92)
        rig.expectGoodManners()
    }

    @Test("B2: an adapter that is off is left off, and told")
    func anAdapterThatIsOffIsLeftOff() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.setPowered(false)
        }
        let line = try rig.why("adapter-off")
        #expect(line.contains("bluetoothctl power on"))
        #expect(rig.powerCalls.isEmpty)
        rig.fake.setPowered(true)
        try rig.wake()
        try rig.expectStream(90...92)
        try rig.noLonger("adapter-off")
        rig.expectGoodManners()
    }

    @Test("B2: with power_on = auto an adapter is switched on once each time that it appears")
    func anAdapterIsSwitchedOnOncePerAppearance() throws {
        let configuration = "[bluetooth]\npower_on = auto\n"
        let rig = try LiveRig(.oximeter(), configuration: configuration) { fake in
            fake.know(LiveRig.oximeter)
            fake.setPowered(false)
        }
        try waitUntil { rig.powerCalls.count == 1 }
        try rig.fake.waitUntilRegistered()
        // Somebody switches it off: that is his right.
        rig.fake.setPowered(false)
        try rig.why("adapter-off")
        #expect(rig.powerCalls.count == 1)
        rig.fake.unplug()
        rig.fake.plug(isPowered: false)
        try waitUntil { rig.powerCalls.count == 2 }
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        #expect(rig.powerCalls.count == 2)
    }

    @Test("B3: a radio that is blocked is not switched on again and again")
    func aBlockedRadioIsNotSwitchedOnAgainAndAgain() throws {
        let configuration = "[bluetooth]\npower_on = auto\n"
        let rig = try LiveRig(.oximeter(), configuration: configuration) { fake in
            fake.know(LiveRig.oximeter)
            fake.setBlocked(true)
        }
        try waitUntil { rig.powerCalls.count == 1 }
        try rig.why("adapter-off")
        rig.fake.setBlocked(false)
        try rig.wake()
        try rig.expectStream(90...92)
        #expect(rig.powerCalls.count == 1)
    }

    @Test("B4: an adapter that is switched off and on again costs a gap and nothing else")
    func anAdapterThatIsSwitchedOffCostsAGap() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.setPowered(false)
        try rig.why("adapter-off")
        rig.fake.setPowered(true)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        #expect(try rig.causes("spo2").contains("adapter-off"))
        rig.expectGoodManners()
    }

    @Test("B13: an adapter that another program resets again and again piles nothing up")
    func anAdapterThatFlipsPilesNothingUp() throws {
        let rig = try LiveRig.withOximeter()
        rig.fake.forgetCalls()
        for _ in 0..<20 {
            rig.fake.setPowered(false)
            rig.fake.setPowered(true)
            try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        }
        try rig.expectStream(90...92)
        // Four characteristics, asked for at each edge of 20 links, and what is read after them.
        #expect(rig.fake.callCount < 20 * 20)
        rig.expectGoodManners()
    }

    @Test("B5: an adapter that is pulled out and put in again costs a gap and nothing else")
    func anAdapterThatIsPulledOutCostsAGap() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.unplug()
        try rig.why("no-adapter")
        rig.fake.plug()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        try rig.noLonger("removed-elsewhere")
        #expect(try rig.causes("spo2").contains("adapter-removed"))
        rig.expectGoodManners()
    }

    @Test("B6: an adapter that comes back under another name is the same adapter")
    func anAdapterUnderAnotherNameIsTheSame() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.unplug("hci0")
        rig.fake.plug("hci1")
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        #expect(try rig.values("spo2").count == 6)
        rig.expectGoodManners()
    }

    @Test("B7: an adapter without an address is no adapter yet")
    func anAdapterWithoutAnAddressIsNoneYet() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.unplug()
            fake.plug("hci0", address: "00:00:00:00:00:00")
        }
        try rig.why("no-adapter")
        rig.fake.setAddress("00:AA:01:00:00:01", of: "hci0")
        try rig.noLonger("no-adapter")
        rig.fake.know(LiveRig.oximeter)
        try rig.wake()
        try rig.expectStream(90...92)
    }

    @Test("B9: a bond with an adapter that is gone is told")
    func aBondWithAnAdapterThatIsGoneIsTold() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.fake.unplug("hci0")
        rig.fake.plug("hci1", address: "00:AA:01:00:00:02")
        let line = try rig.why("bonded-elsewhere", LiveRig.oximeter)
        #expect(line.contains("00:AA:01:00:00:01"))
        #expect(line.contains("healthctl pair"))
        rig.expectGoodManners()
    }

    @Test("B10: of two adapters the one with the bond is used, and no value is stored twice")
    func ofTwoAdaptersTheOneWithTheBondIsUsed() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.plug("hci1", address: "00:AA:01:00:00:02")
            fake.show(LiveRig.oximeter, under: "/org/bluez/hci1")
        }
        try rig.wake()
        try rig.expectStream(90...92)
        #expect(try rig.values("spo2") == ["90", "91", "92"])
        #expect(rig.fake.calls("StartNotify").allSatisfy { $0.path.hasPrefix(FakeBlueZ.adapter) })
        rig.expectGoodManners()
    }

    @Test("B12: after the host has slept everything is looked at again")
    func afterTheHostHasSleptEverythingIsLookedAtAgain() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        let manager = try BusClient(rig.bus)
        try manager.askBus("RequestName", .string("org.freedesktop.login1"), .uint32(4))
        rig.fake.forgetCalls()
        for isGoingDown in [true, false] {
            manager.connection.send(
                .signal(
                    path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
                    member: "PrepareForSleep", [.boolean(isGoingDown)]))
            try manager.flush()
        }
        try rig.fake.waitForCall("GetManagedObjects")
        try rig.fake.waitForCall("StartNotify", on: rig.fake.path(of: "2a5f", in: LiveRig.oximeter))
        try rig.expectStream(93...95)
        try waitUntil { try rig.causes().contains("host-suspended") }
        rig.expectGoodManners()
    }

    @Test("C15: another program that searches is told as a hint, and keeps no reading away")
    func anotherProgramThatSearchesIsTold() throws {
        let rig = try LiveRig.withOximeter()
        rig.fake.setDiscovering(true)
        try rig.expectStream(90...92)
        let line = try rig.why("searched-by-others")
        #expect(line.contains("\"level\":\"warn\""))
        rig.fake.setDiscovering(false)
        try rig.noLonger("searched-by-others")
        rig.expectGoodManners()
    }
}
