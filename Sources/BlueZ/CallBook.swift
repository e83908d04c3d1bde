/// The calls that wait for their answers, and what each of them is for.
///
/// Whoever forgets the calls of a bluetoothd that is gone never sees their late answers.
package struct CallBook<Purpose: Sendable>: Sendable {
    private var next: UInt64 = 1
    private var pending: [CallID: Purpose] = [:]

    /// A book without any call.
    package init() {}

    /// How many calls wait.
    package var count: Int { pending.count }

    /// What a call that is about to be made is known by.
    package mutating func open(_ purpose: Purpose) -> CallID {
        let id = CallID(number: next)
        next += 1
        pending[id] = purpose
        return id
    }

    /// What the call was for whose answer has come; nil if nobody waits for it any more.
    package mutating func close(_ id: CallID) -> Purpose? {
        pending.removeValue(forKey: id)
    }

    /// Lets the answers of these calls come to nobody.
    package mutating func forget(where isForgotten: (Purpose) -> Bool) {
        pending = pending.filter { !isForgotten($0.value) }
    }
}
