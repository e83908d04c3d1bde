import DBus

/// What follows from answers of the bus and of bluetoothd.
extension Presence {
    /// Takes in what became of a call.
    mutating func take(
        _ result: Result<[BusValue], BusError>, of request: Request, at now: Int64
    ) -> [Action] {
        switch request {
        case .addMatch: return matched(result)
        case .nameOwner: return named(result, at: now)
        case .managedObjects: return read(result, at: now)
        case .activate: return activated(result, at: now)
        case .probe: return probed(result, at: now)
        case .sleepTeller(let sender, let isGoingDown):
            guard case .success(let body) = result, body.first?.text == sender else { return [] }
            return [isGoingDown ? .suspended : .resumed]
        }
    }

    /// A bus that is slow takes what it was sent in order, so that a rule holds before what is asked next.
    private mutating func matched(_ result: Result<[BusValue], BusError>) -> [Action] {
        guard case .matching(let waiting) = state else { return [] }
        if case .failure(let error) = result, error.name != BusError.noReply {
            state = .refused(owner: nil, error)
            return [.note(.busClosed, "the bus refuses a match rule: \(error)")]
        }
        guard waiting == 1 else {
            state = .matching(waiting: waiting - 1)
            return []
        }
        state = .asking
        return [.call(.nameOwner, Self.nameOwner)]
    }

    private mutating func named(
        _ result: Result<[BusValue], BusError>, at now: Int64
    ) -> [Action] {
        guard case .asking = state else { return [] }
        switch result {
        case .success(let body):
            guard let owner = body.first?.text else { return [] }
            return found(owner)
        case .failure(let error) where error.name == BusError.noReply:
            // Whoever has the name already gives no signal of it.
            return [.call(.nameOwner, Self.nameOwner)]
        case .failure:
            state = .absent(nextTry: nil)
            return [.note(.bluetoothdDown, "nobody on the bus is org.bluez")]
        }
    }

    private mutating func read(
        _ result: Result<[BusValue], BusError>, at now: Int64
    ) -> [Action] {
        switch (result, state) {
        case (.success(let body), .reading(let owner, let queue, _)):
            state = .present(owner: owner)
            readings.reset()
            activations.reset()
            // Signals that came after a full queue are lost, and what they said is to be read.
            let isFull = queue.count == Self.queueLimit
            return [.note(.bluetoothdUp, "as \(owner)"), .objects(Self.dictionary(body))]
                + queue.map { .take($0) }
                + (isFull ? [.call(.managedObjects, Self.managedObjects)] : [])
        case (.success(let body), .present): return [.objects(Self.dictionary(body))]
        case (.failure(let error), .reading(let owner, let queue, _)):
            return refused(error, by: owner, queue, at: now)
        default: return []
        }
    }

    private mutating func refused(
        _ error: BusError, by owner: String, _ queue: [BusMessage], at now: Int64
    ) -> [Action] {
        guard error.name != BusError.accessDenied else {
            state = .refused(owner: owner, error)
            return [.note(.bluetoothdDown, "it does not let us in: \(error)")]
        }
        state = .reading(owner: owner, queue: queue, nextTry: now + readings.next())
        return error.name == BusError.noReply ? handle(.doubt, at: now) : []
    }

    private static func dictionary(_ body: [BusValue]) -> BusValue {
        body.first ?? .dictionary(key: "o", value: "a{sa{sv}}", [])
    }

    private mutating func activated(
        _ result: Result<[BusValue], BusError>, at now: Int64
    ) -> [Action] {
        guard case .absent = state, case .failure(let error) = result else { return [] }
        guard error.name != BusError.accessDenied else { return [] }
        state = .absent(nextTry: now + activations.next())
        return []
    }

    private mutating func probed(
        _ result: Result<[BusValue], BusError>, at now: Int64
    ) -> [Action] {
        if case .failure(let error) = result, error.name == BusError.noReply {
            return actions(of: probing.handle(.missed, at: now))
        }
        return actions(of: probing.handle(.answered, at: now))
    }

    /// What the news of the probe means.
    mutating func actions(of news: HangProbe.News?) -> [Action] {
        switch news {
        case nil: []
        case .ask: [.call(.probe, HangProbe.question)]
        case .unresponsive:
            [.note(.bluetoothdUnresponsive, "no answer to \(HangProbe.missLimit) questions")]
        case .answers:
            [.note(.bluetoothdUp, "it answers again")] + handle(.reread, at: 0)
        }
    }
}
