import DBus
import DaemonHarness
import FakeBlueZ
import Foundation
import Testing

/// The bus itself, and who is on it.
@Suite struct LiveBusTests {
    @Test("A1: without bluetoothd the store is served, the reason is told, and its start is enough")
    func withoutBluetoothdItWaits() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter)
            fake.kill()
        }
        try rig.why("bluetoothd-absent")
        let status = try rig.daemon.request("status").data.first ?? ""
        #expect(status.contains("The Bluetooth service (bluetoothd) is not running."))
        try rig.daemon.replay(RecordingText.oximeter(seconds: 3))
        #expect(try rig.values("spo2").count == 3)
        try rig.fake.start()
        try rig.wake()
        try rig.expectStream(90...92)
        try rig.noLonger("bluetoothd-absent")
        rig.expectGoodManners()
    }

    @Test("J6: without any bus the store is served, and the bus is used once it is there")
    func withoutAnyBusItWaits() throws {
        let bus = try PrivateBus()
        bus.kill()
        let daemon = try DaemonUnderTest(bus: bus.address)
        try waitUntil { try daemon.request("why").data.contains { $0.contains("bus-closed") } }
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        #expect(try daemon.request("samples spo2").data.count == 3)
        try bus.start()
        let fake = try FakeBlueZ(on: bus, .oximeter())
        try fake.waitUntilRegistered()
        #expect(try daemon.stop() == .exit(0))
    }

    @Test("A5: a bus that is killed and started again costs a gap and nothing else")
    func aBusThatIsKilledCostsAGap() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        rig.bus.kill()
        try rig.why("bus-closed")
        #expect(try rig.values("spo2").count == 3)
        try rig.bus.start()
        rig.fake.kill()
        try rig.fake.start()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        #expect(try rig.values("spo2") == ["90", "91", "92", "93", "94", "95"])
        #expect(try rig.causes("spo2").contains("bus-gone"))
        rig.expectGoodManners()
    }

    @Test("A7: a policy that forbids bluetoothd is told, and asked no more than once in a while")
    func aPolicyThatForbidsIsTold() throws {
        let bus = try PrivateBus(policy: "<deny send_destination=\"org.bluez\"/>")
        let rig = try LiveRig(.oximeter(), bus: bus)
        let line = try rig.why("access-denied")
        #expect(line.contains("AccessDenied"))
        #expect(line.contains("bluetooth.conf"))
        #expect(rig.fake.callCount == 0)
        #expect(try rig.daemon.request("ping").isOK)
    }

    @Test("A8: six match rules are enough for many sensors, links and restarts")
    func sixMatchRulesAreEnough() throws {
        let bus = try PrivateBus(limits: ["max_match_rules_per_connection": 6])
        let addresses = (1...9).map { "C0:FF:EE:00:01:0\($0)" }
        let rig = try LiveRig(.oximeter(), bus: bus) { fake in
            for address in addresses {
                fake.add(.oximeter(address))
                fake.know(address)
            }
        }
        try rig.fake.waitUntilRegistered()
        for address in addresses { rig.fake.wake(address) }
        for address in addresses { try rig.fake.waitUntilArmed("2a5f", of: address) }
        #expect(try rig.matchRules() == 6)
        rig.fake.kill()
        try rig.fake.start()
        for address in addresses { try rig.fake.waitUntilArmed("2a5f", of: address) }
        #expect(try rig.matchRules() == 6)
        for address in addresses {
            #expect(rig.fake.send(Frame.continuous(97), of: "2a5f", from: address))
        }
        try rig.wait(for: addresses.count, "spo2")
    }

    @Test("A9: a sensor that appears while the objects are read is not missed")
    func aSensorThatAppearsMeanwhileIsNotMissed() throws {
        let rig = try LiveRig(.oximeter()) { $0.surprise(with: LiveRig.oximeter) }
        try rig.wake()
        try rig.expectStream(90...92)
        rig.expectGoodManners()
    }

    @Test("A10: a flood of signals of neighbours loses nothing and costs no call")
    func aFloodOfNeighboursLosesNothing() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        // The last thing that is ever asked of a sensor that has come.
        try rig.fake.waitUntilRead("2a26", of: LiveRig.oximeter)
        let calls = rig.wishes
        for number in 0..<4000 {
            let path =
                "/org/bluez/hci0/dev_00_00_00_00_\(number / 100 % 90 + 10)_\(number % 90 + 10)"
            let rssi = BusValue.properties([("RSSI", .int16(Int16(-number % 90)))])
            rig.fake.say(
                .signal(
                    path: path, interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged",
                    [.string("org.bluez.Device1"), rssi, .array(of: "s", [])]))
            if number % 100 == 0 {
                rig.fake.send(Frame.continuous(80), of: "2a5f", from: LiveRig.oximeter)
            }
        }
        #expect(try rig.wait(for: 41, "spo2").count == 41)
        #expect(rig.wishes == calls)
        rig.expectGoodManners()
    }

    @Test("A14: descriptors do not grow over restarts of bluetoothd and of the bus")
    func descriptorsDoNotGrow() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        let before = try rig.daemon.openDescriptors
        for _ in 0..<20 {
            rig.fake.kill()
            try rig.fake.start()
            try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        }
        rig.bus.kill()
        try rig.bus.start()
        rig.fake.kill()
        try rig.fake.start()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(91...91)
        try waitUntil { try rig.daemon.openDescriptors <= before }
    }

    @Test("A15: a value that somebody else than bluetoothd says is not taken")
    func aForeignValueIsNotTaken() throws {
        let rig = try LiveRig.withOximeter()
        let intruder = try BusClient(rig.bus)
        let path = rig.fake.path(of: "2a5f", in: LiveRig.oximeter)
        let value = BusValue.properties([("Value", .octets(Frame.continuous(11)))])
        let lie = BusMessage.signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            [.string("org.bluez.GattCharacteristic1"), value, .array(of: "s", [])])
        intruder.connection.send(lie)
        var direct = lie
        direct.destination = try #require(rig.fake.agents.first?.client)
        intruder.connection.send(direct)
        try intruder.askBus("GetId")
        try rig.expectStream(90...92)
        #expect(try rig.values("spo2") == ["90", "91", "92"])
    }

    @Test("A15: our objects answer nobody but bluetoothd")
    func ourObjectsAnswerNobodyElse() throws {
        let rig = try LiveRig.withOximeter()
        let agent = try #require(rig.fake.agents.first)
        let intruder = try BusClient(rig.bus)
        let call = BusMessage.call(
            to: agent.client, path: agent.path, interface: "org.bluez.Agent1",
            member: "RequestAuthorization", [.objectPath(rig.fake.path(LiveRig.oximeter))])
        #expect(throws: BusError.self) { try intruder.call(call) }
    }
}

extension LiveRig {
    /// The calls so far, but for what is read once of a sensor that has come.
    fileprivate var wishes: Int { fake.allCalls.count { $0.member != "ReadValue" } }
}
