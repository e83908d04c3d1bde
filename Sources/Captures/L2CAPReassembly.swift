/// Puts the fragments of one direction of a link together to packets of the Attribute Protocol.
///
/// ```
///            whole packet: nothing is kept
///   idle ───────────────────────────────► idle
///     │ beginning           last fragment ▲
///     └──────────► gathering ─────────────┘
///                    │ ▲ fragment
///                    └─┘
/// ```
/// Source: Bluetooth Core, Vol 3 Part A 3.1.
struct L2CAPReassembly {
    /// The fixed channel of the Attribute Protocol. Source: Bluetooth Core, Vol 3 Part A 2.1.
    static let attributeChannel: UInt16 = 4
    /// Octets of length and channel before a packet.
    static let headerLength = 4
    /// The longest packet that is put together: eight times what hosts agree on (517).
    private static let longestPacket = 4136

    private enum State {
        case idle
        case gathering
        /// Of a packet of another channel, or too long: so many octets are still to come.
        case passing(Int)
    }

    private var state = State.idle
    private var octets: [UInt8] = []
    private var length = 0

    /// A direction in which nothing was sent yet.
    init() {}

    /// Whether a packet has begun and not ended.
    var isOpen: Bool {
        switch state {
        case .idle: false
        case .gathering, .passing: true
        }
    }

    /// What a fragment amounts to.
    enum Result: Equatable {
        /// It holds a whole packet of the Attribute Protocol, from an offset on.
        case whole(Range<Int>)
        /// It ends one, which `packet` gives.
        case completed
        /// More is to come, or it is of another channel.
        case nothing
        /// It has no beginning.
        case broken
    }

    /// Takes in the beginning of a packet, where one that is open is given up.
    mutating func begin(_ fragment: Span<UInt8>) -> Result {
        octets.removeAll(keepingCapacity: true)
        state = .idle
        guard fragment.count >= Self.headerLength else {
            for index in fragment.indices { octets.append(fragment[index]) }
            state = .gathering
            length = .max
            return .nothing
        }
        length = Int(fragment.uint16(at: 0))
        let available = fragment.count - Self.headerLength
        guard fragment.uint16(at: 2) == Self.attributeChannel, length <= Self.longestPacket else {
            if available < length { state = .passing(length - available) }
            return .nothing
        }
        if available >= length { return .whole(Self.headerLength..<Self.headerLength + length) }
        state = .gathering
        for index in Self.headerLength..<fragment.count { octets.append(fragment[index]) }
        return .nothing
    }

    /// Takes in a further fragment.
    mutating func go(on fragment: Span<UInt8>) -> Result {
        switch state {
        case .idle: return .broken
        case .passing(let rest):
            state = fragment.count < rest ? .passing(rest - fragment.count) : .idle
            return .nothing
        case .gathering:
            if length == .max { return beginAgain(with: fragment) }
            for index in 0..<min(fragment.count, length - octets.count) {
                octets.append(fragment[index])
            }
            guard octets.count == length else { return .nothing }
            state = .idle
            return .completed
        }
    }

    /// A beginning of fewer than four octets told neither length nor channel.
    private mutating func beginAgain(with fragment: Span<UInt8>) -> Result {
        let whole = octets + fragment.octets
        switch begin(whole.span) {
        case .whole(let range):
            octets = Array(whole[range])
            return .completed
        case .completed, .nothing, .broken: return .nothing
        }
    }

    /// The packet that was completed last, until another one begins.
    var packet: [UInt8] { octets }
}
