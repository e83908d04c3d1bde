import BlueZ
import DBus
import Measurements
import Testing

/// Whatever comes in which order: what is done stays bounded, harmless, and waits for something.
@Suite struct SupervisorPropertyTests {
    private static let errors = [
        BusError(name: "org.bluez.Error.InProgress", text: "In Progress"),
        BusError(name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0x0e"),
        BusError(name: "org.bluez.Error.NotPermitted", text: "Not paired"),
        BusError(name: "org.bluez.Error.NotConnected", text: "Not Connected"),
        BusError(name: BusError.unknownObject), BusError(name: BusError.noReply),
        BusError(name: "org.bluez.Error.Strange", text: "?"),
    ]
    private static let members = [
        "StartNotify", "ReadValue", "WriteValue", "Disconnect", "Set", "GetManagedObjects",
        "RegisterApplication", "Introspect",
    ]

    /// One step of the world.
    private static func step(_ script: inout BusScript, _ dice: inout EventDice) {
        switch dice.next(20) {
        case 0: script.connected()
        case 1: script.connected(false)
        case 2: script.resolved()
        case 3: script.resolved(false)
        case 4: script.dropped()
        case 5, 6: script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        case 7: script.value(BusScript.temperature, [0, 0x6f, 1, 0, 0xff])
        case 8: script.value(BusScript.controlPoint, [5, 0, 1, 0])
        case 9: script.exportObjects()
        case 10: script.remove(BusScript.temperature, BusScript.characteristic1)
        case 11:
            script.errors = [
                "\(members[dice.next(members.count)]) *": errors[dice.next(errors.count)]
            ]
        case 12: script.errors = [:]
        case 13: script.silent = [members[dice.next(members.count)]]
        case 14: script.silent = []
        case 15: timeOut(&script)
        case 16: restart(&script, &dice)
        case 17:
            script.change(
                BusScript.adapter, BusScript.adapter1, [("Powered", .boolean(dice.next(2) == 0))])
        case 18: script.pass(Int64(dice.next(40_000)))
        default: script.pass(Int64(dice.next(300)))
        }
    }

    /// What nobody answered is over.
    private static func timeOut(_ script: inout BusScript) {
        for (_, call) in script.waiting {
            script.answer(call.member, .failure(BusError(name: BusError.noReply)))
        }
    }

    private static func restart(_ script: inout BusScript, _ dice: inout EventDice) {
        script.ownerChanged(to: nil)
        script.waiting = []
        guard dice.next(4) > 0 else { return }
        script.ownerChanged(to: ":1.\(dice.next(1_000) + 100)")
    }

    @Test(arguments: 0..<24)
    func nothingGrowsAndNothingSpins(seed: Int) {
        var dice = EventDice(seed: seed)
        var script = BusScript.started()
        for _ in 0..<250 {
            if script.owner == nil, dice.next(3) == 0 {
                script.ownerChanged(to: ":1.\(dice.next(99) + 2_000)")
            }
            let begin = script.boot
            Self.step(&script, &dice)
            let wanted = script.look()
            let seconds = Int((script.boot - begin) / 1_000)
            #expect(wanted.count < 120 + 40 * seconds)
            #expect(
                Set(wanted.members).isDisjoint(with: [
                    "Connect", "StartDiscovery", "RemoveDevice", "Pair",
                ]))
            #expect(script.waiting.count <= 24)
            #expect(script.supervisor.nextDeadline.map { $0 > script.boot } ?? true)
        }
    }

    @Test(arguments: 0..<12)
    func whenTheWorldIsWellAgainReadingsCome(seed: Int) {
        var dice = EventDice(seed: seed &+ 1_000)
        var script = BusScript.started()
        for _ in 0..<200 { Self.step(&script, &dice) }
        script.silent = []
        script.errors = [:]
        Self.timeOut(&script)
        script.answerAll()
        script.ownerChanged(to: nil)
        script.links = []
        script.addHost()
        script.addSensor()
        script.ownerChanged(to: ":1.9999")
        _ = script.look()
        script.pass(60_000)
        script.connected()
        script.value(BusScript.temperature, [0, 0x6f, 1, 0, 0xff])
        script.resolved()
        let wanted = script.look()
        #expect(wanted.events.contains { $0.kind == .indicate })
        #expect(wanted.notes.contains(.armed))
        #expect(script.supervisor.snapshot(at: script.now).sensors.first?.state == "live")
    }
}
