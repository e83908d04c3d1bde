package import DBus

/// What comes in to the supervisor.
package enum BlueZEvent: Sendable {
    /// The bus has let us in, under this unique name.
    case busOpened(uniqueName: String)
    /// The bus is gone, or cannot be reached, or does not let us in; the reason as the bus or the system says it.
    case busClosed(BusError)
    /// A signal, or a call of one of our objects.
    case message(BusMessage)
    /// What became of a call; without an answer in time `BusError.noReply`.
    case reply(CallID, Result<[BusValue], BusError>)
    /// The supervisor's `nextDeadline` has come.
    case deadline
    /// Everything that was collected before `BlueZAction.persist` is on the disk; false if it could not be written.
    case persisted(PersistID, Bool)
    /// Somebody at a terminal wants something.
    case request(OperatorID, OperatorRequest)
    /// Whether the host's clock is known to be right, asked at each link that may set a clock.
    case hostClock(isSynchronised: Bool)
    /// The kernel's blocks of radios; asked for while an adapter is off.
    case radioBlock(RadioBlock)
    /// The configuration was read again.
    case settings(Settings)
    /// The daemon is to end: leave the sensors so that they keep their readings.
    case stop
}

/// The number of a call, unique in the life of the supervisor.
package struct CallID: Hashable, Sendable {
    package let number: UInt64

    /// The call of this number.
    package init(number: UInt64) {
        self.number = number
    }
}

/// The number of a wish to have everything on the disk.
package struct PersistID: Hashable, Sendable {
    package let number: UInt64

    /// The wish of this number.
    package init(number: UInt64) {
        self.number = number
    }
}

/// Somebody who waits at a terminal, as the daemon numbers them.
package struct OperatorID: Hashable, Sendable {
    package let number: UInt64

    /// The operator of this number.
    package init(number: UInt64) {
        self.number = number
    }
}

/// Whether the kernel keeps Bluetooth radios off.
package enum RadioBlock: Equatable, Sendable {
    case none
    /// By software: `rfkill unblock bluetooth` ends it.
    case soft
    /// By a switch on the machine.
    case hard
    /// The kernel does not say.
    case unknown
}
