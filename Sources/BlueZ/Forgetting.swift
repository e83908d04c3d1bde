package import DBus
package import Measurements

/// The removal of a bond that an operator has ordered: on each adapter that knows the sensor.
///
/// ```
/// removing ── each object replied or gone ──► over
/// ```
/// Reply and signal come in any order; either means that the object is gone.
package struct Forgetting {
    /// What comes in.
    package enum Event: Equatable, Sendable {
        /// What became of the call for the device object at this path.
        case removed(String, BusError?)
        /// The device object at this path is gone.
        case deviceRemoved(String)
        /// bluetoothd or the bus is gone.
        case bluetoothdLost
    }

    /// What is to be done, in order.
    package enum Action: Equatable, Sendable {
        /// Call bluetoothd; the reply comes as `Event.removed` with this path.
        case call(String, Call)
        /// Say something to the operator.
        case tell(OperatorMessage)
        /// Keep in the ledger.
        case note(LedgerEntry.Event, String)
        /// It is over.
        case close
    }

    /// The sensor.
    package let address: DeviceAddress
    private var waiting: Set<String> = []
    private var failure: BusError?

    /// The wish to forget this sensor.
    package init(_ address: DeviceAddress) {
        self.address = address
    }

    /// Starts with the device objects of this address, one for each adapter that knows it.
    package mutating func begin(_ devices: [DeviceObject]) -> [Action] {
        guard !devices.isEmpty else {
            let text = "\(address) is not paired here. See healthctl devices."
            return [.tell(.failed(.noSuchDevice, text: text)), .close]
        }
        waiting = Set(devices.map(\.path))
        return devices.map { .call($0.path, .removeDevice($0)) }
    }

    /// Takes an event in and says what is to be done, in order.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .bluetoothdLost: return [.tell(.bluetoothdAbsent), .close]
        case .deviceRemoved(let path): return settle(path)
        case .removed(let path, let error):
            guard waiting.contains(path) else { return [] }
            if let error, PairingError(error) != .gone { failure = error }
            return settle(path)
        }
    }

    private mutating func settle(_ path: String) -> [Action] {
        guard waiting.remove(path) != nil, waiting.isEmpty else { return [] }
        if let failure {
            let text = "The bond with \(address) could not be removed (\(failure)). Try again."
            return [.tell(.failed(.failed, text: text)), .close]
        }
        let text = "The bond with \(address) is removed. Its readings are kept."
        return [.note(.forgotten, ""), .tell(.done(text)), .close]
    }
}

extension Call {
    /// Removes a device and its bond from its adapter; it takes 2.5 s if there is a link.
    fileprivate static func removeDevice(_ device: DeviceObject) -> Call {
        Call(
            path: device.adapter, interface: BlueZNames.adapter, member: "RemoveDevice",
            [.objectPath(device.path)])
    }
}
