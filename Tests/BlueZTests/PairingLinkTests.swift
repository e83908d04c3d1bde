import BlueZ
import DBus
import Measurements
import Testing

private let oximeter = PairingDevice.oximeter
private let adapter = PairingScript.adapter
private let spo2: [UInt8] = [0x00, 0x61, 0x00, 0x3E, 0x00]

@Suite struct PairingLinkTests {
    @Test("D9: Connect that succeeds without a link is a failure, and tried again")
    func successWithoutALinkIsTriedAgain() {
        var script = unbondable()
        script.reply(.connect)
        script.pass(999)
        #expect(script.steps.last == .connect)
        script.pass(1)
        #expect(script.steps.last == .disconnect || script.told.last?.isProgress == true)
        #expect(script.ending == nil)
    }

    @Test("D1, D2: an attempt that is under way already, or a link that is there, is waited for")
    func anAttemptUnderWayIsNoFailure() {
        for (name, text) in [
            ("org.bluez.Error.InProgress", "In Progress"),
            ("org.bluez.Error.Failed", "Operation already in progress"),
            ("org.bluez.Error.AlreadyConnected", "Already Connected"),
        ] {
            var script = unbondable()
            script.reply(.connect, name, text)
            script.handle(.device(.resolved))
            #expect(script.actions.contains { $0.isAdoption })
        }
    }

    @Test("D4: an attempt that somebody else called off is made again")
    func anAttemptThatWasCalledOffIsMadeAgain() {
        var script = unbondable()
        script.reply(.connect, "org.bluez.Error.Failed", "br-connection-canceled")
        script.pass(1000)
        script.find()
        #expect(script.steps.last == .pair && script.ending == nil)
    }

    @Test("D3: a link that fails is tried again, when the sensor is heard again")
    func aLinkThatFailsIsTriedAgain() {
        var script = unbondable()
        script.reply(.connect, "org.bluez.Error.Failed", "le-connection-abort-by-local")
        let before = script.steps.count { $0 == .pair }
        script.handle(.device(oximeter))
        #expect(script.steps.count { $0 == .pair } == before)
        script.pass(1000)
        script.reply(.startDiscovery(adapter))
        script.handle(.device(oximeter))
        script.settle()
        #expect(script.steps.count { $0 == .pair } == before + 1)
    }

    @Test func aBondThatIsThereInTheEndIsNotDistrusted() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.reply(.pair, "org.bluez.Error.Failed", "Host is down")
        script.handle(.device(oximeter.with { $0.isPaired = true }))
        script.handle(.cancel)
        #expect(script.ending == "cancelled" && !script.steps.contains(.untrust))
    }

    @Test func attemptsWithOneSensorAreLimited() {
        var script = PairingScript(.init(address: PairingScript.address, window: 600_000))
        script.open()
        for _ in 0..<20 where script.ending == nil {
            script.find()
            script.reply(.pair, "org.bluez.Error.ConnectionAttemptFailed", "Page Timeout")
            script.pass(10_000)
        }
        #expect(script.steps.count { $0 == .pair } == 5)
        #expect(script.ending == "failed" && script.lastWords.contains("ConnectionAttemptFailed"))
        #expect(script.steps.contains(.untrust))
    }

    @Test func aSensorWithoutABondWorksToo() {
        var script = unbondable()
        script.reply(.connect)
        script.handle(.device(.resolved))
        script.handle(.value(PairingScript.address, .plxContinuousMeasurement, spo2))
        #expect(script.ending == "done" && script.lastWords.contains("makes no bond"))
        #expect(!script.steps.contains(.untrust))
        // It goes on sending: its link is not cut.
        #expect(!script.steps.contains(.disconnect))
    }

    @Test("G8: the link that bluetoothd made to pair, and ends when that fails, is made again")
    func theLinkOfAFailedPairingIsMadeAgain() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.handle(.device(oximeter.with { $0.isConnected = true }))
        script.reply(.pair, "org.bluez.Error.AuthenticationFailed", "Authentication Failed")
        #expect(!script.steps.contains(.connect))
        script.handle(.device(oximeter))
        #expect(script.steps.count { $0 == .connect } == 1)
        script.reply(.connect)
        script.handle(.device(.resolved))
        #expect(script.actions.contains { $0.isAdoption })
        #expect(script.steps.count { $0 == .pair } == 1)
    }

    @Test func whatNothingCameOfIsNotKept() {
        var script = unbondable()
        script.reply(.connect)
        script.handle(.device(.resolved))
        script.pass(200_000)
        #expect(script.ending == "timedOut" && script.steps.contains(.untrust))
        #expect(script.actions.contains { if case .abandon = $0 { true } else { false } })
        #expect(script.steps.lastIndex(of: .untrust).map { $0 > 0 } == true)
    }

    @Test func aSensorThatWasTrustedBeforeStaysTrusted() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find(oximeter.with { $0.isTrusted = true })
        #expect(!script.steps.contains(.trust))
        script.handle(.cancel)
        #expect(script.ending == "cancelled" && !script.steps.contains(.untrust))
    }

    @Test("C8, D6: a sensor that vanished is searched for again")
    func aSensorThatVanishedIsSearchedForAgain() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.handle(.deviceRemoved(PairingScript.path))
        script.pass(1000)
        #expect(script.steps.last == .startDiscovery(adapter))
        script.find()
        script.reply(.pair, "org.freedesktop.DBus.Error.UnknownObject")
        script.pass(3000)
        script.find()
        script.reply(.pair)
        #expect(script.ending == nil && script.actions.contains { $0.isAdoption })
    }

    @Test func aDeviceWithoutAHealthServiceFailsAndSaysWhatItSpeaks() {
        var script = unbondable()
        let jumper = BluetoothUUID("cdeacb80-5235-4c07-8846-93a37ee6b86d")
        script.handle(
            .device(
                .resolved.with {
                    $0.services = [jumper].compactMap(\.self)
                    $0.characteristics = [.batteryLevel]
                }))
        script.pass(2000)
        #expect(script.ending == "failed" && script.lastWords.contains("Jumper"))
    }

    @Test("E3: objects that come after ServicesResolved are waited for")
    func objectsMayComeAfterTheFlag() {
        var script = unbondable()
        script.handle(.device(.resolved.with { $0.characteristics = [.batteryLevel] }))
        script.pass(1999)
        #expect(script.ending == nil)
        script.handle(.device(.resolved))
        script.pass(60_000)
        #expect(script.ending == nil && script.actions.contains { $0.isAdoption })
    }

    @Test("E1: a first link whose services never come is cut")
    func servicesThatNeverComeAreGivenUp() {
        var script = unbondable()
        script.handle(.device(oximeter.with { $0.isConnected = true }))
        script.pass(30_000)
        #expect(script.steps.contains(.disconnect))
    }

    @Test("G4: a sensor that has lost its key is to be forgotten first")
    func aLostKeyIsTold() {
        for name in ["br-connection-key-missing", "le-connection-key-missing"] {
            var script = PairingScript(.init(address: PairingScript.address))
            script.open(devices: [oximeter.with { $0.isPaired = true }])
            script.settle()
            script.reply(.connect, "org.bluez.Error.Failed", name)
            #expect(script.ending == "refused")
            #expect(script.lastWords.contains("healthctl forget C0:FF:EE:00:00:01"))
            #expect(!script.steps.contains(.untrust))
        }
    }

    @Test("G4: links of a bonded sensor that end at once, three times, mean the same")
    func shortLinksOfABondedSensorMeanALostKey() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open(devices: [oximeter.with { $0.isPaired = true }])
        script.settle()
        for _ in 0..<3 {
            script.handle(
                .device(
                    oximeter.with {
                        $0.isPaired = true; $0.isConnected = true
                    }))
            script.pass(100)
            script.handle(.device(oximeter.with { $0.isPaired = true }))
        }
        #expect(script.lastWords.contains("lost its half of the bond"))
    }

    /// A sensor that is found, and refuses a bond without a question.
    private func unbondable() -> PairingScript {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.reply(.pair, "org.bluez.Error.AuthenticationFailed", "Authentication Failed")
        return script
    }
}
