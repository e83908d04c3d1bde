import BlueZ
import DBus
import Measurements
import Testing

/// What operators want, and what bluetoothd asks of us, as the supervisor passes it on.
@Suite struct SupervisorOperatorsTests {
    private static let who = OperatorID(number: 1)

    private static func messages(_ actions: [BlueZAction], to who: OperatorID) -> [OperatorMessage]
    {
        actions.compactMap { action in
            guard case .tell(who, let message) = action else { return nil }
            return message
        }
    }

    private static func failure(_ message: OperatorMessage?) -> OperatorMessage.Failure? {
        guard case .failed(let failure, _)? = message else { return nil }
        return failure
    }

    private static func ask(
        _ script: inout BusScript, _ member: String, from sender: String = BusScript.owner
    ) -> BusMessage? {
        var call = BusMessage.call(
            to: ":1.7", path: "/org/healthd/agent", interface: "org.bluez.Agent1", member: member,
            [.objectPath(BusScript.device)])
        call.sender = sender
        call.serial = 9
        script.give(.message(call))
        return script.look().compactMap { action -> BusMessage? in
            guard case .send(let message) = action else { return nil }
            return message
        }.first
    }

    @Test func pairingWithoutBluetoothdSaysSo() {
        var script = BusScript()
        script.owner = nil
        script.start()
        _ = script.look()
        script.give(.request(Self.who, .pair(PairingWish())))
        let messages = Self.messages(script.look(), to: Self.who)
        #expect(Self.failure(messages.last) == .bluetoothdAbsent)
    }

    /// A script whose bus has not answered anything yet, and somebody who wants to pair.
    private static func early() -> BusScript {
        var script = BusScript()
        script.addHost()
        script.silent = ["AddMatch"]
        script.start()
        script.give(.request(who, .pair(PairingWish())))
        script.silent = []
        return script
    }

    @Test func whoAsksBeforeBluetoothdIsKnownWaitsForIt() {
        var script = Self.early()
        #expect(Self.messages(script.look(), to: Self.who).isEmpty)
        script.answerAll()
        #expect(script.look().members.contains("StartDiscovery"))
    }

    @Test func whoAsksEarlyIsToldOnceItIsKnownThatThereIsNone() {
        var script = Self.early()
        script.owner = nil
        script.answerAll()
        #expect(
            Self.failure(Self.messages(script.look(), to: Self.who).last) == .bluetoothdAbsent)
    }

    @Test func whoAsksEarlyIsToldAfterTenSecondsInAnyCase() {
        var script = Self.early()
        script.silent = ["AddMatch"]
        _ = script.look()
        script.pass(9_000)
        #expect(Self.messages(script.look(), to: Self.who).isEmpty)
        script.pass(1_000)
        #expect(
            Self.failure(Self.messages(script.look(), to: Self.who).last) == .bluetoothdAbsent)
    }

    @Test func whoAsksEarlyAndGoesIsForgotten() {
        var script = Self.early()
        script.give(.request(Self.who, .cancel))
        script.answerAll()
        #expect(!script.look().members.contains("StartDiscovery"))
    }

    @Test func whoAsksEarlyKeepsOthersFromPairing() {
        var script = Self.early()
        script.silent = ["AddMatch"]
        let second = OperatorID(number: 2)
        script.give(.request(second, .pair(PairingWish())))
        #expect(Self.failure(Self.messages(script.look(), to: second).last) == .busy)
    }

    @Test func aSecondWindowIsRefused() {
        var script = BusScript.started()
        script.give(.request(Self.who, .pair(PairingWish())))
        _ = script.look()
        let second = OperatorID(number: 2)
        script.give(.request(second, .pair(PairingWish())))
        #expect(Self.failure(Self.messages(script.look(), to: second).last) == .busy)
    }

    @Test func aWindowSearchesAndEndsItsSearch() {
        var script = BusScript.started()
        _ = script.look()
        script.give(.request(Self.who, .pair(PairingWish(window: 10_000))))
        #expect(script.look().members.contains("StartDiscovery"))
        script.pass(120_000)
        let wanted = script.look()
        #expect(wanted.members.contains("StopDiscovery"))
        #expect(Self.failure(Self.messages(wanted, to: Self.who).last) == .timedOut)
        script.give(.request(Self.who, .pair(PairingWish())))
        #expect(script.look().members.contains("StartDiscovery"))
    }

    @Test("C15: our own search is not told as somebody else's")
    func ownSearchIsNoHint() {
        var script = BusScript.started()
        script.give(.request(Self.who, .pair(PairingWish())))
        script.change(BusScript.adapter, BusScript.adapter1, [("Discovering", .boolean(true))])
        script.pass(30_000)
        #expect(script.supervisor.snapshot(at: script.now).findings.isEmpty)
    }

    @Test("A3: bluetoothd that goes ends the window")
    func lossEndsTheWindow() {
        var script = BusScript.started()
        script.give(.request(Self.who, .pair(PairingWish())))
        _ = script.look()
        script.ownerChanged(to: nil)
        #expect(Self.failure(Self.messages(script.look(), to: Self.who).last) == .bluetoothdAbsent)
    }

    @Test("G3: outside a window nobody but our own sensors is let in")
    func strangersAreRefused() {
        var script = BusScript.started()
        _ = script.look()
        #expect(Self.ask(&script, "RequestAuthorization")?.kind == .reply)
        #expect(Self.ask(&script, "RequestPasskey")?.errorName == "org.bluez.Error.Rejected")
        var unknown = BusScript()
        unknown.addHost()
        unknown.start()
        _ = unknown.look()
        #expect(Self.ask(&unknown, "RequestAuthorization")?.errorName == "org.bluez.Error.Rejected")
    }

    @Test("A15: only bluetoothd is answered")
    func othersAreRefused() {
        var script = BusScript.started()
        _ = script.look()
        let answer = Self.ask(&script, "RequestAuthorization", from: ":1.66")
        #expect(answer?.errorName == "org.freedesktop.DBus.Error.AccessDenied")
    }

    @Test func forgettingRemovesTheBondAndSaysNothingOfOthers() {
        var script = BusScript.started()
        _ = script.look()
        script.give(.request(Self.who, .forget(BusScript.address)))
        script.remove(BusScript.device, BusScript.device1)
        script.pass(10_000)
        let wanted = script.look()
        #expect(wanted.calls(of: "RemoveDevice").map(\.path) == [BusScript.adapter])
        #expect(wanted.notes == [.forgotten])
        #expect(script.supervisor.snapshot(at: script.now).sensors.isEmpty)
        guard case .done? = Self.messages(wanted, to: Self.who).last else {
            Issue.record("it was not said that it is done")
            return
        }
    }

    @Test func forgettingWhatIsNotThereSaysSo() {
        var script = BusScript.started()
        script.give(.request(Self.who, .forget(DeviceAddress(bits: 5))))
        #expect(Self.failure(Self.messages(script.look(), to: Self.who).last) == .noSuchDevice)
    }

    @Test func aClockOfAnUnknownSensorCannotBeSet() {
        var script = BusScript.started()
        script.give(.request(Self.who, .setClock(DeviceAddress(bits: 5))))
        #expect(Self.failure(Self.messages(script.look(), to: Self.who).last) == .noSuchDevice)
    }

    @Test func aSensorThatIsPairedIsArmedAndItsReadingEndsTheWindow() {
        var settings = Settings.plain
        settings.sensors[DeviceAddress(bits: 1)] = Settings.Sensor()
        var script = BusScript(settings)
        script.silent = ["Pair"]
        script.addHost()
        script.start()
        script.give(.request(Self.who, .pair(PairingWish(address: BusScript.address))))
        script.change(BusScript.adapter, BusScript.adapter1, [("Discovering", .boolean(true))])
        script.add(
            BusScript.device, BusScript.device1,
            BusScript.properties(paired: false, trusted: false) + [("RSSI", .int16(-50))])
        script.pass(1_000)
        script.change(BusScript.adapter, BusScript.adapter1, [("Discovering", .boolean(false))])
        script.pass(1_000)
        #expect(script.look().members.contains("Pair"))
        script.connected()
        script.change(
            BusScript.device, BusScript.device1,
            [("Bonded", .boolean(true)), ("Paired", .boolean(true))])
        script.exportObjects()
        script.resolved()
        script.answer("Pair", .success([]))
        let wanted = script.look()
        #expect(wanted.notes.contains(.adopted) && wanted.notes.contains(.armed))
        #expect(Set(wanted.paths(of: "StartNotify")).count == 3)
        #expect(!wanted.notes.contains(.possibleLoss))
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        script.pass(1_000)
        guard case .done(let text)? = Self.messages(script.look(), to: Self.who).last else {
            Issue.record("it was not said that it works")
            return
        }
        #expect(text.contains("only until healthd is restarted"))
        #expect(text.hasSuffix("[sensor C0:FF:EE:00:00:01]"))
        #expect(
            script.supervisor.snapshot(at: script.now).sensors.map(\.address).contains(
                BusScript.address))
    }
}
