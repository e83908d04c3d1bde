internal import Measurements

extension GATTTrace {
    /// Makes an event of a value, if it is known what its handle is.
    mutating func value(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ value: [UInt8], _ conversation: Conversation,
        at instant: Instant
    ) {
        let place = conversation.device
        guard let found = characteristic(kind, handle, value, place) else { return }
        var device = RemoteDevice(devices[place].address)
        if kind == .read, found.uuid == .deviceName {
            devices[place].name = deviceName(value[...])
            device.name = devices[place].name
        }
        let reading = account.count(kind, of: found.uuid)
        let event = GATTEvent(
            kind, origin: .import, device: device, service: found.service,
            characteristic: found.uuid, instance: found.instance, value: value, at: instant,
            isGuess: found.isGuess)
        output.append(.event(event))
        guard kind == .notify || kind == .indicate, !found.isGuess else { return }
        repeated.keep(
            RepeatedValues.Known(
                device: place, handle: handle, kind: kind, place: output.wholes.count - 1,
                reading: reading))
    }

    /// Makes an event of a value of a handle that is known.
    mutating func value(
        again known: RepeatedValues.Known, _ value: Span<UInt8>, at instant: Instant
    ) {
        account.count(again: known.reading)
        output.append(again: known.place, value, at: instant)
    }

    private mutating func characteristic(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ value: [UInt8], _ place: Int
    ) -> TracedCharacteristic? {
        if let known = devices[place].table.characteristic(at: handle) {
            if let mapped = handles[handle], mapped != known.uuid { overrule(handle, known, place) }
            return known
        }
        if let mapped = handles.characteristic(at: handle) { return mapped }
        guard kind == .notify || kind == .indicate else { return nil }
        let isDescriptor = devices[place].table.isDescriptor(handle)
        if !isDescriptor, let guess = guess(kind, handle, value, place) { return guess }
        account.count(unmapped: handle, of: devices[place].address)
        return nil
    }

    private mutating func overrule(_ handle: UInt16, _ known: TracedCharacteristic, _ place: Int) {
        guard devices[place].overruled.insert(handle).inserted else { return }
        tell(.mapOverruled(handle: handle, by: known.uuid, devices[place].address))
    }

    /// A guess holds until a value does not look like it; then nothing is guessed of the handle again.
    private mutating func guess(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ value: [UInt8], _ place: Int
    ) -> TracedCharacteristic? {
        let address = devices[place].address
        let isSubscribed = devices[place].subscribed.contains(handle)
        switch devices[place].guesses[handle] {
        case .refused: return nil
        case .taken(let uuid, let instance):
            if HandleGuess.fits(value, uuid, kind) {
                return TracedCharacteristic(
                    uuid: uuid, service: homeService(of: uuid), instance: instance, isGuess: true)
            }
            devices[place].guesses[handle] = .refused
            tell(.guessWithdrawn(uuid, handle: handle, address))
            return nil
        case nil:
            guard let uuid = HandleGuess.only(value, kind, isSubscribed: isSubscribed), room > 0
            else { return nil }
            room -= 1
            let instance = devices[place].guesses.values.count { $0.uuid == uuid }
            devices[place].guesses[handle] = .taken(uuid, instance: instance)
            tell(.guessed(uuid, handle: handle, address))
            return guess(kind, handle, value, place)
        }
    }
}
