/// The last few things computed, for a recording says the same few addresses and UUIDs again.
struct RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 8 }

    private var entries: [(key: Key, value: Value)] = []
    private var oldest = 0

    /// The value for a key: the one kept, else what `compute` gives, which is kept unless it is nil.
    mutating func value(for key: Key, _ compute: (Key) -> Value?) -> Value? {
        for place in entries.indices where entries[place].key == key { return entries[place].value }
        guard let value = compute(key) else { return nil }
        keep(key, value)
        return value
    }

    private mutating func keep(_ key: Key, _ value: Value) {
        guard entries.count == Self.capacity else { return entries.append((key, value)) }
        entries[oldest] = (key, value)
        oldest = (oldest + 1) % Self.capacity
    }
}
