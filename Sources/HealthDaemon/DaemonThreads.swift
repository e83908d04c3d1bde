internal import BlueZ
internal import Glibc
internal import Samples
internal import Storage

/// The threads beside the collector: one that writes, one that serves, and a few that read.
struct DaemonThreads {
    private let writer: Writer
    private let workers: WorkerPool
    private let mailbox: Mailbox<Server.Message>
    /// What the other threads ask of the collector.
    let collector: Mailbox<Collector.Message>
    /// Where those who record get what comes through the door.
    let tee: EventTee
    private let writing: JoinableThread
    private var reading: [JoinableThread] = []
    private let serving: JoinableThread

    /// Starts them all; the socket's name appears last.
    init(
        _ facts: DaemonFacts, _ store: StoreFile, socketPath: String,
        _ configuration: Configuration, reload: @escaping @Sendable () -> Configuration?
    ) throws(SystemError) {
        let mailbox = try Mailbox<Server.Message>()
        let collector = try Mailbox<Collector.Message>()
        let writer = try Writer(epoch: store.epoch, newest: store.newest)
        let workers = try WorkerPool(
            storePath: store.path, writer, answers: mailbox, reload: reload)
        let socket = try SocketFile(socketPath)
        let tee = EventTee(wake: { mailbox.post(.advanced) })
        self.tee = tee
        self.mailbox = mailbox
        self.collector = collector
        self.writer = writer
        self.workers = workers
        writing = try JoinableThread("writer") {
            Self.write(writer, store, mailbox, collector, configuration)
        }
        serving = try JoinableThread("server") {
            Server(
                facts, configuration, socket: socket, writer: writer, workers: workers,
                mailbox: mailbox, collector: collector, tee: tee
            ).run()
        }
        if !store.wasClosed { workers.post(.check) }
        for _ in 0..<WorkerPool.size {
            reading.append(try JoinableThread("reader") { workers.work() })
        }
    }

    private static func write(
        _ writer: Writer, _ store: StoreFile, _ answers: Mailbox<Server.Message>,
        _ collector: Mailbox<Collector.Message>, _ configuration: Configuration
    ) {
        do throws(StorageError) {
            let writing = try StoreWriter(path: store.path, newEpoch: store.epoch)
            var loop = WriterLoop(
                writer, writing, path: store.path, answers: answers, collector: collector,
                configuration)
            loop.run()
        } catch {
            Log.write(.failure, "the store cannot be written: \(error)")
            exit(70)
        }
    }

    /// Gives the writer something to do.
    func write(_ message: Writer.Message) { writer.mailbox.post(message) }

    /// Tells the serving thread something.
    func answer(_ message: Server.Message) { mailbox.post(message) }

    /// Has a loop say to the collector that it turns.
    func ask(_ loop: Watchdog.Loop) {
        switch loop {
        case .writer: writer.mailbox.post(.turn)
        case .serving: mailbox.post(.turn)
        }
    }

    /// Has the configuration read again.
    func reload() { mailbox.post(.reload) }

    /// Ends serving, then reading and writing; what has come in is durable afterwards.
    func stop() {
        mailbox.post(.stop)
        serving.join()
        workers.stop()
        for thread in reading { thread.join() }
        writer.mailbox.post(.stop)
        writing.join()
    }
}
