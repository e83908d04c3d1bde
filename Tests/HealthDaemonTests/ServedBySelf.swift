import BlueZ
import DaemonHarness
import Foundation
import Samples
import Storage

@testable import HealthDaemon

/// A server with workers and a writer on a store of its own, whose collector the test plays.
final class ServedBySelf {
    /// What the server asks of the collector.
    let collector: Mailbox<Collector.Message>
    /// What the test tells the server.
    let mailbox: Mailbox<Server.Message>
    private let directory: ScratchDirectory
    private let writer: Writer
    private let workers: WorkerPool
    private var threads: [JoinableThread] = []

    /// Starts it.
    init(
        _ configuration: Configuration = Configuration(),
        source: Configuration.Source = .bluez, fill: (StoreWriter) throws -> Void = { _ in }
    ) throws {
        directory = try ScratchDirectory()
        let path = directory.path("healthd.db")
        let store = try StoreWriter(path: path, newEpoch: "e")
        try store.markOpen()
        try fill(store)
        try store.commit()
        let (mailbox, collector) = (
            try Mailbox<Server.Message>(), try Mailbox<Collector.Message>()
        )
        let writer = try Writer(epoch: "e", newest: store.committed)
        let workers = try WorkerPool(
            storePath: path, writer, answers: mailbox, reload: { nil })
        (self.mailbox, self.collector, self.writer, self.workers) =
            (mailbox, collector, writer, workers)
        let socket = try SocketFile(directory.path("s"))
        let facts = DaemonFacts(
            server: "healthd/test", zone: .utc, source: source, started: Clock.now,
            storePath: path, uid: geteuid())
        let configuration = try Configuration(commitInterval: 600_000)
        threads.append(
            try JoinableThread("writer") {
                do throws(StorageError) {
                    let store = try StoreWriter(path: path, newEpoch: "e")
                    var loop = WriterLoop(
                        writer, store, path: path, answers: mailbox, collector: collector,
                        configuration)
                    loop.run()
                } catch {
                    // Without a writer whoever asks would wait for ever: it ends with a word instead.
                    fatalError("\(error)")
                }
            })
        threads.append(try JoinableThread("reader") { workers.work() })
        threads.append(
            try JoinableThread("server") {
                Server(
                    facts, configuration, socket: socket, writer: writer, workers: workers,
                    mailbox: mailbox, collector: collector, tee: EventTee(wake: {})
                ).run()
            })
    }

    deinit {
        mailbox.post(.stop)
        workers.stop()
        writer.mailbox.post(.stop)
        threads.forEach { $0.join() }
    }

    /// A new connection.
    func connect() throws -> LineClient { try LineClient(path: directory.path("s")) }

    /// The next thing that the server asks of the collector.
    func asked() throws -> Collector.Message {
        while true {
            if let message = waiting.popFirst() { return message }
            collector.wait(until: MonotonicTime.now.advanced(by: 1000))
            waiting = collector.take()[...]
        }
    }

    private var waiting: ArraySlice<Collector.Message> = []

    /// The reply to a request for which the collector reports this.
    func reply(to request: String, with snapshot: RadioSnapshot) throws -> LineReply {
        let client = try connect()
        try client.send("\(request)\n")
        guard case .report(let connection) = try asked() else {
            throw HarnessError("the server does not ask how the sensors fare")
        }
        mailbox.post(
            .reported(
                connection,
                RadioReport(snapshot: snapshot, counters: BusCounters(), pendingCalls: 3)))
        return try client.reply()
    }
}

extension LineReply {
    /// All lines but the last.
    var body: String { lines.joined(separator: "\n") }
}
