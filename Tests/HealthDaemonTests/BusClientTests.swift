import BlueZ
import DBus
import DaemonHarness
import FakeBlueZ
import Testing

@testable import HealthDaemon

/// The way to a bus that comes and goes.
@Suite struct BusClientTests {
    private typealias Client = HealthDaemon.BusClient

    /// Turns the client until it has something that is wanted; time stands still at `now`.
    private func first<Wanted>(
        of client: inout Client, at now: Int64 = 0, _ wanted: (Client.Arrival) -> Wanted?
    ) throws -> Wanted {
        var found: Wanted?
        try waitUntil {
            found = client.turn(at: now).lazy.compactMap(wanted).first
            return found != nil
        }
        return try #require(found)
    }

    private func opened(_ bus: PrivateBus) throws -> Client {
        var client = Client(address: bus.address)
        let name = try first(of: &client) { if case .opened(let name) = $0 { name } else { nil } }
        #expect(name.hasPrefix(":1."))
        return client
    }

    private func error(_ arrival: Client.Arrival) -> BusError? {
        if case .closed(let error) = arrival { error } else { nil }
    }

    private func answer(_ arrival: Client.Arrival) -> Result<[BusValue], BusError>? {
        if case .answer(_, let result) = arrival { result } else { nil }
    }

    private let names = Call(
        to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus", member: "ListNames")

    private func call(_ number: UInt64) -> Client.Purpose { .supervisor(CallID(number: number)) }

    @Test func aCallsAnswerCarriesItsNumber() throws {
        let bus = try PrivateBus()
        var client = try opened(bus)
        defer { bus.kill() }
        client.call(names, for: call(7), at: 0)
        #expect(client.present.pendingCalls == 1)
        let (purpose, body) = try first(of: &client) { arrival in
            if case .answer(let purpose, .success(let body)) = arrival {
                (purpose, body)
            } else {
                nil
            }
        }
        #expect(purpose == call(7))
        #expect(body.first?.elements?.isEmpty == false)
        #expect(client.present.pendingCalls == 0)
    }

    @Test func anErrorComesByName() throws {
        let bus = try PrivateBus()
        var client = try opened(bus)
        defer { bus.kill() }
        let nobody = Call(path: "/", interface: "org.example", member: "None")
        client.call(nobody, for: call(1), at: 0)
        let result = try first(of: &client) { answer($0) }
        guard case .failure(let error) = result else { throw HarnessError("\(result)") }
        #expect(error.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test("A11: a call that nobody answers fails in time, and its late answer is nobody's")
    func aCallThatNobodyAnswersFailsInTime() throws {
        let bus = try PrivateBus()
        var client = try opened(bus)
        bus.freeze()
        client.call(names, for: call(1), at: 1000)
        #expect(client.nextDeadline == 11_000)
        #expect(client.turn(at: 10_999).isEmpty)
        let results = client.turn(at: 11_000).compactMap { answer($0) }
        #expect(results == [.failure(BusError(name: BusError.noReply))])
        #expect(client.counters.timeouts == 1)
        bus.thaw()
        client.call(names, for: call(2), at: 11_000)
        let purpose = try first(of: &client, at: 11_000) { arrival in
            if case .answer(let purpose, _) = arrival { purpose } else { nil }
        }
        #expect(purpose == call(2))
    }

    @Test("A5: a bus that ends is told once, and opened again when it is back")
    func aBusThatEndsIsOpenedAgain() throws {
        let bus = try PrivateBus()
        var client = try opened(bus)
        client.call(names, for: call(1), at: 0)
        bus.kill()
        let lost = try first(of: &client) { error($0) }
        #expect(lost.name == BusError.disconnected)
        #expect(client.present.pendingCalls == 0)
        let retry = try #require(client.nextDeadline)
        #expect((800...1200).contains(retry))
        #expect(client.poller == nil)
        #expect(client.turn(at: retry).compactMap { error($0) }.count == 1)
        let again = try #require(client.nextDeadline)
        #expect((1600...2400).contains(again - retry))
        #expect(client.turn(at: again).isEmpty)
        try bus.start()
        let back = try #require(client.nextDeadline)
        let name = try first(of: &client, at: back) {
            if case .opened(let name) = $0 { name } else { nil }
        }
        #expect(name.hasPrefix(":1."))
        #expect(client.counters.openings == 2)
    }

    @Test("A1: without a bus the reason is told once, and nothing turns")
    func withoutABusTheReasonIsToldOnce() throws {
        var client = Client(address: "unix:path=/tmp/healthd-no-bus")
        var now: Int64 = 0
        var told = 0
        var waits: [Int64] = []
        for _ in 0..<12 {
            told += client.turn(at: now).compactMap { error($0) }.count
            #expect(!client.hasMore)
            let next = try #require(client.nextDeadline)
            waits.append(next - now)
            now = next
        }
        #expect(told == 1)
        #expect(waits.allSatisfy { (800...36_000).contains($0) })
        #expect(waits.suffix(6).allSatisfy { $0 >= 24_000 })
    }

    @Test("A11: a bus that does not let us in is told, and waited for with one connection")
    func aBusThatDoesNotLetUsInIsWaitedFor() throws {
        let bus = try PrivateBus()
        bus.freeze()
        var client = Client(address: bus.address)
        #expect(client.turn(at: 0).isEmpty)
        #expect(client.nextDeadline == 30_000)
        let descriptor = try #require(client.poller?.descriptor)
        let reason = try #require(client.turn(at: 30_000).lazy.compactMap { error($0) }.first)
        #expect(reason.name == BusError.noReply)
        #expect(client.nextDeadline == nil)
        #expect(client.turn(at: 3_600_000).isEmpty)
        #expect(client.poller?.descriptor == descriptor)
        bus.thaw()
        let name = try first(of: &client, at: 3_600_000) {
            if case .opened(let name) = $0 { name } else { nil }
        }
        #expect(name.hasPrefix(":1."))
        #expect(client.poller?.descriptor == descriptor)
    }

    @Test func aBusThatEndsBeforeItLetsUsInIsOpenedAgain() throws {
        let bus = try PrivateBus()
        bus.freeze()
        var client = Client(address: bus.address)
        _ = client.turn(at: 0)
        _ = client.turn(at: 30_000)
        bus.kill()
        let reason = try first(of: &client, at: 40_000) { error($0) }
        #expect(reason.name == BusError.disconnected)
        #expect(client.poller == nil)
        let retry = try #require(client.nextDeadline)
        #expect((40_800...41_200).contains(retry))
    }

    @Test func aBusThatRefusesUsIsToldByItsOwnWord() throws {
        let bus = try PrivateBus(limits: ["max_completed_connections": 0])
        var client = Client(address: bus.address)
        let reason = try first(of: &client) { error($0) }
        #expect(reason.name == "org.freedesktop.DBus.Error.LimitsExceeded")
        #expect(BusTrouble.text(reason).contains(reason.description))
    }

    @Test(
        "A7: who is not allowed on the bus is told what to look at",
        arguments: [
            "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
        ])
    func whoIsNotAllowedOnTheBusIsToldWhatToLookAt(name: String) {
        let text = BusTrouble.text(BusError(name: name, text: "no"))
        #expect(text.contains("does not let healthd in (\(name): no); see its policy"))
    }

    @Test func aCallWithoutABusFailsAtTheNextTurn() {
        var client = Client(address: "unix:path=/tmp/healthd-no-bus")
        _ = client.turn(at: 0)
        client.call(names, for: call(1), at: 0)
        #expect(client.hasMore)
        let results = client.turn(at: 0).compactMap { answer($0) }
        #expect(results == [.failure(BusError(name: BusError.disconnected))])
    }

    @Test func callsDoNotPileUp() throws {
        let bus = try PrivateBus()
        var client = try opened(bus)
        bus.freeze()
        defer { bus.thaw() }
        let limit = PendingCalls<Client.Purpose>.limit
        for number in 0...limit { client.call(names, for: call(UInt64(number)), at: 0) }
        #expect(client.present.pendingCalls == limit)
        let results = client.turn(at: 0).compactMap { answer($0) }
        guard case .failure(let error)? = results.first else { throw HarnessError("\(results)") }
        #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    }
}

@Suite struct PendingCallsTests {
    @Test func eachCallIsTakenOnce() {
        var calls = PendingCalls<String>()
        calls.note(1, "a", deadline: 10)
        #expect(calls.take(1) == "a")
        #expect(calls.take(1) == nil)
        #expect(calls.nextDeadline == nil)
    }

    @Test func theOverdueOnesComeInTheirOrder() {
        var calls = PendingCalls<String>()
        for (serial, deadline) in [(3, 10), (1, 20), (2, 10)] as [(UInt32, Int64)] {
            calls.note(serial, "\(serial)", deadline: deadline)
        }
        #expect(calls.nextDeadline == 10)
        #expect(calls.takeOverdue(at: 9) == [])
        #expect(calls.takeOverdue(at: 10) == ["2", "3"])
        #expect(calls.takeOverdue(at: 10) == [])
        #expect(calls.nextDeadline == 20)
    }
}
