package import Measurements

/// Reads a capture or a recording piece by piece, with the same small memory for any length.
///
/// Octets go in by `feed`; then `next` is called until it gives nil; at the end comes `finish`.
package struct Capture: ~Copyable {
    /// What it is, inside of gzip; nil until enough of it has come.
    package private(set) var format: CaptureFormat?
    /// What there was so far.
    package var account: CaptureAccount { trace.account }
    /// Records of a capture so far.
    package var records: Int { trace.records }

    private var input: [UInt8] = []
    private var position = 0
    private var hasBegun = false
    private var isEnding = false
    private var inflater: Inflater?
    private var pending: [UInt8] = []
    private var text = TextBeginning()
    private var reader: CaptureReader?
    private var trace: Trace
    private var damage: CaptureDamage?

    /// Octets that one step takes: what comes out of them is held in memory.
    private static let step = 16_384

    /// A capture of which nothing has come yet.
    ///
    /// - Parameters:
    ///   - handles: What handles are where the capture does not tell.
    ///   - device: The device of links whose beginning is missing; nil leaves them out.
    package init(
        handles: HandleMap = HandleMap(), deviceOfUnknownLinks device: DeviceAddress? = nil
    ) {
        trace = Trace(handles: handles, deviceOfUnknownLinks: device)
    }

    /// Gives it the next octets of the file.
    package mutating func feed(_ octets: [UInt8]) {
        input = position == input.count ? octets : Array(input[position...]) + octets
        position = 0
    }

    /// What the next step has brought out, in order; nil if it wants more octets.
    ///
    /// - Throws: `CaptureDamage` once all that could be read before it was given.
    package mutating func next() throws(CaptureDamage) -> CaptureOutput? {
        if let damage { throw damage }
        do throws(CaptureDamage) {
            guard try step() else { return nil }
        } catch {
            damage = error
        }
        let output = trace.takeOutput()
        if let damage, output.isEmpty { throw damage }
        return output
    }

    /// How a file ended.
    package struct End: Sendable {
        /// What its last octets have brought out.
        package var output = CaptureOutput()
        /// Why it did not end as it should; nil if it did.
        package var damage: CaptureDamage?
    }

    /// Takes in that no more octets come.
    package mutating func finish() -> End {
        isEnding = true
        if damage == nil { damage = readRest() }
        trace.finish()
        return End(output: trace.takeOutput(), damage: damage)
    }
}

extension Capture {
    private mutating func readRest() -> CaptureDamage? {
        do throws(CaptureDamage) {
            while try step() {}
            try checkEnd()
            return nil
        } catch {
            return error
        }
    }

    /// False if more octets are wanted.
    private mutating func step() throws(CaptureDamage) -> Bool {
        let piece = try nextPiece()
        if pending.isEmpty { pending = piece } else { pending += piece }
        try findFormat()
        guard !piece.isEmpty else { return false }
        try readPending()
        return true
    }

    /// The next octets behind a decompression, where there is one.
    private mutating func nextPiece() throws(CaptureDamage) -> [UInt8] {
        if !hasBegun {
            guard isEnding || input.count - position >= CaptureFormat.enough else { return [] }
            hasBegun = true
            if input.span.starts(with: [0x1F, 0x8B]) { inflater = try Inflater() }
        }
        if let piece = try inflater?.step(input, &position) { return piece }
        let end = min(input.count, position + Self.step)
        defer { position = end }
        return position == 0 && end == input.count ? input : Array(input[position..<end])
    }

    private mutating func findFormat() throws(CaptureDamage) {
        guard format == nil, isEnding || pending.count >= CaptureFormat.enough else { return }
        let octets = pending
        let found = try CaptureFormat(beginning: octets.span, isWhole: isEnding, &text)
        guard let found else { return }
        guard found != .gzip else { throw CaptureDamage("it is compressed twice: unpack it once") }
        format = found
        reader = CaptureReader(found)
        if isEnding { try readPending() }
    }

    private mutating func readPending() throws(CaptureDamage) {
        guard let format else { return }
        if format == .gattlog {
            if !pending.isEmpty { trace.pass(pending) }
            pending = []
        } else {
            let octets = pending
            pending = []
            let done = try reader?.read(octets.span, into: &trace) ?? 0
            pending = done == 0 ? octets : Array(octets[done...])
        }
    }

    /// A file may end behind a whole record only.
    private func checkEnd() throws(CaptureDamage) {
        guard isUnpacked else {
            throw CaptureDamage("its gzip data end before their end: \(behindLast)")
        }
        guard pending.isEmpty, reader?.isBetweenRecords != false else {
            throw CaptureDamage("it ends in the middle of a record: \(behindLast)")
        }
        let unread = account.unsupported
        guard let link = unread.keys.min(by: { $0.number < $1.number }),
            unread.values.reduce(0, +) == account.records
        else { return }
        throw CaptureDamage("link type \(link)")
    }

    private var isUnpacked: Bool {
        switch inflater {
        case .none: true
        case .some(let inflater): inflater.isBetweenMembers
        }
    }

    private var behindLast: String {
        account.records == 0
            ? "there is no whole record" : "record \(account.records) is the last whole one"
    }
}
