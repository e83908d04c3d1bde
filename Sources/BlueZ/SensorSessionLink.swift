import DBus
import Measurements

/// What follows from the edges of the link, and from what arming and leaving want.
extension SensorSession {
    /// Carries out what the link wants.
    mutating func perform(_ wishes: [SensorLink.Action], at now: Moment) -> [Action] {
        wishes.flatMap { wish -> [Action] in
            switch wish {
            case .up: return linkUp(at: now)
            case .resolved: return linkResolved(at: now)
            case .down(let end): return linkDown(end, at: now)
            case .stuck(let wait):
                return [.note(.stuck, "not resolved after \(wait / 1_000) s")] + hangUp(at: now)
            case .empty: return foundEmpty(at: now)
            case .disconnect: return disconnect(at: now)
            case .ready: return arm(at: now)
            case .ask: return askConnected()
            }
        }
    }

    private mutating func linkUp(at now: Moment) -> [Action] {
        tally.linkUp()
        tally.lastSeen = now.wall
        tally.linkedAt = now.wall
        _ = arming.handle(.edge(isUp: true), at: now.boot)
        var actions: [Action] = [.collect(event(.connect, at: now))]
        if !history.isFlapping { actions.append(.note(.linkUp, "link \(tally.links)")) }
        return actions + blindLink(at: now) + trustIfNeeded()
    }

    /// After a restart of bluetoothd nothing can be armed before the first link has been resolved.
    private mutating func blindLink(at now: Moment) -> [Action] {
        guard characteristics.isEmpty, tally.hadBondAtLinkUp, !isNew, !wasBlind,
            !farewell.isLeaving
        else { return [] }
        wasBlind = true
        let text =
            "it may have been sent before anything could be armed, on the first link since bluetoothd was started"
        tally.possibleLoss = (now.wall, text)
        return [.note(.possibleLoss, text)]
    }

    private mutating func linkResolved(at now: Moment) -> [Action] {
        let note: [Action] =
            history.isFlapping ? [] : [.note(.servicesResolved, "\(linkAge(now)) ms after link up")]
        return note + armUnlessFlapping(at: now) + workOn(at: now)
    }

    /// How long there has been a link, in ms.
    func linkAge(_ now: Moment) -> Int64 { now.boot - (link.upSince ?? now.boot) }

    private mutating func linkDown(_ end: SensorLinkEnd, at now: Moment) -> [Action] {
        let news = history.ended(
            end, values: tally.valuesOfLink, hasBond: tally.hadBondAtLinkUp, at: now.boot)
        tally.lastSeen = now.wall
        silentAt = nil
        if arming.isPartlyArmed { isNew = false }
        reads.linkDown()
        let unfinished = workEnds(at: now)
        _ = arming.handle(.edge(isUp: false), at: now.boot)
        var actions = unfinished + [.collect(event(.disconnect, at: now))]
        if !history.isFlapping { actions.append(downNote(end)) }
        actions += notes(of: news) + perform(farewell.handle(.linkDown, at: now.boot), at: now)
        return actions + rearm(after: end, at: now)
    }

    private func downNote(_ end: SensorLinkEnd) -> Action {
        let frames =
            tally.framesOfLink == 1 ? "1 measurement" : "\(tally.framesOfLink) measurements"
        let reason = end.reason.map { ", \($0)" } ?? ""
        let isLost = end.isOurs || end.reason == "org.bluez.Reason.Timeout"
        return .note(isLost ? .lost : .linkDown, "after \(end.lasted) ms, \(frames)\(reason)")
    }

    /// What tells whether the sessions outlived the link, and makes them again if not.
    private mutating func rearm(after end: SensorLinkEnd, at now: Moment) -> [Action] {
        guard !end.isCut else { return [] }
        if link.isHangingUp {
            _ = arming.handle(.hold, at: now.boot)
            return []
        }
        return armUnlessFlapping(at: now)
    }

    private mutating func armUnlessFlapping(at now: Moment) -> [Action] {
        guard history.isFlapping else { return arm(at: now) }
        rearmAt = rearmAt ?? now.boot + Self.flappingRest
        return []
    }

    /// Notes what the last links together mean.
    func notes(of news: [SensorLinkHistory.News]) -> [Action] {
        news.map { news in
            switch news {
            case .flapping(let links):
                .note(.flapping, "\(links) links within 10 s ended at once, without a value")
            case .calm(let links): .note(.flapping, "over: \(links) links ended at once")
            case .bondLost(let evidence): .note(.bondLost, evidence)
            }
        }
    }

    /// The second time in a row it is only told: hanging up again would bring nothing else.
    private mutating func foundEmpty(at now: Moment) -> [Action] {
        let note = Action.note(.resolvedEmpty, "resolved without any characteristic")
        return [note] + (link.emptyLinks < 2 ? hangUp(at: now) : [])
    }

    /// Only of a trusted sensor: bluetoothd stops connecting any other when we hang up.
    private mutating func hangUp(at now: Moment) -> [Action] {
        guard object?.isTrusted == true, !farewell.isLeaving else { return [] }
        return perform(link.handle(.hangUp, at: now.boot), at: now)
    }

    private mutating func disconnect(at now: Moment) -> [Action] {
        guard let object else { return [] }
        _ = arming.handle(.hold, at: now.boot)
        return [.call(.disconnect, .device("Disconnect", at: object.path))]
    }

    private func askConnected() -> [Action] {
        guard let object else { return [] }
        let call = Call(
            path: object.path, interface: BlueZNames.properties, member: "Get",
            [.string(BlueZNames.device), .string("Connected")])
        return [.call(.connected, call)]
    }

    /// An unbonded sensor is forgotten at its first drop unless it is trusted.
    ///
    /// One that was only ever heard is not: bluetoothd would not connect it all the same.
    mutating func trustIfNeeded() -> [Action] {
        guard let object, !farewell.isLeaving else { return [] }
        let isMet = object.hasBond || link.upSince != nil || !characteristics.isEmpty
        guard isMet, trust.isDue(isTrusted: object.isTrusted) else { return [] }
        return [.call(.trust, .setTrusted(true, device: object.path))]
    }
}

// MARK: - Arming and leaving

extension SensorSession {
    /// Carries out what arming wants.
    mutating func perform(_ wishes: [SensorArming.Action], at now: Moment) -> [Action] {
        wishes.flatMap { wish -> [Action] in
            switch wish {
            case .startNotify(let path, let patience):
                return [.call(.startNotify(path), startNotify(path, patience))]
            case .settled: return settled(at: now)
            case .mended(let uuid, let isLoss): return mended(uuid, isLoss, at: now)
            case .doubtful(let uuid): return doubtful(uuid, at: now)
            case .refused(let uuid, let kind, let error):
                // A bluetoothd that is about to go refuses everything; that has an entry of its own.
                return kind == .environment ? [] : [.note(.refused, "\(uuid): \(error)")]
            case .stuck(let wait):
                let text = "StartNotify is not answered after \(wait / 1_000) s on a link"
                return [.note(.stuck, text)] + hangUp(at: now)
            }
        }
    }

    private func startNotify(_ path: String, _ patience: Int64) -> Call {
        Call(
            path: path, interface: BlueZNames.characteristic, member: "StartNotify",
            patience: patience)
    }

    private mutating func settled(at now: Moment) -> [Action] {
        guard link.isResolved, link.upSince != nil else { return [] }
        guard tally.armedAt == nil, arming.isPartlyArmed else {
            return perform(work.records?.handle(.armed, at: now), at: now) + workOn(at: now)
        }
        tally.armedAt = now.boot
        let isStreaming = arming.items.values.contains { $0.object.isStreaming && $0.isStanding }
        silentAt = isStreaming ? now.boot + Self.silence : nil
        let count = arming.items.values.count { $0.isStanding }
        let note: [Action] =
            history.isFlapping
            ? []
            : [
                .note(
                    .armed,
                    "\(count) of \(arming.items.count), \(linkAge(now)) ms after link up")
            ]
        return note + workOn(at: now)
    }

    private mutating func mended(
        _ uuid: BluetoothUUID, _ isLoss: Bool, at now: Moment
    ) -> [Action] {
        let text = "the session of \(uuid) was lost and is there again"
        if isLoss { tally.possibleLoss = (now.wall, "the last link was not heard: " + text) }
        return [.note(isLoss ? .possibleLoss : .rearmed, text)]
    }

    /// Links that end at once bring nothing, and have an entry of their own.
    private mutating func doubtful(_ uuid: BluetoothUUID, at now: Moment) -> [Action] {
        guard !history.isFlapping else { return [] }
        let text =
            "the link came up before bluetoothd had said whether the session of \(uuid) still stood"
        tally.possibleLoss = (now.wall, text)
        return [.note(.possibleLoss, text)]
    }

    /// Carries out what leaving wants.
    mutating func perform(_ wishes: [SensorFarewell.Action], at now: Moment) -> [Action] {
        wishes.flatMap { wish -> [Action] in
            guard let object else { return wish == .done ? [.left] : [] }
            switch wish {
            case .untrust: return [.call(.untrust, .setTrusted(false, device: object.path))]
            case .disconnect:
                _ = arming.handle(.hold, at: now.boot)
                return [.call(.disconnect, .device("Disconnect", at: object.path))]
            case .done: return [.left]
            }
        }
    }
}
