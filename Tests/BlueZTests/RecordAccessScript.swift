import BlueZ
import DBus
import Measurements
import Testing

/// A sensor with stored records, at the other end of the control point.
struct RecordSensor {
    var access: RecordAccess
    var now: Int64 = 5000
    var actions: [RecordAccess.Action] = []

    init(deletes: Bool = false) { access = RecordAccess(deletesStoredRecords: deletes) }

    mutating func handle(_ event: RecordAccess.Event) {
        let moment = Moment(wall: Instant(milliseconds: 1_800_000_000_000 + now), boot: now)
        actions += access.handle(event, at: moment)
    }

    mutating func pass(_ milliseconds: Int64) {
        let end = now + milliseconds
        while let due = access.nextDeadline, due <= end {
            now = max(now, due)
            handle(.deadline)
            guard (access.nextDeadline ?? .max) > now else {
                Issue.record("a deadline that is due again at once is a busy loop")
                break
            }
        }
        now = end
    }

    /// The write was confirmed, and the sensor answers.
    mutating func answer(_ octets: [UInt8]) {
        handle(.written(nil))
        handle(.response(octets))
    }

    /// Begins, counts, and sends as many records.
    mutating func report(_ count: UInt8, of record: [UInt8] = RecordSensor.stored) {
        handle(.begin)
        answer([5, 0, count, 0])
        handle(.written(nil))
        for _ in 0..<count { handle(.record(record)) }
        handle(.response([6, 0, 1, 1]))
    }

    var writes: [[UInt8]] {
        actions.compactMap { if case .write(let octets) = $0 { octets } else { nil } }
    }

    func notes(_ event: LedgerEntry.Event) -> [String] {
        actions.compactMap {
            if case .note(event, let text) = $0 { text } else { nil }
        }
    }
}

extension RecordSensor {
    static let count: [UInt8] = [4, 1]
    static let report: [UInt8] = [1, 1]
    static let delete: [UInt8] = [2, 1]
    static let abort: [UInt8] = [3, 0]

    /// A spot-check record with a Measurement Status that says that it was stored, and one without.
    static let stored: [UInt8] = [0x02, 0x61, 0x00, 0x3E, 0x00, 0x00, 0x02]
    static let live: [UInt8] = [0x02, 0x61, 0x00, 0x3E, 0x00, 0x00, 0x01]
    static let plain: [UInt8] = [0x00, 0x61, 0x00, 0x3E, 0x00]
}
