import DBus

/// What follows from signals and from the time.
extension Presence {
    /// Takes a signal in, whoever sent it.
    mutating func take(
        _ signal: BusMessage, isServing: Bool, at now: Int64
    ) -> [Action] {
        switch signal.member {
        case "NameOwnerChanged" where signal.sender == BlueZNames.bus:
            return ownerChanged(signal, isServing: isServing, at: now)
        case "PrepareForSleep": return prepareForSleep(signal)
        default: return fromBluetoothd(signal)
        }
    }

    /// Anybody can send such a signal to us alone, so the sender is looked up.
    private func prepareForSleep(_ signal: BusMessage) -> [Action] {
        guard signal.interface == BlueZNames.loginManager, let sender = signal.sender,
            let isGoingDown = signal.body.first?.bool
        else { return [] }
        return [
            .call(
                .sleepTeller(sender, isGoingDown: isGoingDown),
                Self.bus("GetNameOwner", [.string(BlueZNames.login)]))
        ]
    }

    private mutating func fromBluetoothd(_ signal: BusMessage) -> [Action] {
        switch state {
        case .present(let owner) where owner == signal.sender: return [.take(signal)]
        case .reading(let owner, var queue, let nextTry) where owner == signal.sender:
            guard queue.count < Self.queueLimit else { return [] }
            state = .asking  // so that the queue is not copied
            queue.append(signal)
            state = .reading(owner: owner, queue: queue, nextTry: nextTry)
            return []
        case .reading, .present: return [.foreign]
        case .noBus, .matching, .asking, .absent, .refused: return []
        }
    }

    private mutating func ownerChanged(
        _ signal: BusMessage, isServing: Bool, at now: Int64
    ) -> [Action] {
        guard signal.body.first?.text == BlueZNames.service, hasBus, signal.body.count == 3,
            let new = signal.body[2].text
        else { return [] }
        let lost = owner == nil ? [] : gone(isServing: isServing, at: now)
        return new.isEmpty ? lost : lost + found(new)
    }

    private mutating func gone(isServing: Bool, at now: Int64) -> [Action] {
        state = .absent(nextTry: isServing ? now + activations.next() : nil)
        probing.handle(.forget)
        let how = isServing ? "it died" : "it was stopped"
        return [.lost, .note(.bluetoothdDown, how)]
    }

    /// bluetoothd is there under this name: its objects are read.
    mutating func found(_ owner: String) -> [Action] {
        state = .reading(owner: owner, queue: [], nextTry: nil)
        return [.call(.managedObjects, Self.managedObjects)]
    }

    /// What is due by now.
    mutating func deadline(at now: Int64) -> [Action] {
        switch state {
        case .absent(let nextTry?) where nextTry <= now:
            state = .absent(nextTry: nil)
            return [.call(.activate, Self.activation)]
        case .reading(let owner, let queue, let nextTry?) where nextTry <= now:
            state = .reading(owner: owner, queue: queue, nextTry: nil)
            return [.call(.managedObjects, Self.managedObjects)]
        case .noBus, .matching, .asking, .absent, .reading, .present, .refused:
            return actions(of: probing.handle(.deadline, at: now))
        }
    }

    private static let activation = Call(
        to: BlueZNames.bus, path: BlueZNames.busPath, interface: BlueZNames.bus,
        member: "StartServiceByName", [.string(BlueZNames.service), .uint32(0)], patience: 30_000)
}
