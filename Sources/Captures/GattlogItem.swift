package import Measurements

/// What one line of a recording says.
package enum GattlogItem: Equatable, Sendable {
    /// Something a sensor said or something said to it.
    case event(GATTEvent, line: Int)
    /// A remark, a header or nothing.
    case ignored(line: Int)
    /// An event of a kind that this version does not know.
    case unknownEvent(String, line: Int)
    /// A line that cannot be used, and the reason in plain words.
    case damaged(line: Int, why: String)
}
