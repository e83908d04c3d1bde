package import Measurements

/// Something that bears on whether readings come, as the store keeps it.
package struct LedgerRow: Equatable, Sendable {
    /// When it happened, the first time.
    package var at: Instant
    /// When it happened the last time; equal ones that follow each other are kept as one.
    package var last: Instant
    /// How often it happened.
    package var count: Int
    /// The sensor that it happened to; nil for what concerns all of them.
    package var device: DeviceAddress?
    /// A word for what happened.
    package var event: String
    /// What else there is to know; may be empty.
    package var detail: String

    /// Something that happened once.
    package init(at: Instant, device: DeviceAddress?, event: String, detail: String) {
        self.at = at
        last = at
        count = 1
        self.device = device
        self.event = event
        self.detail = detail
    }
}
