package import DBus
package import Measurements

/// What the supervisor wants done; the shell does it in this order.
package enum BlueZAction: Sendable {
    /// Call a method; the answer comes as `BlueZEvent.reply`.
    case call(CallID, Call)
    /// Send a reply, an error or a signal.
    case send(BusMessage)
    /// Something a sensor said: through the door.
    case collect(GATTEvent)
    /// Keep in the ledger, and say in the log.
    case note(LedgerEntry)
    /// Put everything that was collected so far on the disk, then say `BlueZEvent.persisted`.
    case persist(PersistID)
    /// Say something to an operator.
    case tell(OperatorID, OperatorMessage)
    /// Find out whether the host's clock is right, then say `BlueZEvent.hostClock`.
    case askHostClock
    /// Find out whether the kernel keeps radios off, then say `BlueZEvent.radioBlock`.
    case askRadioBlock
    /// The orderly stop is done; nothing more will come.
    case stopped
}

/// A call of a method on the bus.
package struct Call: Equatable, Sendable {
    package let destination: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
    /// How long to wait for the answer, in ms.
    package let patience: Int64

    /// A call of a method, by default of bluetoothd and with 10 s of patience.
    package init(
        to destination: String = "org.bluez", path: String, interface: String, member: String,
        _ arguments: [BusValue] = [], patience: Int64 = 10_000
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.patience = patience
    }
}
