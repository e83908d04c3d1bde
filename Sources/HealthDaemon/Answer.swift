internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// A reply in the making: a value that yields one short part after another.
///
/// Between two parts it holds nothing of the store, so that a client that does not read costs nobody
/// anything.
protocol Answer: Sendable {
    /// Makes the next part.
    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart
}

/// An answer without an end: it waits for what comes, until the client asks for something else.
protocol WaitingAnswer: Answer {
    /// Whether there is something to tell.
    func hasNews(in writer: Writer) -> Bool
    /// Whether something must be told before the end that a request has asked for.
    func hasRest() -> Bool
    /// How often it says that it still waits, in ms.
    var heartbeat: Int64? { get }
    /// The line that says so.
    func heartbeatLine(_ now: Instant) -> String
    /// What its last line says, behind so many records.
    func endDetails(_ records: Int) -> [(key: String, value: String)]
}

/// An answer that has something written to the store on its way.
protocol WritingAnswer: Answer {
    /// Takes in what the writer has done.
    mutating func take(_ result: StoreResult)
}

/// An answer that also tells how the sensors fare.
protocol RadioAnswer: Answer {
    /// How they fare; nil if healthd reads no sensors, or if the collector did not say it in time.
    var radio: RadioReport? { get set }
}

/// Something for the writer to do for an answer.
enum StoreJob: Sendable {
    /// Delete readings.
    case delete([Int64])
    /// Delete what streams have sent in a span of time.
    case deleteSpan(streams: [Int64], DateInterval)
    /// Say whose the readings of a device in a span are.
    case assign(SourceDevice, from: Instant, until: Instant, to: String)
    /// Make everything durable, and the file small.
    case checkpoint
    /// Have everything summed up anew.
    case outdateSummaries
    /// Sum some of it up anew.
    case renewSummaries
}

/// What became of a job.
enum StoreResult: Sendable {
    /// Readings are gone.
    case deleted(DeletionTally)
    /// It is done, and on the disk up to this seq.
    case done(seq: Int64)
    /// Some of a long piece of work is done.
    case going
}

/// A part of a reply.
struct AnswerPart: Sendable {
    /// The lines of this part.
    var text: [UInt8] = []
    /// Records among the lines.
    var records = 0
    /// What comes next.
    var outcome: Outcome

    /// What comes after a part.
    enum Outcome: Sendable {
        /// More parts.
        case more(any Answer)
        /// More parts, once there is something new.
        case wait(any WaitingAnswer)
        /// More parts, once the writer has done something.
        case write(StoreJob, any WritingAnswer)
        /// The end, with these details.
        case ok([(key: String, value: String)])
        /// The end, with this failure.
        case failure(ProtocolError)
    }

    /// A part that more follow.
    init(_ text: [UInt8] = [], then answer: any Answer) {
        self.text = text
        outcome = .more(answer)
    }

    /// A part that more follow when there is something new.
    init(_ text: [UInt8], waiting answer: any WaitingAnswer) {
        self.text = text
        outcome = .wait(answer)
    }

    /// A part that more follow when the writer has done something.
    init(_ text: [UInt8] = [], after job: StoreJob, then answer: any WritingAnswer) {
        self.text = text
        outcome = .write(job, answer)
    }

    /// The last part.
    init(last text: [UInt8] = [], _ details: [(key: String, value: String)] = []) {
        self.text = text
        outcome = .ok(details)
    }

    /// The end by a failure.
    init(failure: ProtocolError) {
        outcome = .failure(failure)
    }
}

/// Why an answer ends early: the request's fault, or the store's.
enum AnswerError: Error {
    case request(ProtocolError)
    case storage(StorageError)

    /// The failure that the client is told.
    var reply: ProtocolError {
        switch self {
        case .request(let error): error
        case .storage(let error): error.reply
        }
    }
}

extension StorageError {
    /// What a client is told of it.
    var reply: ProtocolError {
        if isDamage {
            return ProtocolError(.storeDamaged, "the store is damaged: \(description)")
        }
        if isFull {
            return ProtocolError(
                .storeFull, "the disk that holds the store is full; make room and try again")
        }
        if isFileSystemReadOnly {
            return ProtocolError(
                .readOnly,
                "the file system that holds the store is read-only, as after an error of the disk: "
                    + "see `dmesg`, and mount it for writing")
        }
        if isReadOnly {
            return ProtocolError(.readOnly, "the store cannot be written: \(description)")
        }
        if isDiskFailure {
            return ProtocolError(
                .internal, "the disk that holds the store fails, see `dmesg`: \(description)")
        }
        if isBusy {
            return ProtocolError(.busy, "another program holds the store; try again")
        }
        return ProtocolError(.internal, "the store failed: \(description)")
    }
}

/// Runs something on the store, with its failure as an answer's.
func asking<Result>(
    _ body: () throws(StorageError) -> Result
) throws(AnswerError) -> Result {
    do throws(StorageError) {
        return try body()
    } catch {
        throw .storage(error)
    }
}
