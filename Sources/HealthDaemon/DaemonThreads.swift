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
        _ facts: DaemonFacts, _ store: StoreFile, socketPath: String, commitInterval: Int64
    ) throws(SystemError) {
        let mailbox = try Mailbox<Server.Message>()
        let writer = try Writer(epoch: store.epoch, newest: store.newest)
        let workers = try WorkerPool(storePath: store.path, answers: mailbox)
        let socket = try SocketFile(socketPath)
        self.mailbox = mailbox
        self.writer = writer
        self.workers = workers
        writing = try JoinableThread("writer") {
            Self.write(writer, store, mailbox, commitInterval)
        }
        serving = try JoinableThread("server") {
            Server(facts, socket: socket, writer: writer, workers: workers, mailbox: mailbox).run()
        }
        for _ in 0..<WorkerPool.size {
            reading.append(try JoinableThread("reader") { workers.work() })
        }
    }

    private static func write(
        _ writer: Writer, _ store: StoreFile, _ answers: Mailbox<Server.Message>,
        _ commitInterval: Int64
    ) {
        do throws(StorageError) {
            let store = try StoreWriter(path: store.path, newEpoch: store.epoch)
            try store.beginSegment(
                boot: Clock.bootID, bootMilliseconds: Clock.bootMilliseconds, wall: Clock.now)
            try store.commit()
            var loop = WriterLoop(writer, store, answers: answers, commitInterval: commitInterval)
            loop.run()
        } catch {
            Log.write(.failure, "the store cannot be written: \(error)")
            exit(70)
        }
    }

    /// Ends serving, then reading and writing; what has come in is durable afterwards.
    func stop() {
        mailbox.post(.stop)
        serving.join()
        for _ in reading { workers.post(.stop) }
        for thread in reading { thread.join() }
        writer.mailbox.post(.stop)
        writing.join()
    }
}
