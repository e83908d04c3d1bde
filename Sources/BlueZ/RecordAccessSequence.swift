internal import DBus
internal import Measurements

extension RecordAccess {
    private static let success: UInt8 = 1
    private static let noRecords: UInt8 = 6
    /// Answers of a sensor that can report its records but not count them.
    private static let notSupported: ClosedRange<UInt8> = 2...4

    /// bluetoothd writes one value at a time; it is never busy for longer than these pauses.
    private static let pauseLimit = 5
    private static let pause: Int64 = 200

    /// Goes on after a procedure that has ended.
    mutating func finish(
        _ operation: Operation, _ response: RecordAccessControlPoint.Operand, at now: Int64
    ) -> [Action] {
        switch operation {
        case .count where hasToldFetched: return recounted(response, at: now)
        case .count: return counted(response, at: now)
        case .report: return reported(response, at: now)
        case .delete: return deleted(response)
        case .abort:
            guard let blocked else { return over() }
            return write(blocked, at: now)
        }
    }

    private mutating func counted(
        _ response: RecordAccessControlPoint.Operand, at now: Int64
    ) -> [Action] {
        switch response {
        case .count(let number):
            counted = Int(number)
            return number == 0 ? over() : write(.report, at: now)
        case .response(_, Self.noRecords): return over()
        case .response(_, let code) where Self.notSupported.contains(code):
            return write(.report, at: now)
        case .response(_, let code):
            return give(up: "counting failed: \(Self.words(code))", at: now)
        case .filter: return []
        }
    }

    private mutating func reported(
        _ response: RecordAccessControlPoint.Operand, at now: Int64
    ) -> [Action] {
        let code = response.code
        guard code == Self.success || code == Self.noRecords else {
            return give(up: "\(received)\(ofCounted), then \(Self.words(code))", at: now)
        }
        guard received > 0 || counted != nil else { return over() }
        hasToldFetched = true
        let note = Action.note(.recordsFetched, "\(received)\(ofCounted)" + keepingReason)
        guard isDeletable else { return [note] + over() }
        state = .persisting
        return [note, .persist]
    }

    /// Deleting takes all: only if all were counted, all came, and nothing else did.
    private var isDeletable: Bool {
        deletesStoredRecords && received > 0 && counted == received && !hasStray
            && (saidStored == 0 || saidStored == received)
    }

    private var keepingReason: String {
        guard deletesStoredRecords, !isDeletable else { return "" }
        return counted == nil
            ? "; not deleted, since the sensor cannot count them"
            : "; not deleted, since others came or are missing"
    }

    /// How many the sensor had counted, where it had.
    var ofCounted: String { counted.map { " of \($0)" } ?? "" }

    mutating func persisted(_ isKept: Bool, at now: Int64) -> [Action] {
        guard state == .persisting else { return [] }
        guard isKept else {
            return [.note(.recordsRefused, "not deleted: the disk does not take them")]
                + over()
        }
        guard !hasStray else { return keep() }
        return write(.count, at: now)
    }

    private mutating func recounted(
        _ response: RecordAccessControlPoint.Operand, at now: Int64
    ) -> [Action] {
        guard !hasStray, case .count(let number) = response, Int(number) == received else {
            return keep()
        }
        return write(.delete, at: now)
    }

    private mutating func keep() -> [Action] {
        [.note(.recordsRefused, "not deleted: a new one came")] + over()
    }

    private mutating func deleted(_ response: RecordAccessControlPoint.Operand) -> [Action] {
        let note: Action =
            response.code == Self.success
            ? .note(.recordsDeleted, "\(received)")
            : .note(.recordsRefused, "not deleted: \(Self.words(response.code))")
        return [note] + over()
    }

    private mutating func over() -> [Action] {
        state = .over
        return [.finished]
    }

    /// Nothing more is asked on this link; what came is kept.
    mutating func give(up why: String, at now: Int64) -> [Action] {
        [.note(.recordsRefused, "\(why); they are asked for again at the next link")]
            + over()
    }

    /// The sensor or bluetoothd did not take the write.
    mutating func refused(
        _ operation: Operation, _ error: BusError, at now: Int64
    ) -> [Action] {
        switch ErrorClass.attError(in: error) {
        case 0xFD where !hasArmed:
            hasArmed = true
            state = .arming(operation, until: now + Self.patience)
            return [.arm]
        case 0xFE where !hasAborted:
            hasAborted = true
            blocked = operation
            return write(.abort, at: now)
        default: break
        }
        if error.name == "org.bluez.Error.InProgress", pauses < Self.pauseLimit {
            pauses += 1
            state = .pausing(operation, until: now + Self.pause)
            return []
        }
        return give(up: "refused (\(error))", at: now)
    }

    private static func words(_ code: UInt8?) -> String {
        guard let code else { return "an answer that fits no question" }
        let name = RecordAccessControlPoint.responseName(code) ?? "reserved answer \(code)"
        return String(name.map { $0 == "_" ? " " : $0 })
    }
}

extension RecordAccessControlPoint.Operand {
    /// How a request ended; nil if this is no such answer.
    fileprivate var code: UInt8? {
        switch self {
        case .response(_, let code): code
        case .filter, .count: nil
        }
    }
}
