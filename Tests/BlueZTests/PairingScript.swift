import BlueZ
import DBus
import Measurements
import Testing

/// Drives one window, and plays bluetoothd's part in it.
struct PairingScript {
    static let adapter = "/org/bluez/hci0"
    static let address = DeviceAddress(bits: 0xC0FF_EE00_0001)
    static let path = adapter + "/dev_C0_FF_EE_00_00_01"

    private(set) var pairing: Pairing
    /// All that was wanted, from the start.
    private(set) var actions: [Pairing.Action] = []
    var now: Int64 = 1_000_000
    /// Whether bluetoothd ever said that there is a bond.
    private(set) var sawBond = false
    /// Whether bluetoothd ever removed the device.
    private(set) var sawRemoval = false

    init(_ wish: PairingWish = PairingWish(), firstCall: UInt64 = 1) {
        pairing = Pairing(wish, firstCall: firstCall, at: Self.moment(1_000_000))
    }

    private static func moment(_ boot: Int64) -> Moment {
        Moment(wall: Instant(milliseconds: 1_800_000_000_000 + boot), boot: boot)
    }

    /// Opens the window with one adapter that is on.
    mutating func open(
        adapters: [AdapterObject] = [.on], devices: [PairingDevice] = []
    ) {
        actions += pairing.open(adapters: adapters, devices: devices, at: Self.moment(now))
    }

    @discardableResult
    mutating func handle(_ event: Pairing.Event) -> [Pairing.Action] {
        watch(event)
        let new = pairing.handle(event, at: Self.moment(now))
        actions += new
        return new
    }

    private mutating func watch(_ event: Pairing.Event) {
        switch event {
        case .device(let device): sawBond = sawBond || device.isPaired
        case .reply(let mark, nil): sawBond = sawBond || mark.step == .pair
        case .deviceRemoved: sawRemoval = true
        case .adapter, .adapterRemoved, .disconnected, .reply, .agent, .agentCanceled, .answer,
            .cancel, .value, .bluetoothdLost, .deadline:
            break
        }
    }

    /// Answers the last call of this kind.
    mutating func reply(_ step: PairingCall.Step, _ error: String? = nil, _ text: String = "") {
        guard let mark = marks.last(where: { $0.step == step }) else { return }
        handle(.reply(mark, error.map { BusError(name: $0, text: text) }))
    }

    /// Lets time pass, with every deadline on the way.
    mutating func pass(_ milliseconds: Int64) {
        let end = now + milliseconds
        while let due = pairing.nextDeadline, due <= end {
            now = max(now, due)
            handle(.deadline)
            guard (pairing.nextDeadline ?? .max) > now else {
                Issue.record("a deadline that is due again at once is a busy loop: \(pairing)")
                break
            }
        }
        now = end
    }

    /// The window found the sensor, and Trusted and the end of the search are confirmed.
    mutating func find(_ device: PairingDevice = .oximeter) {
        reply(.startDiscovery(Self.adapter))
        handle(.device(device))
        settle()
    }

    /// bluetoothd confirms what is needed before any link.
    mutating func settle() {
        reply(.trust)
        reply(.stopDiscovery(Self.adapter))
    }

    var marks: [PairingCall] {
        actions.compactMap { if case .call(let mark, _) = $0 { mark } else { nil } }
    }

    var steps: [PairingCall.Step] { marks.map(\.step) }

    var told: [OperatorMessage] {
        actions.compactMap { if case .tell(let message) = $0 { message } else { nil } }
    }

    var sent: [BusMessage] {
        actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
    }

    var questions: [Question] {
        told.compactMap { if case .ask(let question) = $0 { question } else { nil } }
    }

    var candidates: [Candidate] {
        told.compactMap { if case .candidate(let candidate) = $0 { candidate } else { nil } }
    }

    /// How it ended: `done`, or the symbol of the failure; nil while it goes on.
    var ending: String? {
        for message in told {
            switch message {
            case .done: return "done"
            case .failed(let failure, _): return "\(failure)"
            case .candidate, .ask, .progress: break
            }
        }
        return nil
    }

    /// The sentence that it ended with.
    var lastWords: String {
        for message in told {
            switch message {
            case .done(let text), .failed(_, let text): return text
            case .candidate, .ask, .progress: break
            }
        }
        return ""
    }

    var isClosed: Bool { actions.last == .close }

    func calls(_ step: PairingCall.Step) -> [Call] {
        actions.compactMap {
            if case .call(let mark, let call) = $0, mark.step == step { call } else { nil }
        }
    }

    /// A call of our agent about the sensor.
    static func agent(_ member: String, _ arguments: [BusValue] = []) -> AgentRequest {
        var call = BusMessage.call(
            to: ":1.9", path: "/org/healthd/agent", interface: "org.bluez.Agent1", member: member,
            [.objectPath(path)] + arguments)
        call.serial = 77
        call.sender = ":1.2"
        return AgentRequest(call) ?? PairingScript.agent("RequestAuthorization")
    }
}

extension AdapterObject {
    static let on: AdapterObject = {
        var adapter = AdapterObject(path: PairingScript.adapter)
        adapter.isPowered = true
        return adapter
    }()

    static let off = AdapterObject(path: PairingScript.adapter)
}

extension PairingDevice {
    /// A pulse oximeter that is heard.
    static let oximeter: PairingDevice = {
        var device = PairingDevice(
            path: PairingScript.path, adapter: PairingScript.adapter,
            address: PairingScript.address)
        device.name = "VirtOxi"
        device.services = [.pulseOximeterService]
        device.rssi = -50
        return device
    }()

    /// The same device with some parts changed.
    func with(_ change: (inout PairingDevice) -> Void) -> PairingDevice {
        var device = self
        change(&device)
        return device
    }

    /// The oximeter with a link, its services resolved and exported.
    static let resolved = oximeter.with {
        $0.isConnected = true
        $0.isResolved = true
        $0.isTrusted = true
        $0.characteristics = [.plxContinuousMeasurement, .plxFeatures]
    }
}

extension Pairing.Action {
    var isAdoption: Bool { if case .adopt = self { true } else { false } }
    var isPairedNote: Bool { if case .note(_, .paired, _) = self { true } else { false } }
}

extension OperatorMessage {
    var isProgress: Bool { if case .progress = self { true } else { false } }
}
