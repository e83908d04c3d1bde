package import DBus
package import Measurements

/// What pairing looks at in a device object.
package struct PairingDevice: Equatable, Sendable {
    /// The object path.
    package var path: String
    /// The object path of the adapter that it belongs to.
    package var adapter: String
    package var address: DeviceAddress
    package var name: String?
    /// The services, as advertised or found.
    package var services: [BluetoothUUID] = []
    package var appearance: UInt16?
    /// In dBm; nil if it was not heard since the search began.
    package var rssi: Int?
    /// Whether it is paired or bonded.
    package var isPaired = false
    package var isTrusted = false
    package var isConnected = false
    package var isResolved = false
    /// The characteristics that bluetoothd has exported.
    package var characteristics: [BluetoothUUID] = []

    /// A device of which only this is known.
    package init(path: String, adapter: String, address: DeviceAddress) {
        self.path = path
        self.adapter = adapter
        self.address = address
    }

    /// What the tree says of a device and of its characteristics.
    package init(_ device: DeviceObject, characteristics: [CharacteristicObject]) {
        self.init(path: device.path, adapter: device.adapter, address: device.address)
        name = device.name
        services = device.services
        appearance = device.appearance
        rssi = device.rssi
        isPaired = device.isPaired || device.hasBond
        isTrusted = device.isTrusted
        isConnected = device.isConnected
        isResolved = device.isResolved
        self.characteristics = characteristics.map(\.uuid)
    }
}

/// A call that pairing has made, to recognise its reply by.
package struct PairingCall: Hashable, Sendable {
    /// What a call does.
    package enum Step: Hashable, Sendable {
        /// The property Trusted becomes true.
        case trust
        /// The property Trusted becomes false again.
        case untrust
        /// The adapter at this path is to search Low Energy only.
        case setFilter(String)
        case startDiscovery(String)
        case stopDiscovery(String)
        case pair
        case cancelPairing
        case connect
        case disconnect
    }

    package let step: Step
    /// Counts the calls of all windows, so that a late reply is nobody's.
    package let number: UInt64
}

extension Pairing {
    /// What comes in.
    package enum Event: Sendable {
        /// An adapter appeared or changed.
        case adapter(AdapterObject)
        /// The adapter at this path is gone.
        case adapterRemoved(String)
        /// A device appeared or changed.
        case device(PairingDevice)
        /// The device at this path is gone.
        case deviceRemoved(String)
        /// The device at this path lost its link for this reason (org.bluez.Reason.…).
        case disconnected(String, reason: String)
        /// What became of a call.
        case reply(PairingCall, BusError?)
        /// Our agent is asked.
        case agent(AgentRequest)
        /// Our agent need not answer any more.
        case agentCanceled
        /// The operator answers.
        case answer(String)
        /// The operator is gone or wants no more.
        case cancel
        /// A sensor sent a measurement.
        case value(DeviceAddress, BluetoothUUID, [UInt8])
        /// bluetoothd or the bus is gone, and all that it knew.
        case bluetoothdLost
        /// `nextDeadline` has come.
        case deadline
    }

    /// What is to be done, in order.
    package enum Action: Equatable, Sendable {
        /// Call bluetoothd; the reply comes as `Event.reply`.
        case call(PairingCall, Call)
        /// Answer bluetoothd.
        case send(BusMessage)
        /// Say something to the operator.
        case tell(OperatorMessage)
        /// The sensor is ours from now on: arm it; whether it has just been paired.
        case adopt(DeviceAddress, isNew: Bool)
        /// It was adopted in vain: it is not ours any more.
        case abandon(DeviceAddress, path: String)
        /// Keep in the ledger.
        case note(DeviceAddress, LedgerEntry.Event, String)
        /// Nothing is left to do; the window can be dropped.
        case close
    }
}
