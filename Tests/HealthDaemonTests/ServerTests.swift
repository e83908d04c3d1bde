import DaemonHarness
import Foundation
import Samples
import Testing

@testable import HealthDaemon

@Suite struct ServerTests {
    @Test func aReplyThatIsNotReadyBeginsWithWorking() throws {
        let directory = try ScratchDirectory()
        let idle = try ServerWithoutWorkers(in: directory)
        defer { idle.stop() }
        let client = try LineClient(path: directory.path("s"))
        try client.send("types\n@2 ping\n")
        #expect(try client.line() == "# working")
    }

    @Test func oneSlowReplyHoldsNoOtherConnectionUp() throws {
        let directory = try ScratchDirectory()
        let idle = try ServerWithoutWorkers(in: directory)
        defer { idle.stop() }
        let slow = try LineClient(path: directory.path("s"))
        try slow.send("types\n")
        let client = try LineClient(path: directory.path("s"))
        #expect(try client.request("ping").lines == [])
        #expect(try slow.line() == "# working")
    }

    @Test func whoIsWaitingIsToldOfTheEnd() throws {
        let directory = try ScratchDirectory()
        let idle = try ServerWithoutWorkers(in: directory)
        let client = try LineClient(path: directory.path("s"))
        try client.send("@7 types\n")
        #expect(try client.line() == "# working")
        idle.stop()
        #expect(try client.line()?.hasPrefix("ERR 503 shutting-down @7 : ") == true)
    }
}

/// A server whose answers never become ready.
private struct ServerWithoutWorkers {
    private let mailbox: Mailbox<Server.Message>
    private let thread: JoinableThread

    init(in directory: ScratchDirectory) throws {
        let mailbox = try Mailbox<Server.Message>()
        let collector = try Mailbox<Collector.Message>()
        let writer = try Writer(epoch: "e", newest: 0)
        let workers = try WorkerPool(
            storePath: directory.path("none"), writer, answers: mailbox, reload: { nil })
        let socket = try SocketFile(directory.path("s"))
        let facts = DaemonFacts(
            server: "healthd/test", zone: .utc, source: .none, started: Clock.now,
            storePath: directory.path("none"), uid: geteuid())
        self.mailbox = mailbox
        thread = try JoinableThread("server") {
            Server(
                facts, Configuration(), socket: socket, writer: writer, workers: workers,
                mailbox: mailbox, collector: collector, tee: EventTee(wake: {})
            ).run()
        }
    }

    func stop() {
        mailbox.post(.stop)
        thread.join()
    }
}
