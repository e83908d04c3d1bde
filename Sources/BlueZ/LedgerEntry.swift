package import Measurements

/// Something that bears on whether readings come: kept, so that a gap can be explained later.
package struct LedgerEntry: Equatable, Sendable {
    /// What happened; the raw values are kept in the store.
    package enum Event: String, CaseIterable, Sendable {
        // The way to bluetoothd.
        case busClosed = "bus-closed"
        case bluetoothdUp = "bluetoothd-up"
        case bluetoothdDown = "bluetoothd-down"
        case bluetoothdUnresponsive = "bluetoothd-unresponsive"
        /// bluetoothd does not take our agent, so that nothing can be paired.
        case agentRefused = "agent-refused"
        // Adapters.
        case adapterAdded = "adapter-added"
        case adapterRemoved = "adapter-removed"
        case adapterOn = "adapter-on"
        case adapterOff = "adapter-off"
        case hostSuspended = "host-suspended"
        case hostResumed = "host-resumed"
        // A sensor's life.
        case adopted
        case advertised
        case linkUp = "link-up"
        case servicesResolved = "services-resolved"
        case armed
        case firstFrame = "first-frame"
        case linkDown = "link-down"
        case lost
        // What goes wrong with a sensor.
        case stuck
        case resolvedEmpty = "resolved-empty"
        /// The sensor or bluetoothd does not let readings come.
        case refused
        case rearmed
        case bondLost = "bond-lost"
        case possibleLoss = "possible-loss"
        case flapping
        case silent
        // What we do to a sensor.
        case clockRead = "clock-read"
        case clockSet = "clock-set"
        /// The sensor's clock stays wrong; readings come all the same.
        case clockRefused = "clock-refused"
        case recordsFetched = "records-fetched"
        case recordsDeleted = "records-deleted"
        /// Stored records stay on the sensor; nothing is lost.
        case recordsRefused = "records-refused"
        case paired
        case forgotten
        case removedElsewhere = "removed-elsewhere"
        /// The configuration does not want the sensor's readings; it is left so that it keeps them.
        case unwanted
        // The daemon itself.
        case started
        case stopped
        /// The host's calendar clock was set, by a person or by a time server.
        case hostClockSet = "host-clock-set"
    }

    /// When it happened.
    package let at: Instant
    /// The sensor that it happened to; nil for the adapter, bluetoothd and the daemon.
    package let device: DeviceAddress?
    package let event: Event
    /// What else there is to know, in plain words with the evidence; may be empty.
    package let detail: String

    /// An entry with the given parts.
    package init(
        at: Instant, device: DeviceAddress? = nil, _ event: Event, _ detail: String = ""
    ) {
        self.at = at
        self.device = device
        self.event = event
        self.detail = detail
    }
}
