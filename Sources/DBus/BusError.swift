/// Why a call failed, in the words of who failed it.
package struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error's name, such as `org.bluez.Error.InProgress`; unchanged.
    package let name: String
    /// What it says for people; may be empty.
    package let text: String

    /// An error of this name.
    package init(name: String, text: String = "") {
        self.name = name
        self.text = text
    }

    /// Nobody answered in time.
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    /// The reply holds what cannot be represented here.
    package static let inconsistentMessage = "org.freedesktop.DBus.Error.InconsistentMessage"
    /// The connection to the bus is gone.
    package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"

    package var description: String { text.isEmpty ? name : "\(name): \(text)" }
}
