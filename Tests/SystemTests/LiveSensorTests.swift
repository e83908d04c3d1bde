import DaemonHarness
import FakeBlueZ
import Testing

/// Sensors that wake, send and sleep.
@Suite struct LiveSensorTests {
    @Test("H1: a paired oximeter that wakes is stored without a scan, a Connect or a person's help")
    func aPairedOximeterThatWakesIsStored() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...99)
        try rig.why("live", LiveRig.oximeter)
        rig.expectGoodManners()
    }

    @Test("H1: a thermometer that is awake for moments loses none of 20 × 3 readings")
    func aSleepyThermometerLosesNothing() throws {
        let rig = try LiveRig(.thermometer()) { $0.know(LiveRig.thermometer, isExported: true) }
        try rig.fake.waitUntilStanding("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilRegistered()
        for wake in 0..<20 {
            try rig.wakeThermometer(with: (0..<3).map { UInt16(360 + wake * 3 + $0) })
        }
        #expect(rig.fake.sensor(LiveRig.thermometer)?.lost == 0)
        let expected = (360..<420).map { "\($0 / 10).\($0 % 10)" }
        #expect(try rig.wait(for: 60, "temp") == expected)
        rig.expectGoodManners()
    }

    @Test("H5: readings that are pushed as soon as the link is encrypted are all stored")
    func readingsPushedAfterEncryptionAreStored() throws {
        var sensor = FakeSensor.thermometer()
        sensor.push = .afterEncryption
        let rig = try LiveRig(sensor) { $0.know(LiveRig.thermometer, isExported: true) }
        try rig.fake.waitUntilStanding("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilRegistered()
        for wake in 0..<20 { try rig.wakeThermometer(with: [UInt16(360 + wake)]) }
        #expect(rig.fake.sensor(LiveRig.thermometer)?.lost == 0)
        #expect(try rig.wait(for: 20, "temp").count == 20)
    }

    @Test("H5: values that come before bluetoothd says that there is a link are stored")
    func valuesBeforeConnectedAreStored() throws {
        var sensor = FakeSensor.thermometer()
        sensor.isFasterThanConnected = true
        let rig = try LiveRig(sensor) { $0.know(LiveRig.thermometer, isExported: true) }
        try rig.fake.waitUntilStanding("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilRegistered()
        for wake in 0..<5 { try rig.wakeThermometer(with: [360, UInt16(361 + wake)]) }
        #expect(try rig.wait(for: 10, "temp").count == 10)
    }

    @Test("D15: a link that bluetoothd forgets to announce is a link all the same")
    func aLinkThatIsNotAnnouncedIsALink() throws {
        let rig = try LiveRig.withOximeter { $0.hidesConnected = true }
        try rig.expectStream(90...92)
        try rig.why("live", LiveRig.oximeter)
        rig.fake.drop(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
        rig.expectGoodManners()
    }

    @Test(
        "H2: on the first link after a restart the wanted characteristics are armed as they appear")
    func characteristicsAreArmedAsTheyAppear() throws {
        let rig = try LiveRig(.thermometer()) { fake in
            fake.know(LiveRig.thermometer)
            fake.setPace { $0.step = .milliseconds(20) }
        }
        try rig.fake.waitUntilRegistered()
        try rig.wakeThermometer(with: [365, 366, 367])
        #expect(try rig.wait(for: 3, "temp") == ["36.5", "36.6", "36.7"])
        // Nothing is read before all that is wanted is armed.
        let armed = rig.fake.allCalls.prefix { $0.member != "ReadValue" }
            .filter { $0.member == "StartNotify" }
        for uuid in ["2a1c", "2a1e"] {
            let path = rig.fake.path(of: uuid, in: LiveRig.thermometer)
            #expect(armed.contains { $0.path == path }, "\(uuid)")
        }
    }

    @Test("H2: what a sensor pushed on the first link after a restart is told as a possible loss")
    func aPossibleLossIsTold() throws {
        var sensor = FakeSensor.thermometer()
        sensor.push = .afterEncryption
        let rig = try LiveRig(sensor) { $0.know(LiveRig.thermometer) }
        try rig.fake.waitUntilRegistered()
        try rig.wakeThermometer(with: [365])
        #expect(rig.fake.sensor(LiveRig.thermometer)?.lost == 1)
        try waitUntil {
            try rig.causes("device=\(LiveRig.thermometer)").contains("possible-loss")
        }
        try rig.wakeThermometer(with: [366])
        #expect(try rig.wait(for: 1, "temp") == ["36.6"])
    }

    @Test("D8: a link that ends before the services are known leaves the sensor armed")
    func aLinkThatEndsEarlyLeavesItArmed() throws {
        let rig = try LiveRig(.thermometer()) { fake in
            fake.know(LiveRig.thermometer, isExported: true)
            fake.setPace { $0.step = .milliseconds(50) }
        }
        try rig.fake.waitUntilStanding("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilRegistered()
        for _ in 0..<3 {
            rig.fake.wake(LiveRig.thermometer)
            try rig.fake.waitUntilConnected(LiveRig.thermometer)
            rig.fake.sleep(LiveRig.thermometer)
        }
        try rig.wakeThermometer(with: [370])
        #expect(try rig.wait(for: 1, "temp") == ["37.0"])
        rig.expectGoodManners()
    }

    @Test("D10: a sensor that drops its link comes back, and each link is counted")
    func aSensorThatDropsItsLinkComesBack() throws {
        let rig = try LiveRig.withOximeter()
        for round in 0..<10 {
            try rig.expectStream(UInt8(80 + round)...UInt8(80 + round))
            rig.fake.drop(LiveRig.oximeter, reason: "org.bluez.Reason.Timeout")
            try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        }
        #expect(try rig.values("spo2").count == 10)
        #expect(try rig.daemon.request("devices").data.first?.contains("\"links\":11") == true)
        rig.expectGoodManners()
    }

    @Test("D15: why a link ended is kept, as far as bluetoothd says it")
    func whyALinkEndedIsKept() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        rig.fake.drop(LiveRig.oximeter, reason: "org.bluez.Reason.Timeout")
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(91...91)
        try waitUntil {
            try rig.daemon.request("gaps min=0s").data.contains { $0.contains("Timeout") }
        }
    }

    @Test("D14: a sensor that is not heard is told, with what may hold it")
    func aSensorThatIsNotHeardIsTold() throws {
        let rig = try LiveRig(.oximeter()) { $0.know(LiveRig.oximeter) }
        let line = try rig.why("never-seen", LiveRig.oximeter)
        #expect(line.contains("phone"))
        rig.expectGoodManners()
    }

    @Test func twoSensorsAtOnceLoseNothing() throws {
        let rig = try LiveRig(.oximeter(), .thermometer(), .strap()) { fake in
            for address in [LiveRig.oximeter, LiveRig.thermometer, LiveRig.strap] {
                fake.know(address)
            }
        }
        try rig.fake.waitUntilRegistered()
        for address in [LiveRig.oximeter, LiveRig.thermometer, LiveRig.strap] {
            rig.fake.wake(address)
        }
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilArmed("2a37", of: LiveRig.strap)
        for round in 0..<50 {
            let value = UInt8(50 + round)
            rig.fake.send(Frame.continuous(value), of: "2a5f", from: LiveRig.oximeter)
            rig.fake.send(
                Frame.temperature(UInt16(350 + round)), of: "2a1c", from: LiveRig.thermometer)
            rig.fake.send([0x00, value], of: "2a37", from: LiveRig.strap)
            if round == 25 { rig.fake.drop(LiveRig.strap) }
            if round == 25 { try rig.fake.waitUntilArmed("2a37", of: LiveRig.strap) }
        }
        #expect(try rig.wait(for: 50, "spo2") == (50..<100).map { "\($0)" })
        #expect(try rig.wait(for: 50, "temp").count == 50)
        #expect(
            try rig.wait(for: 50, "hr", of: LiveRig.strap) == (50..<100).map { "\($0)" })
    }

    @Test("I10: an intermediate temperature is not taken for a final one")
    func anIntermediateTemperatureIsMarked() throws {
        let rig = try LiveRig(.thermometer()) { $0.know(LiveRig.thermometer) }
        try rig.wake(LiveRig.thermometer, "2a1e")
        rig.fake.send(Frame.temperature(359), of: "2a1e", from: LiveRig.thermometer)
        rig.fake.send(Frame.temperature(371), of: "2a1c", from: LiveRig.thermometer)
        try rig.wait(for: 2, "temp")
        let rows = try rig.daemon.request("samples temp quality=all modality=all format=tsv")
        #expect(rows.column("modality").first?.contains("intermediate") == true)
        #expect(rows.column("modality").last?.contains("intermediate") == false)
    }

    @Test("F8: the same value twice is two readings")
    func theSameValueTwiceIsTwoReadings() throws {
        let rig = try LiveRig.withOximeter()
        for _ in 0..<5 { rig.fake.send(Frame.continuous(97), of: "2a5f", from: LiveRig.oximeter) }
        #expect(try rig.wait(for: 5, "spo2") == Array(repeating: "97", count: 5))
    }

    @Test("F11: a frame that is too short is counted, one that is too long is read")
    func aShortFrameIsCounted() throws {
        let rig = try LiveRig.withOximeter()
        rig.fake.send([0x00, 97], of: "2a5f", from: LiveRig.oximeter)
        rig.fake.send([], of: "2a5f", from: LiveRig.oximeter)
        rig.fake.send(Frame.continuous(96) + [1, 2, 3], of: "2a5f", from: LiveRig.oximeter)
        try rig.expectStream(95...95)
        #expect(try rig.values("spo2") == ["96", "95"])
        let status = try rig.daemon.request("status").data.first ?? ""
        #expect(!status.contains("\"undecodable\":0"))
    }

    @Test("I8: a finger that is out is a gap with its cause, not silence")
    func aFingerThatIsOutIsAGap() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...90)
        // NaN for both values, as oximeters send it without a finger.
        for _ in 0..<3 {
            rig.fake.send([0x00, 0xFF, 0x07, 0xFF, 0x07], of: "2a5f", from: LiveRig.oximeter)
        }
        let line = try rig.why("no-finger", LiveRig.oximeter)
        #expect(line.lowercased().contains("finger"))
        try rig.expectStream(91...91)
        #expect(try rig.causes("spo2").contains("no-value"))
    }
}

extension LiveRig {
    /// Lets the thermometer wake, hand out these temperatures in tenths of a degree, and hang up.
    func wakeThermometer(with tenths: [UInt16]) throws {
        fake.change(Self.thermometer) { sensor in
            sensor.queue = tenths.map { ("2a1c", Frame.temperature($0)) }
            sensor.hangsUpWhenEmpty = true
        }
        fake.wake(Self.thermometer)
        try fake.waitUntilEmpty(Self.thermometer)
        try fake.waitUntilConnected(Self.thermometer, false)
    }
}
