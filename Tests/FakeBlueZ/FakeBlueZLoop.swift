import DBus
import DaemonHarness
import Foundation

/// The thread of a fake bluetoothd, and the lock that it shares with a test.
final class FakeBlueZLoop: @unchecked Sendable {
    // Unchecked: all that follows is used only while `lock` is held.
    private let lock = NSCondition()
    private var world = World()
    private var connection: BusConnection?
    private var answers: [UInt32: (inout World, BusMessage) -> Void] = [:]
    /// What came while it hung.
    private var unread: [BusMessage] = []
    private var isHanging = false
    private var isEnding = false
    /// A pair of sockets: an octet into one wakes the thread, which waits for the other.
    private var alarm: [Int32] = [-1, -1]

    deinit { alarm.forEach { close($0) } }

    /// Starts the thread.
    ///
    /// - Throws: An error of the system.
    func start() throws {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &alarm) == 0 else {
            throw HarnessError.system("socketpair")
        }
        let thread = Thread { [self] in
            while let (pollers, timeout) = turn() {
                var pollers = pollers
                poll(&pollers, nfds_t(pollers.count), timeout)
            }
        }
        thread.start()
    }

    /// Ends the thread.
    func end() {
        locked { isEnding = true }
    }

    /// Changes the world and sends what comes of it.
    func change<Result>(_ body: (inout World) throws -> Result) rethrows -> Result {
        try locked { try body(&world) }
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        world.now = .now
        defer {
            flush()
            lock.broadcast()
            ring()
        }
        return try body()
    }

    /// Waits until something is true of the world, and returns it.
    ///
    /// - Throws: An error if it does not come true for longer than patience lasts.
    func wait<Result>(for what: String, _ find: (World) throws -> Result?) throws -> Result {
        let deadline = Date(timeIntervalSinceNow: patience)
        lock.lock()
        defer { lock.unlock() }
        while true {
            if let found = try find(world) { return found }
            guard lock.wait(until: deadline) else {
                let calls = world.calls.suffix(20).map { "\($0.member) \($0.path)" }
                throw HarnessError("did not come: \(what); the last calls: \(calls)")
            }
        }
    }

    /// Calls an object of a client, and waits for its answer.
    func ask(_ question: BusMessage) throws -> BusMessage {
        var answer: BusMessage?
        change { world in world.outbox.append(.call(question) { _, reply in answer = reply }) }
        return try wait(for: "an answer to \(question.member ?? "")") { _ in answer }
    }

    private func ring() {
        var one: UInt8 = 1
        _ = Foundation.send(alarm[0], &one, 1, 0)
    }
}

extension FakeBlueZLoop {
    /// Does what can be done now; nil when it is to end.
    private func turn() -> ([pollfd], Int32)? {
        lock.lock()
        defer { lock.unlock() }
        guard !isEnding else {
            connection = nil
            return nil
        }
        var octets = [UInt8](repeating: 0, count: 64)
        while recv(alarm[1], &octets, 64, 0) > 0 {}
        exchange()
        if !isHanging { world.catchUp() }
        flush()
        lock.broadcast()
        return (pollers, timeout)
    }

    private func exchange() {
        guard let connection else { return }
        if !connection.exchange() { self.connection = nil }
        while let message = connection.next() {
            if isHanging { unread.append(message) } else { take(message) }
        }
    }

    private func take(_ message: BusMessage) {
        world.now = .now
        if let answer = answers.removeValue(forKey: message.replySerial) {
            answer(&world, message)
        } else {
            world.handle(message)
        }
    }

    private func flush() {
        for outgoing in world.outbox {
            switch outgoing {
            case .message(let message): connection?.send(message)
            case .call(let message, let then):
                if let serial = connection?.send(message) { answers[serial] = then }
            }
        }
        world.outbox = []
    }

    private var pollers: [pollfd] {
        let alarm = pollfd(fd: alarm[1], events: Int16(POLLIN), revents: 0)
        guard let connection else { return [alarm] }
        let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        return [alarm, pollfd(fd: connection.descriptor, events: Int16(events), revents: 0)]
    }

    private var timeout: Int32 {
        guard !isHanging, let due = world.plans.map(\.due).min() else { return -1 }
        let left = ContinuousClock.now.duration(to: due)
        return Int32(clamping: left.components.seconds * 1000)
            + Int32(max(0, left.components.attoseconds) / 1_000_000_000_000_000) + 1
    }
}

/// Life on the bus.
extension FakeBlueZLoop {
    /// Connects, owns org.bluez, and shows the objects.
    func appear(on bus: PrivateBus) throws {
        let connection = try BusConnection(address: bus.address)
        let rule = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'"
        var isOwned = false
        locked {
            self.connection = connection
            world.outbox = [
                .call(Self.askBus("AddMatch", [.string(rule)])) { _, _ in },
                Self.ask(forName: "org.bluez") { world in
                    isOwned = true
                    world.restart()
                },
            ]
        }
        try wait(for: "the objects") { isOwned && $0.plans.isEmpty ? () : nil }
        if change({ $0.isClockSynchronised }) != nil { ownClock() }
    }

    /// Owns the name of systemd-timedated, too.
    func ownClock() {
        change { $0.outbox.append(Self.ask(forName: "org.freedesktop.timedate1") { _ in }) }
    }

    /// Asks for a name until it is ours: a busy bus may not have seen yet that its last owner is gone.
    private static func ask(
        forName name: String, then: @escaping (inout World) -> Void
    ) -> World.Outgoing {
        .call(askBus("RequestName", [.string(name), .uint32(4)])) { world, answer in
            let isOwned = [1, 4].contains(answer.body.first?.integer)
            if isOwned { then(&world) } else { world.outbox.append(ask(forName: name, then: then)) }
        }
    }

    private static func askBus(_ member: String, _ arguments: [BusValue]) -> BusMessage {
        .call(
            to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, arguments)
    }

    /// Leaves the bus without a word; what was said before is sent.
    func vanish() {
        locked {
            flush()
            while connection?.wantsToWrite == true { _ = connection?.exchange() }
            world.endOfProcess()
            connection = nil
            answers = [:]
            unread = []
            isHanging = false
        }
    }

    /// Keeps the name and answers nothing, or goes on with what came meanwhile.
    func setHanging(_ isHanging: Bool) {
        locked {
            self.isHanging = isHanging
            guard !isHanging else { return }
            for message in unread { take(message) }
            unread = []
        }
    }
}
