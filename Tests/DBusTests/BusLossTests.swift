import DBus
import DaemonHarness
import FakeBlueZ
import Foundation
import Testing

@Suite(.serialized) struct BusLossTests {
    /// Turns a connection until it is gone, waiting as a loop does.
    private func turnToTheEnd(_ connection: BusConnection) -> [BusMessage] {
        var messages: [BusMessage] = []
        while connection.exchange() {
            while let message = connection.next() { messages.append(message) }
            var poller = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, 1000)
        }
        while let message = connection.next() { messages.append(message) }
        return messages
    }

    @Test("A5: a bus that is killed ends the connection and nothing else")
    func aBusThatIsKilledEndsTheConnection() throws {
        let pair = try Pair()
        pair.bus.kill()
        #expect(turnToTheEnd(pair.left.connection).allSatisfy { $0.member != "Disconnected" })
        #expect(pair.left.connection.failure?.name == BusError.disconnected)
        #expect(pair.left.connection.descriptor == -1)
        #expect(pair.left.connection.send(pair.call()) == 0)
        #expect(!pair.left.connection.wantsToWrite)
        try pair.bus.start()
        #expect(try BusClient(pair.bus).askBus("GetId").count == 1)
    }

    @Test("A5: what came before the end of the bus is not lost with it")
    func whatCameBeforeTheEndIsNotLost() throws {
        let pair = try Pair()
        try pair.right.askBus("GetId")  // nothing waits to be read any more
        pair.left.connection.send(pair.notice(0))
        try waitUntil { pair.right.connection.arrived > 0 }
        let size = pair.right.connection.arrived
        for number in 1..<100 { pair.left.connection.send(pair.notice(number)) }
        try pair.left.flush()
        try waitUntil { pair.right.connection.arrived == 100 * size }
        pair.bus.kill()
        let numbers = turnToTheEnd(pair.right.connection).filter { $0.member == "Z" }
        #expect(numbers.map { $0.body.first?.integer } == Array(0..<100))
    }

    @Test(
        "A1: nobody at the address is an error at once",
        arguments: [
            "unix:path=/nonexistent/bus", "unix:path=/", "nonsense", "", "unix:path=/tmp,guid=xyz",
        ])
    func nobodyAtTheAddressIsAnError(address: String) {
        #expect(throws: BusError.self) { try BusConnection(address: address) }
    }

    @Test("A4: a bus that hangs keeps nobody waiting, and lets us in when it goes on")
    func aBusThatHangsKeepsNobodyWaiting() throws {
        let bus = try PrivateBus()
        bus.freeze()
        let connection = try BusConnection(address: bus.address)
        #expect(connection.exchange())
        #expect(connection.exchange())
        // Nothing to write: a loop sleeps until the bus says something.
        #expect(!connection.wantsToWrite)
        var poller = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&poller, 1, 0) == 0)
        #expect(connection.send(.call(to: "a.b", path: "/", interface: "a.b", member: "C")) != 0)
        bus.thaw()
        while connection.uniqueName == nil {
            poll(&poller, 1, Int32(patience * 1000))
            try #require(connection.exchange())
            while connection.next() != nil {}
        }
        #expect(connection.uniqueName?.hasPrefix(":") == true)
    }

    @Test("A4: calls to a bus that hangs are refused before they fill the memory")
    func callsToABusThatHangsAreRefusedInTheEnd() throws {
        let pair = try Pair()
        pair.bus.freeze()
        let call = pair.call([.octets([UInt8](repeating: 0, count: 1 << 20))])
        let accepted = (0..<100).prefix { _ in pair.left.connection.send(call) != 0 }
        #expect((1..<20).contains(accepted.count))
        #expect(pair.left.connection.wantsToWrite)
        #expect(pair.left.connection.exchange())
        pair.bus.thaw()
        try pair.left.flush()
        for _ in accepted { _ = try pair.right.first { $0.member == "Z" } }
        #expect(pair.left.connection.send(call) != 0)
    }

    @Test("A7: what a policy forbids is an error by its name, and the connection stays")
    func whatAPolicyForbidsIsAnErrorByItsName() throws {
        let bus = try PrivateBus(policy: "<deny send_destination=\"org.bluez\"/>")
        let client = try BusClient(bus)
        let owner = try BusClient(bus)
        try owner.askBus("RequestName", .string("org.bluez"), .uint32(0))
        let call = BusMessage.call(
            to: "org.bluez", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
        let error = #expect(throws: BusError.self) { try client.call(call) }
        #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
        #expect(try client.askBus("GetId").count == 1)
    }

    @Test("A7: a bus that does not let us in says so")
    func aBusThatDoesNotLetUsInSaysSo() throws {
        let bus = try PrivateBus(policy: "<deny user=\"*\"/>")
        let connection = try BusConnection(address: bus.address)
        #expect(turnToTheEnd(connection).isEmpty)
        #expect(connection.uniqueName == nil)
        #expect(connection.failure?.text == "the bus ended the connection before it had let us in")
    }

    @Test("A8: a limit of the bus at the door is an error by its name")
    func aLimitAtTheDoorIsAnErrorByItsName() throws {
        let bus = try PrivateBus(limits: ["max_connections_per_user": 1])
        let first = try BusClient(bus)
        let second = try BusConnection(address: bus.address)
        _ = turnToTheEnd(second)
        #expect(second.failure?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
        #expect(try first.askBus("GetId").count == 1)
    }

    @Test("A14: descriptors do not grow over 200 connections")
    func descriptorsDoNotGrowOverManyConnections() throws {
        let bus = try PrivateBus()
        func count() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        _ = try BusClient(bus)
        let before = try count()
        for _ in 0..<200 { _ = try BusClient(bus) }
        // Other suites run in this process at the same time and open some of their own.
        #expect(try count() < before + 100)
    }
}

extension BusConnection {
    /// The octets that wait to be read.
    fileprivate var arrived: Int32 {
        var count: Int32 = 0
        _ = ioctl(descriptor, UInt(FIONREAD), &count)
        return count
    }
}
