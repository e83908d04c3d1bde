import DBus

/// What follows from answers to StartNotify, and from the time.
extension SensorArming {
    /// Takes in what became of StartNotify at a path.
    mutating func reply(
        _ path: String, _ error: BusError?, at now: Int64
    ) -> [Action] {
        guard let item = items[path], case .asking(_, let asked, let again) = item.state else {
            return []
        }
        items[path]?.state = .idle
        let isStale = asked != edge
        let news = error.map { failed(path, $0, asked, at: now) } ?? succeeded(item, asked)
        let more = again && isStale ? ask(path, at: now) : []
        return news + more + (isSettled ? [.settled] : [])
    }

    /// Without a link success means that there was no session; on a link it is always said.
    ///
    /// Asked without a link and answered after the next came up, it may have come too late for that one.
    private mutating func succeeded(_ item: SensorArmingItem, _ asked: Edge) -> [Action] {
        let path = item.object.path
        let isWithoutLink = asked == edge && !edge.isUp
        items[path]?.succeeded(isWithoutLink: isWithoutLink)
        guard item.hasStood, !item.isRefused else { return [] }
        if isWithoutLink { return [.mended(item.object.uuid, isLoss: item.mayHaveLost)] }
        return item.isDoubtful && item.holdsRecords ? [.doubtful(item.object.uuid)] : []
    }

    private mutating func failed(
        _ path: String, _ error: BusError, _ asked: Edge, at now: Int64
    ) -> [Action] {
        let kind = ErrorClass(error, of: .arm)
        switch kind {
        case .alreadyDone: return stands(path, asked, at: now)
        case .gone:
            items[path] = nil
            return []
        case .transient, .unknown, .slot, .unanswered:
            return mayGoWell(path, kind, error, tries: Self.tryLimit, at: now)
        case .bond, .permission: return mayGoWell(path, kind, error, tries: 2, at: now)
        case .held: return leave(path, kind, error, at: now)
        case .environment, .permanent: return refuse(path, kind, error)
        }
    }

    /// Who has it may end at any time, and nothing on the bus tells of that.
    private mutating func leave(
        _ path: String, _ kind: ErrorClass, _ error: BusError, at now: Int64
    ) -> [Action] {
        let news = refuse(path, kind, error)
        items[path]?.state = .waiting(until: now + Self.heldRest)
        return news
    }

    /// While a link comes up, InProgress tells that the session is being renewed, not that it will be.
    private mutating func stands(_ path: String, _ asked: Edge, at now: Int64) -> [Action] {
        let isCheckDue = edge.isUp && (items[path]?.checks ?? 0) < Self.checkLimit
        items[path]?.stands(
            checkAt: isCheckDue ? now + 2_000 : nil, isWithoutLink: asked == edge && !edge.isUp)
        return []
    }

    private mutating func mayGoWell(
        _ path: String, _ kind: ErrorClass, _ error: BusError, tries: Int, at now: Int64
    ) -> [Action] {
        guard let done = items[path]?.backoff.tries, done < tries,
            let wait = items[path]?.backoff.next()
        else { return refuse(path, kind, error) }
        items[path]?.state = .waiting(until: now + wait)
        return []
    }

    /// Told once as long as the reason is the same.
    private mutating func refuse(
        _ path: String, _ kind: ErrorClass, _ error: BusError
    ) -> [Action] {
        guard let item = items[path] else { return [] }
        items[path]?.state = .refused
        items[path]?.refusal = (kind, error)
        return item.refusal?.error == error ? [] : [.refused(item.object.uuid, kind, error)]
    }

    /// What is due by now.
    mutating func deadline(at now: Int64) -> [Action] {
        items.keys.sorted().flatMap { path -> [Action] in
            guard let item = items[path], let due = due(item), due <= now else { return [] }
            guard case .asking(let since, _, _) = item.state else { return ask(path, at: now) }
            wasToldStuck = true
            return [.stuck(after: now - since)]
        }
    }
}
