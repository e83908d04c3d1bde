internal import Glibc
internal import Samples
internal import Storage

/// The threads beside the collector: one that writes, one that serves, and a few that read.
struct DaemonThreads {
    private let writer: Writer
    private let workers: WorkerPool
    private let mailbox: Mailbox<Server.Message>
    private let writing: JoinableThread
    private var reading: [JoinableThread] = []
    private let serving: JoinableThread

    /// Starts them all; the socket's name appears last.
    init(
        _ facts: DaemonFacts, _ store: StoreFile, socketPath: String,
        _ configuration: Configuration, reload: @escaping @Sendable () -> Configuration?
    ) throws(SystemError) {
        let mailbox = try Mailbox<Server.Message>()
        let writer = try Writer(epoch: store.epoch, newest: store.newest)
        let workers = try WorkerPool(
            storePath: store.path, writer, answers: mailbox, reload: reload)
        let socket = try SocketFile(socketPath)
        self.mailbox = mailbox
        self.writer = writer
        self.workers = workers
        writing = try JoinableThread("writer") {
            Self.write(writer, store, mailbox, configuration.commitInterval)
        }
        serving = try JoinableThread("server") {
            Server(
                facts, configuration.access, socket: socket, writer: writer, workers: workers,
                mailbox: mailbox
            ).run()
        }
        if !store.wasClosed { workers.post(.check) }
        for _ in 0..<WorkerPool.size {
            reading.append(try JoinableThread("reader") { workers.work() })
        }
    }

    private static func write(
        _ writer: Writer, _ store: StoreFile, _ answers: Mailbox<Server.Message>,
        _ commitInterval: Int64
    ) {
        do throws(StorageError) {
            let writing = try StoreWriter(path: store.path, newEpoch: store.epoch)
            var loop = WriterLoop(
                writer, writing, path: store.path, answers: answers,
                commitInterval: commitInterval)
            loop.run()
        } catch {
            Log.write(.failure, "the store cannot be written: \(error)")
            exit(70)
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
