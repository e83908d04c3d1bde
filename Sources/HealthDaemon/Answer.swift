internal import ControlProtocol
internal import Measurements
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

/// A part of a reply.
struct AnswerPart: Sendable {
    /// The lines of this part.
    var text: [UInt8] = []
    /// What comes next.
    var outcome: Outcome

    /// What comes after a part.
    enum Outcome: Sendable {
        /// More parts.
        case more(any Answer)
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
        if isReadOnly {
            return ProtocolError(.readOnly, "the store cannot be written: \(description)")
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
