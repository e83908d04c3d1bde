import BlueZ
import DBus
import Measurements
import Testing

private let oximeter = PairingDevice.oximeter
private let adapter = PairingScript.adapter

/// Another sensor that is heard.
private let thermometer: PairingDevice = {
    var device = PairingDevice(
        path: adapter + "/dev_C0_FF_EE_00_00_02", adapter: adapter,
        address: DeviceAddress(bits: 0xC0FF_EE00_0002))
    device.services = [.healthThermometerService]
    device.rssi = -60
    return device
}()

@Suite struct PairingChoiceTests {
    @Test func theOperatorChoosesAmongCandidates() {
        var script = PairingScript()
        script.open()
        script.reply(.startDiscovery(adapter))
        script.handle(.device(oximeter))
        script.handle(.device(thermometer))
        #expect(script.questions.map(\.kind) == [.choose])
        script.handle(.answer("the red one"))
        script.handle(.answer("00:00:00:00:00:09"))
        #expect(script.questions.count == 3)
        script.handle(.answer("\(thermometer.address)"))
        script.settle()
        #expect(script.calls(.pair).map(\.path) == [thermometer.path])
    }

    @Test func withYesTheOnlySensorIsTakenAfterAWhile() {
        var script = PairingScript(.init(answersYes: true))
        script.open()
        script.reply(.startDiscovery(adapter))
        script.handle(.adapter(.searching))
        script.handle(.device(oximeter))
        script.pass(4999)
        #expect(!script.steps.contains(.trust))
        script.pass(1)
        script.settle()
        #expect(script.calls(.pair).map(\.path) == [oximeter.path] && script.questions.isEmpty)
    }

    @Test func withYesOneOfTwoSensorsIsNotTakenUnasked() {
        var script = PairingScript(.init(answersYes: true))
        script.open(devices: [oximeter, thermometer])
        script.pass(120_000)
        #expect(script.questions.map(\.kind) == [.choose])
        #expect(!script.steps.contains(.trust))
        #expect(script.lastWords.contains("healthctl pair ADDRESS"))
    }

    @Test func withYesASensorThatIsPairedAlreadyIsNotMeant() {
        var script = PairingScript(.init(answersYes: true))
        script.open(devices: [oximeter.with { $0.isPaired = true }, thermometer])
        script.pass(5000)
        script.reply(.startDiscovery(adapter))
        script.settle()
        #expect(script.calls(.trust).map(\.path) == [thermometer.path])
    }

    @Test func withYesASensorThatIsKnownButNotHeardIsNotMeant() {
        var script = PairingScript(.init(answersYes: true))
        script.open(devices: [oximeter.with { $0.rssi = nil }])
        script.reply(.startDiscovery(adapter))
        script.handle(.adapter(.searching))
        script.pass(60_000)
        #expect(!script.steps.contains(.trust) && script.questions.isEmpty)
        script.handle(.device(thermometer))
        script.pass(5000)
        #expect(script.calls(.trust).map(\.path) == [thermometer.path])
    }
}
