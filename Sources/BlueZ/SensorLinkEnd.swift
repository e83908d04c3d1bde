/// How a link ended.
struct SensorLinkEnd: Equatable, Sendable {
    /// How long it lasted, in ms.
    let lasted: Int64
    /// Whether its services were resolved.
    let wasResolved: Bool
    /// The reason that bluetoothd or we know, such as `org.bluez.Reason.Remote`.
    let reason: String?
    /// Whether we hung up, or the ground was taken from under it.
    let isOurs: Bool
    /// Whether the ground was taken from under it, so that nothing can be asked now.
    var isCut = false
}
