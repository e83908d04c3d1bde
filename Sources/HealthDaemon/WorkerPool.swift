internal import CLinux
internal import ControlProtocol
internal import Glibc
internal import Measurements
internal import Storage
internal import Synchronization

/// A few threads that read the store for clients, each with a connection of its own.
final class WorkerPool: Sendable {
    /// Something for a worker to do.
    enum Job: Sendable {
        /// Make the next part of an answer.
        case answer(ConnectionID, any Answer)
        /// Read a piece of a recording.
        case parse(ConnectionID, ReplaySession, [UInt8], isEnd: Bool)
        /// End.
        case stop
    }

    /// Most questions take microseconds; more threads than this only wait for each other.
    static let size = 4

    private let jobs = Mutex<[Job]>([])
    private let signal: Int32
    private let storePath: String
    private let answers: Mailbox<Server.Message>

    init(storePath: String, answers: Mailbox<Server.Message>) throws(SystemError) {
        signal = clinux_semaphore()
        guard signal >= 0 else { throw SystemError("cannot make an eventfd") }
        self.storePath = storePath
        self.answers = answers
    }

    deinit { close(signal) }

    /// Gives some worker something to do.
    func post(_ job: Job) {
        jobs.withLock { $0.append(job) }
        var one: UInt64 = 1
        _ = write(signal, &one, 8)
    }

    /// Works until told to stop; runs on each worker's thread.
    func work() {
        var store: StoreReader?
        while true {
            switch next() {
            case .answer(let connection, let answer):
                answers.post(.answered(connection, part(of: answer, from: &store)))
            case .parse(let connection, let session, let octets, let isEnd):
                answers.post(.replayParsed(connection, session.feed(octets, isEnd: isEnd)))
            case .stop: return
            }
        }
    }

    private func next() -> Job {
        var count: UInt64 = 0
        while read(signal, &count, 8) != 8 {}
        return jobs.withLock { $0.isEmpty ? .stop : $0.removeFirst() }
    }

    private func part(of answer: any Answer, from store: inout StoreReader?) -> AnswerPart {
        var answer = answer
        do throws(AnswerError) {
            let reader = try Self.reader(&store, storePath)
            return try answer.nextPart(from: reader, now: Clock.now)
        } catch {
            return AnswerPart(failure: error.reply)
        }
    }

    private static func reader(
        _ store: inout StoreReader?, _ path: String
    ) throws(AnswerError) -> StoreReader {
        if let store { return store }
        do throws(StorageError) {
            let reader = try StoreReader(path: path)
            store = reader
            return reader
        } catch {
            throw AnswerError.storage(error)
        }
    }
}
