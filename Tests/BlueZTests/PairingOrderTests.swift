import BlueZ
import DBus
import Measurements
import Testing

private let adapter = PairingScript.adapter
private let spo2: [UInt8] = [0x00, 0x61, 0x00, 0x3E, 0x00]

@Suite struct PairingOrderTests {
    /// What bluetoothd says between Pair and the first reading, each at any place.
    private static let news: [@Sendable (inout PairingScript, inout PairingDevice) -> Void] = [
        { script, device in
            device.isConnected = true
            script.handle(.device(device))
        },
        { script, device in
            device.isPaired = true
            script.handle(.device(device))
        },
        { script, device in
            device.isResolved = true
            script.handle(.device(device))
        },
        { script, device in
            device.characteristics = [.plxContinuousMeasurement]
            script.handle(.device(device))
        },
        { script, _ in script.reply(.pair) },
    ]

    @Test("E3, G5b: every order of reply and signals after Pair ends in the same")
    func everyOrderPairs() {
        for order in permutations(Array(0..<5)) {
            var script = PairingScript(.init(address: PairingScript.address))
            script.open()
            script.find()
            var device = PairingDevice.oximeter.with { $0.isTrusted = true }
            for index in order {
                Self.news[index](&script, &device)
                script.pass(300)
            }
            script.handle(.value(PairingScript.address, .plxContinuousMeasurement, spo2))
            #expect(script.ending == "done" && script.isClosed, "order \(order)")
            #expect(script.actions.count { $0.isAdoption } == 1)
            #expect(script.steps.filter { $0 == .pair || $0 == .trust } == [.trust, .pair])
        }
    }

    @Test func whateverHappensAWindowEndsAndLeavesNothingBehind() {
        for seed in 1...1000 {
            var dice = EventDice(seed: seed)
            var script = PairingScript(wish(&dice))
            script.open(devices: Bool.random(using: &dice) ? [.oximeter] : [])
            for _ in 0..<60 where !script.isClosed { step(&script, &dice) }
            finish(&script)
            check(script, seed)
        }
    }

    private func wish(_ dice: inout EventDice) -> PairingWish {
        PairingWish(
            address: Bool.random(using: &dice) ? PairingScript.address : nil,
            answersYes: Bool.random(using: &dice))
    }

    private func step(_ script: inout PairingScript, _ dice: inout EventDice) {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0...3: script.handle(.device(device(&dice)))
        case 4...6: reply(&script, &dice)
        case 7: script.pass(Int64.random(in: 1...40_000, using: &dice))
        case 8:
            let members = ["RequestPasskey", "RequestAuthorization", "RequestPinCode"]
            let member = members.randomElement(using: &dice) ?? ""
            script.handle(.agent(PairingScript.agent(member)))
        case 9:
            let answers = ["1", "yes", "no", "\(PairingScript.address)"]
            script.handle(.answer(answers.randomElement(using: &dice) ?? ""))
        case 10:
            script.handle(
                Bool.random(using: &dice)
                    ? .deviceRemoved(PairingScript.path)
                    : .adapter(Bool.random(using: &dice) ? .searching : .on))
        default:
            let last: [Pairing.Event] = [
                .cancel, .bluetoothdLost, .adapterRemoved(adapter), .agentCanceled,
                .value(PairingScript.address, .plxContinuousMeasurement, spo2),
                .disconnected(PairingScript.path, reason: "org.bluez.Reason.Authentication"),
            ]
            script.handle(last.randomElement(using: &dice) ?? .cancel)
        }
    }

    private func device(_ dice: inout EventDice) -> PairingDevice {
        PairingDevice.oximeter.with {
            $0.rssi = Bool.random(using: &dice) ? Int.random(in: -90 ... -30, using: &dice) : nil
            $0.isPaired = Int.random(in: 0..<6, using: &dice) == 0
            $0.isConnected = Bool.random(using: &dice)
            $0.isResolved = Bool.random(using: &dice)
            $0.characteristics = Bool.random(using: &dice) ? [.plxContinuousMeasurement] : []
        }
    }

    private func reply(_ script: inout PairingScript, _ dice: inout EventDice) {
        guard let mark = script.marks.randomElement(using: &dice) else { return }
        let errors = [
            nil, nil, nil, "org.bluez.Error.InProgress", "org.bluez.Error.Failed",
            "org.bluez.Error.AuthenticationFailed", BusError.noReply,
            "org.freedesktop.DBus.Error.UnknownObject",
        ]
        let error = errors.randomElement(using: &dice) ?? nil
        script.handle(.reply(mark, error.map { BusError(name: $0) }))
    }

    /// Everything that is still waited for is answered, and time goes on.
    private func finish(_ script: inout PairingScript) {
        for _ in 0..<10 where !script.isClosed {
            script.pass(70_000)
            for mark in script.marks { script.handle(.reply(mark, nil)) }
        }
    }

    private func check(_ script: PairingScript, _ seed: Int) {
        #expect(script.isClosed && script.pairing.nextDeadline == nil, "seed \(seed)")
        #expect(script.actions.count { $0 == .close } == 1, "seed \(seed)")
        #expect(script.told.count { $0.isEnding } == 1, "seed \(seed)")
        #expect(script.steps.count { $0 == .pair } <= 5, "seed \(seed)")
        #expect(script.actions.count < 400, "seed \(seed)")
        #expect(script.questionsAnswered, "seed \(seed)")
        let kept = script.steps.contains(.trust) && !script.steps.contains(.untrust)
        guard kept, script.ending != "done" else { return }
        let mayStay = script.sawBond || script.sawRemoval || script.hasLost
        #expect(mayStay, "seed \(seed): \(script.lastWords)")
    }
}

extension OperatorMessage {
    fileprivate var isEnding: Bool {
        switch self {
        case .done, .failed: true
        case .candidate, .ask, .progress: false
        }
    }
}

extension PairingScript {
    /// Each question of bluetoothd gets at most one answer.
    fileprivate var questionsAnswered: Bool { sent.allSatisfy { $0.replySerial == 77 } }

    fileprivate var hasLost: Bool { ending == "bluetoothdAbsent" }
}

/// All orders of the elements.
private func permutations(_ elements: [Int]) -> [[Int]] {
    guard elements.count > 1 else { return [elements] }
    return elements.flatMap { first in
        permutations(elements.filter { $0 != first }).map { [first] + $0 }
    }
}
