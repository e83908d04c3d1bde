/// The last few things computed, for a recording says the same few addresses and UUIDs again.
struct RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 8 }

    private var keys: [Key] = []
    private var values: [Value] = []
    private var oldest = 0

    /// The value for a key: the one kept, else what `compute` gives, which is kept unless it is nil.
    mutating func value(for key: Key, _ compute: (Key) -> Value?) -> Value? {
        if let place = keys.firstIndex(of: key) { return values[place] }
        guard let value = compute(key) else { return nil }
        keep(key, value)
        return value
    }

    private mutating func keep(_ key: Key, _ value: Value) {
        guard keys.count == Self.capacity else {
            keys.append(key)
            values.append(value)
            return
        }
        keys[oldest] = key
        values[oldest] = value
        oldest = (oldest + 1) % Self.capacity
    }
}
