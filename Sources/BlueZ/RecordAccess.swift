package import DBus
internal import Measurements

/// The fetching of a pulse oximeter's stored records on one link, and their deletion where that is wanted.
///
/// ```
/// idle ─► count ─ 0 ─────────────────────────────────────────────────────► done
///           └─ n ─► report ─ response ─► (kept on the disk ─► count again ─► delete) ─► done
/// each procedure: write, reply and response in any order; 30 s without a sign ─► dead until the next link
/// refused for want of a CCCD ─► arm once more; for a procedure that runs ─► abort it once
/// ```
/// Source: Pulse Oximeter Profile 1.0.1, Record Access Control Point; GATT Specification Supplement.
package struct RecordAccess {
    /// What comes in.
    package enum Event: Equatable, Sendable {
        /// The link is up and both characteristics are armed.
        case begin
        /// What became of the write.
        case written(BusError?)
        /// A value of the Record Access Control Point.
        case response([UInt8])
        /// A value of the PLX Spot-Check Measurement.
        case record([UInt8])
        /// Both characteristics were armed once more.
        case armed
        /// Everything that was collected is on the disk, or could not be written.
        case persisted(Bool)
        /// The link is gone, and this is over with it.
        case linkLost
        /// `nextDeadline` has come.
        case deadline
    }

    /// What is to be done, in order.
    package enum Action: Equatable, Sendable {
        /// Write the control point, with a response.
        case write([UInt8])
        /// Arm the control point and the records once more.
        case arm
        /// Put everything that was collected on the disk.
        case persist
        /// Keep in the ledger.
        case note(LedgerEntry.Event, String)
        /// It is over on this link, and the sensor is free for other things.
        case finished
    }

    enum Operation: UInt8 {
        case report = 1
        case delete = 2
        case abort = 3
        case count = 4

        /// What is written: of all records, except that an abort has no operator.
        var request: [UInt8] { [rawValue, self == .abort ? 0 : 1] }
    }

    /// A procedure that was written.
    struct Procedure: Equatable {
        let operation: Operation
        /// Whether the write was answered: the response, and records, can come before.
        var isWritten = false
        var response: RecordAccessControlPoint.Operand?
        var until: Int64
    }

    enum State: Equatable {
        case idle
        case running(Procedure)
        /// bluetoothd was busy: the write is repeated.
        case pausing(Operation, until: Int64)
        case arming(Operation, until: Int64)
        case persisting
        case over
    }

    /// How long the sensor may say nothing.
    static let patience: Int64 = 30_000
    /// The records that one report may bring: their number has 16 bits.
    static let recordLimit = 65_535

    let deletesStoredRecords: Bool
    var state = State.idle
    /// What the sensor counted; nil if it cannot count.
    var counted: Int?
    var received = 0
    /// How many of these said that they come from the memory.
    var saidStored = 0
    /// Whether a record came that the report does not account for: then nothing is deleted.
    var hasStray = false
    /// Whether the report is over; the next count is the one before deleting.
    var hasToldFetched = false
    var hasArmed = false
    var hasAborted = false
    /// What was refused because another procedure ran.
    var blocked: Operation?
    var pauses = 0

    /// A link on which nothing was asked yet.
    package init(deletesStoredRecords: Bool) {
        self.deletesStoredRecords = deletesStoredRecords
    }

    /// Whether records are being fetched now: a stop waits for that.
    package var isRunning: Bool { state != .idle && state != .over }

    /// When `Event.deadline` is due, on the clock of `Moment.boot`; nil if nothing is waited for.
    package var nextDeadline: Int64? {
        switch state {
        case .running(let procedure): procedure.until
        case .pausing(_, let until), .arming(_, let until): until
        case .idle, .persisting, .over: nil
        }
    }

    /// Takes an event in and says what is to be done, in order.
    package mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        switch event {
        case .begin: return state == .idle ? write(.count, at: now.boot) : []
        case .written(let error): return written(error, at: now.boot)
        case .response(let octets): return responded(octets, at: now.boot)
        case .record(let octets): return took(octets, at: now.boot)
        case .armed:
            guard case .arming(let operation, _) = state else { return [] }
            return write(operation, at: now.boot)
        case .persisted(let isKept): return persisted(isKept, at: now.boot)
        case .linkLost: return lost()
        case .deadline: return due(at: now.boot)
        }
    }
}

// MARK: - News

extension RecordAccess {
    mutating func write(_ operation: Operation, at now: Int64) -> [Action] {
        state = .running(Procedure(operation: operation, until: now + Self.patience))
        return [.write(operation.request)]
    }

    private mutating func written(_ error: BusError?, at now: Int64) -> [Action] {
        guard case .running(var procedure) = state, !procedure.isWritten else { return [] }
        if let error, procedure.response == nil, error.name != BusError.noReply {
            return refused(procedure.operation, error, at: now)
        }
        procedure.isWritten = true
        procedure.until = now + Self.patience
        return settle(procedure, at: now)
    }

    private mutating func responded(_ octets: [UInt8], at now: Int64) -> [Action] {
        guard case .running(var procedure) = state, procedure.response == nil,
            let value = try? RecordAccessControlPoint(decoding: octets)
        else { return [] }
        switch value.operand {
        case .filter: return []
        case .count: guard procedure.operation == .count else { return [] }
        case .response(let request, _):
            guard request == procedure.operation.rawValue else { return [] }
        }
        procedure.response = value.operand
        return settle(procedure, at: now)
    }

    /// A procedure is over when both its reply and its response are there.
    private mutating func settle(_ procedure: Procedure, at now: Int64) -> [Action] {
        guard procedure.isWritten, let response = procedure.response else {
            state = .running(procedure)
            return []
        }
        return finish(procedure.operation, response, at: now)
    }

    private mutating func took(_ octets: [UInt8], at now: Int64) -> [Action] {
        guard case .running(var procedure) = state, procedure.operation == .report,
            procedure.response == nil, received < Self.recordLimit
        else {
            hasStray = true
            return []
        }
        received += 1
        if Self.saysStored(octets) { saidStored += 1 }
        procedure.until = now + Self.patience
        state = .running(procedure)
        return []
    }

    /// A record may say by its status that it comes from the memory; a live one never does.
    private static func saysStored(_ octets: [UInt8]) -> Bool {
        let value = try? PLXSpotCheckMeasurement(decoding: octets)
        return value?.measurementStatus?.contains(.fromMeasurementStorage) ?? false
    }

    private mutating func lost() -> [Action] {
        let isCut = isRunning && received > 0 && !hasToldFetched
        state = .over
        return isCut ? [.note(.recordsFetched, "\(received)\(ofCounted), then the link ended")] : []
    }

    private mutating func due(at now: Int64) -> [Action] {
        guard let due = nextDeadline, due <= now else { return [] }
        switch state {
        case .idle, .persisting, .over: return []
        case .pausing(let operation, _): return write(operation, at: now)
        case .arming: return give(up: "they could not be armed", at: now)
        case .running(var procedure):
            guard procedure.response != nil else {
                return give(up: "the sensor did not answer in 30 s", at: now)
            }
            procedure.isWritten = true
            return settle(procedure, at: now)
        }
    }
}
