internal import Measurements

/// The handles whose values came last, and what is known of them, so that it need not be looked up.
///
/// It holds as long as no device tells more about its attributes, and no longer than the output.
struct RepeatedValues {
    /// A handle, and what its values are.
    struct Known {
        /// The place of the device among those of the trace.
        let device: Int
        /// The handle.
        let handle: UInt16
        /// How its values come.
        let kind: GATTEvent.Kind
        /// The place in the output of the event that the next one is like.
        let place: Int
        /// The place of its characteristic among those that hold readings; nil if it is another one.
        let reading: Int?
    }

    private var known: [Known] = []
    private var oldest = 0

    /// Handles that are kept: sensors that talk at the same time.
    private static let limit = 8

    /// Nothing is known.
    init() {}

    /// What is known of a handle.
    func find(_ device: Int, _ handle: UInt16, _ kind: GATTEvent.Kind) -> Known? {
        for known in known
        where known.handle == handle && known.device == device && known.kind == kind {
            return known
        }
        return nil
    }

    /// Keeps what is known of a handle, in place of what was kept first.
    mutating func keep(_ new: Known) {
        if known.count < Self.limit { return known.append(new) }
        known[oldest] = new
        oldest = (oldest + 1) % Self.limit
    }

    /// Forgets everything.
    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        oldest = 0
    }
}
