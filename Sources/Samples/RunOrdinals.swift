internal import Measurements

/// Counts equal readings inside one run, so that a packet sent twice is two readings.
///
/// The count is exact for the last `capacity` to twice as many distinct readings of a run; what lies
/// further back counts as not seen. A run without an end must not grow for ever.
struct RunOrdinals {
    /// What makes two readings of one device equal.
    struct Key: Hashable {
        let characteristic: MeasurementCharacteristic
        let instance: Int
        /// The stamp, or else the reception in ms.
        let time: Int64
        let octets: [UInt8]
    }

    /// Distinct readings a generation holds; two are kept, at about 100 octets an entry.
    static let capacity = 16_384

    private var recent: [Key: Int] = [:]
    private var older: [Key: Int] = [:]

    /// Counts one more reading and returns how many equal ones came before.
    mutating func next(_ key: Key) -> Int {
        let count = recent[key] ?? older[key] ?? 0
        if recent.count >= Self.capacity {
            older = recent
            recent = [:]
        }
        recent[key] = count + 1
        return count
    }

    /// Begins a new run.
    mutating func reset() {
        recent = [:]
        older = [:]
    }
}
