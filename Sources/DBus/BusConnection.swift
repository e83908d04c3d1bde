internal import Glibc

/// A connection of our own to a message bus; it is pulled, never waits, and calls nobody back.
///
/// Each turn of a loop: `exchange()`, then `next()` until nil; then wait for `descriptor` to be
/// readable, or also writable while `wantsToWrite`. Being let in by the bus is part of that: a bus
/// that hangs keeps nobody waiting.
///
/// ```
/// init ─► being let in ─► uniqueName is known
///               └───────────────┴──────► exchange() is false, and failure says why
/// ```
package final class BusConnection {
    /// The unique name that the bus gave us; nil before it has let us in.
    package private(set) var uniqueName: String?
    /// Why the connection is gone, or why the bus does not let us in; nil as long as it is of use.
    package private(set) var failure: BusError?
    /// How many messages were dropped because they hold what cannot be represented.
    package private(set) var undecodable = 0
    private let handle: ConnectionHandle
    /// The serial of the call that asks to be let in; 0 once it is answered.
    private var hello: UInt32 = 0

    /// Opens a connection and begins to ask the bus to be let in.
    ///
    /// - Parameter address: Such as `unix:path=/run/dbus/system_bus_socket`.
    /// - Throws: What libdbus says if there is nobody at the address.
    package init(address: String) throws(BusError) {
        handle = try ConnectionHandle(address: address)
        let bus = "org.freedesktop.DBus"
        hello = send(.call(to: bus, path: "/org/freedesktop/DBus", interface: bus, member: "Hello"))
    }

    /// Where the system's bus is: DBUS_SYSTEM_BUS_ADDRESS, else the usual socket.
    package static var systemAddress: String {
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
            ?? "unix:path=/run/dbus/system_bus_socket"
    }
}

extension BusConnection {
    /// What to wait on; -1 once the connection is gone.
    package var descriptor: Int32 { handle.descriptor }

    /// Whether something waits until the bus reads on.
    ///
    /// Calls that were sent before the bus has let us in do not count: they wait for its answer.
    package var wantsToWrite: Bool { handle.wantsToWrite }

    /// Sends a message, or puts it behind others that wait; never waits itself.
    ///
    /// - Returns: Its serial; 0 if it is not sent: it breaks a rule of D-Bus, the connection is gone,
    ///   or the bus has not read for long.
    @discardableResult
    package func send(_ message: BusMessage) -> UInt32 {
        guard failure == nil, handle.outgoingSize < BusLimits.outgoingSize,
            let source = message.handle
        else { return 0 }
        return handle.send(source)
    }

    /// Reads and writes what can be at once.
    ///
    /// - Returns: False if the connection is gone; what `next()` still has came before.
    package func exchange() -> Bool {
        var round = 0
        repeat {
            handle.readAndWrite()
            round += 1
        } while round < BusLimits.rounds && isBusy
        if !handle.isConnected, failure == nil {
            failure = BusError(name: BusError.disconnected, text: reasonOfEnd)
        }
        return failure == nil
    }

    /// Whether there is more to read or write at once.
    private var isBusy: Bool {
        guard handle.isConnected else { return false }
        let events = wantsToWrite ? POLLIN | POLLOUT : POLLIN
        var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&poller, 1, 0) > 0
    }

    private var reasonOfEnd: String {
        uniqueName == nil
            ? "the bus ended the connection before it had let us in"
            : "the bus ended the connection"
    }
}

extension BusConnection {
    /// The next message that was read; nil if there is none.
    ///
    /// A reply that cannot be represented comes as an error, so that nobody waits for it in vain.
    package func next() -> BusMessage? {
        while let source = handle.next() {
            if let message = read(source), !isOurs(message) { return message }
        }
        return nil
    }

    private func read(_ source: borrowing MessageHandle) -> BusMessage? {
        do {
            return try MessageReader.message(source)
        } catch {
            undecodable += 1
            return Self.substitute(source)
        }
    }

    private static func substitute(_ source: borrowing MessageHandle) -> BusMessage? {
        guard var message = source.header, message.replySerial != 0 else { return nil }
        message.kind = .error
        message.errorName = message.errorName ?? BusError.inconsistentMessage
        message.body = [.string("the reply holds what cannot be represented")]
        return message
    }

    /// Takes in what concerns the connection itself.
    private func isOurs(_ message: BusMessage) -> Bool {
        if message.interface == "org.freedesktop.DBus.Local" { return true }
        guard hello != 0, message.replySerial == hello else { return false }
        hello = 0
        switch message.kind {
        case .error:
            failure = BusError(
                name: message.errorName ?? "", text: message.body.first?.text ?? "")
        case .reply, .call, .signal:
            uniqueName = message.body.first?.text
        }
        return true
    }
}
