package import DBus
import DaemonHarness
import Foundation

/// A client of a bus that waits for what it asks for, as tests may.
package final class BusClient {
    /// The connection under it.
    package let connection: BusConnection
    /// The signals and calls that came while replies were waited for.
    package private(set) var others: [BusMessage] = []

    private let bus: PrivateBus

    /// Connects, and waits until the bus has let it in.
    package init(_ bus: PrivateBus) throws {
        self.bus = bus
        connection = try BusConnection(address: bus.address)
        while connection.uniqueName == nil { try turn() }
    }

    /// Its unique name on the bus.
    package var name: String { connection.uniqueName ?? "" }

    /// Calls a method and waits for its answer.
    ///
    /// - Throws: The error that answers the call, or that the bus is gone.
    package func call(_ message: BusMessage) throws -> [BusValue] {
        let serial = connection.send(message)
        guard serial != 0 else { throw HarnessError("\(message) cannot be sent") }
        while true {
            if let place = others.firstIndex(where: { $0.replySerial == serial }) {
                return try others.remove(at: place).answer
            }
            try turn()
        }
    }

    /// The first signal or call that fits, also one that came before; it is taken out.
    package func first(where isWanted: (BusMessage) -> Bool) throws -> BusMessage {
        while true {
            if let place = others.firstIndex(where: isWanted) { return others.remove(at: place) }
            try turn()
        }
    }

    /// Calls a method of the bus itself.
    @discardableResult
    package func askBus(_ member: String, _ arguments: BusValue...) throws -> [BusValue] {
        let bus = "org.freedesktop.DBus"
        return try call(
            .call(
                to: bus, path: "/org/freedesktop/DBus", interface: bus, member: member, arguments))
    }

    /// Waits until the bus has read all that was sent.
    package func flush() throws {
        while connection.exchange(), connection.wantsToWrite { try wait() }
    }

    private func turn() throws {
        let isOpen = connection.exchange()
        let count = others.count
        while let message = connection.next() { others.append(message) }
        if let failure = connection.failure, others.count == count { throw failure }
        guard isOpen, others.count == count else { return }
        try wait()
    }

    private func wait() throws {
        let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        var poller = pollfd(fd: connection.descriptor, events: Int16(events), revents: 0)
        guard poll(&poller, 1, Int32(patience * 1000)) > 0 else {
            throw HarnessError("nothing comes from the bus")
        }
    }
}

extension BusMessage {
    /// What a reply says, or the error that it is.
    package var answer: [BusValue] {
        get throws(BusError) {
            guard kind == .error else { return body }
            throw BusError(name: errorName ?? "", text: body.first?.text ?? "")
        }
    }
}
