import BlueZ
import DBus
import Measurements
import Testing

private let oximeter = PairingDevice.oximeter
private let adapter = PairingScript.adapter
private let spo2: [UInt8] = [0x00, 0x61, 0x00, 0x3E, 0x00]

@Suite struct PairingTests {
    @Test func aSensorIsPairedAndWorksOnlyOnceAReadingCame() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        #expect(script.steps.last == .pair)
        script.handle(.device(.resolved.with { $0.isPaired = true }))
        #expect(script.ending == nil)
        script.reply(.pair)
        #expect(script.ending == nil)
        script.handle(.value(PairingScript.address, .plxContinuousMeasurement, spo2))
        #expect(script.ending == "done" && script.isClosed)
        #expect(script.lastWords == "VirtOxi (C0:FF:EE:00:00:01) works: SpO2 97 %, pulse 62 /min.")
    }

    @Test("C14: the search has ended, and the sensor is kept, before Pair is called")
    func nothingRunsWhenPairIsCalled() {
        for order in [
            [PairingCall.Step.stopDiscovery(adapter), .trust], [.trust, .stopDiscovery(adapter)],
        ] {
            var script = PairingScript(.init(address: PairingScript.address))
            script.open()
            script.reply(.startDiscovery(adapter))
            script.handle(.device(oximeter))
            #expect(script.steps.suffix(2) == [.trust, .stopDiscovery(adapter)])
            script.reply(order[0])
            #expect(!script.steps.contains(.pair))
            script.reply(order[1])
            #expect(script.steps.last == .pair)
        }
    }

    @Test("G5b: Bonded counts, before Pair has returned and without the signal Paired")
    func theBondIsBelievedFromWhicheverComesFirst() {
        for order in [[0, 1], [1, 0]] {
            var script = PairingScript(.init(address: PairingScript.address))
            script.open()
            script.find()
            for step in order {
                if step == 0 {
                    script.handle(.device(oximeter.with { $0.isPaired = true }))
                } else {
                    script.reply(.pair)
                }
            }
            #expect(script.actions.count { $0.isAdoption } == 1)
            #expect(script.actions.count { $0.isPairedNote } == 1)
        }
    }

    @Test("G6: a sensor that is paired already is not paired again")
    func pairIsNeverCalledOnAPairedSensor() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open(devices: [
            oximeter.with {
                $0.isPaired = true; $0.rssi = nil
            }
        ])
        script.settle()
        #expect(!script.steps.contains(.pair))
        #expect(!script.steps.contains(.startDiscovery(adapter)))
        #expect(script.steps == [.trust, .connect])
        script.handle(.value(PairingScript.address, .plxContinuousMeasurement, spo2))
        #expect(script.ending == "done")
    }

    @Test("G6: AlreadyExists from Pair is a bond")
    func alreadyExistsIsABond() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.reply(.pair, "org.bluez.Error.AlreadyExists", "Already Exists")
        #expect(script.ending == nil && script.actions.contains { $0.isAdoption })
        script.pass(200_000)
        #expect(script.lastWords.contains("The bond exists and stays"))
        #expect(!script.steps.contains(.untrust))
    }

    @Test("G7: a sensor that hangs up at the end of pairing is waited for")
    func hangingUpAfterPairingIsNoFailure() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.reply(.pair)
        script.handle(
            .device(
                oximeter.with {
                    $0.isPaired = true; $0.isConnected = true
                }))
        script.handle(.device(oximeter.with { $0.isPaired = true }))
        script.pass(60_000)
        #expect(script.ending == nil)
        script.handle(.value(PairingScript.address, .plxContinuousMeasurement, spo2))
        #expect(script.ending == "done")
    }

    @Test("G7: a sensor that was just paired may hang up as often as it likes")
    func shortLinksOfANewSensorMeanNothing() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.reply(.pair)
        for _ in 0..<5 {
            script.handle(
                .device(
                    oximeter.with {
                        $0.isPaired = true; $0.isConnected = true
                    }))
            script.pass(100)
            script.handle(.device(oximeter.with { $0.isPaired = true }))
        }
        #expect(script.ending == nil)
    }

    @Test func aReadingThatCameBeforeTheBondCounts() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.handle(.value(PairingScript.address, .plxContinuousMeasurement, spo2))
        #expect(script.ending == nil)
        script.reply(.pair)
        #expect(script.ending == "done" && script.actions.contains { $0.isAdoption })
    }

    @Test("I8: a sensor that sends without a value works, once it was given time")
    func aSensorThatNobodyWearsWorks() {
        for window: Int64 in [120_000, 10_000] {
            var script = PairingScript(.init(address: PairingScript.address, window: window))
            script.open()
            script.find()
            script.reply(.pair)
            for _ in 0..<5 {
                script.handle(
                    .value(
                        PairingScript.address, .plxContinuousMeasurement,
                        [0x00, 0xFF, 0x07, 0xFF, 0x07]))
                script.pass(1000)
            }
            #expect(script.ending == nil)
            script.pass(20_000)
            #expect(script.ending == "done" && script.lastWords.contains("without a value"))
        }
    }

    @Test("A3: bluetoothd that ends takes the window with it")
    func bluetoothdsEndEndsTheWindow() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.handle(.bluetoothdLost)
        #expect(script.ending == "bluetoothdAbsent" && script.isClosed)
        #expect(script.pairing.nextDeadline == nil)
    }

    @Test("B5: the adapter that is unplugged ends the window")
    func theAdaptersEndEndsTheWindow() {
        for event in [Pairing.Event.adapterRemoved(adapter), .adapter(.off)] {
            var script = PairingScript(.init(address: PairingScript.address))
            script.open()
            script.find()
            script.handle(event)
            #expect(script.ending == "noAdapter" && script.isClosed)
        }
    }

    @Test("B2: without an adapter that is on there is no window")
    func noAdapterNoWindow() {
        for (adapters, words) in [([], "no Bluetooth adapter"), ([AdapterObject.off], "off")] {
            var script = PairingScript()
            script.open(adapters: adapters)
            #expect(script.ending == "noAdapter" && script.isClosed)
            #expect(script.lastWords.contains(words))
        }
    }

    @Test func anOperatorWhoGoesTakesThePairingBack() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.find()
        script.handle(
            .device(
                oximeter.with {
                    $0.isConnected = true; $0.isTrusted = true
                }))
        script.handle(.cancel)
        #expect(script.ending == "cancelled" && script.isClosed)
        #expect(script.steps.suffix(3) == [.cancelPairing, .disconnect, .untrust])
    }
}
