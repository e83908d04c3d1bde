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
        /// Check that the store is whole.
        case check
        /// Read the configuration again.
        case reload
        /// End.
        case stop
    }

    /// Most questions take microseconds; more threads than this only wait for each other.
    static let size = 4

    private let jobs = Mutex<[Job]>([])
    private let signal: Int32
    private let storePath: String
    private let writer: Writer
    private let reload: @Sendable () -> Configuration?
    private let answers: Mailbox<Server.Message>

    /// Readers of the store at `storePath`; `reload` reads the configuration, or tells what is wrong.
    init(
        storePath: String, _ writer: Writer, answers: Mailbox<Server.Message>,
        reload: @escaping @Sendable () -> Configuration?
    ) throws(SystemError) {
        self.reload = reload
        self.writer = writer
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

    /// Has every worker end after what it has in hand; what nobody has begun is dropped.
    func stop() {
        jobs.withLock { $0 = [] }
        for _ in 0..<Self.size { post(.stop) }
    }

    /// Works until told to stop; runs on each worker's thread.
    func work() {
        var store: StoreReader?
        var generation = writer.generation
        while true {
            let job = next()
            if generation != writer.generation {
                store = nil
                generation = writer.generation
            }
            switch job {
            case .answer(let connection, let answer):
                answers.post(.answered(connection, part(of: answer, from: &store)))
            case .parse(let connection, let session, let octets, let isEnd):
                answers.post(.replayParsed(connection, session.feed(octets, isEnd: isEnd)))
            case .check: check(&store)
            case .reload:
                if let configuration = reload() { answers.post(.reloaded(configuration)) }
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
            _ = reader.takeMissed()  // what another answer met
            defer { noteDamagedBlocks(reader) }
            return try answer.nextPart(from: reader, now: Clock.now)
        } catch {
            noteDamage(error)
            return AnswerPart(failure: error.reply)
        }
    }

    /// Says when a reader meets damage; what can be written still is.
    private func noteDamage(_ error: AnswerError) {
        guard case .storage(let error) = error, error.isDamage, writer.noteDamage(error) else {
            return
        }
        Log.write(.failure, "\(error.reply.text); what can be read and written still is")
    }

    /// Says once of each damaged block that a reader met what is lost.
    private func noteDamagedBlocks(_ reader: StoreReader) {
        let damaged = reader.damagedBlocks
        guard !damaged.isEmpty else { return }
        for block in writer.note(damaged) {
            Log.write(
                .failure,
                "the store is damaged: \(block.count) readings of stream \(block.stream) from "
                    + "\(block.quarter.start.text()) on are lost; all others are served")
        }
    }

    /// Goes through the store's pages after a daemon that did not end in order.
    private func check(_ store: inout StoreReader?) {
        do throws(AnswerError) {
            let reader = try Self.reader(&store, storePath)
            let finding = try asking { () throws(StorageError) in try reader.damage() }
            guard let finding else { return }
            noteDamage(.storage(StorageError(code: 11, message: finding)))
        } catch {
            noteDamage(error)
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
