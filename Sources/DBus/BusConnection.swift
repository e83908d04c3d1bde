internal import CDBus

/// A connection of our own to a message bus; it is pulled, and calls nobody back.
package final class BusConnection {
    /// The unique name that the bus gave us; nil before it has let us in.
    package private(set) var uniqueName: String?

    /// Whether the C library was found; libdbus is asked for its version.
    package static var libraryVersion: String {
        var (major, minor, micro): (Int32, Int32, Int32) = (0, 0, 0)
        dbus_get_version(&major, &minor, &micro)
        return "\(major).\(minor).\(micro)"
    }
}
