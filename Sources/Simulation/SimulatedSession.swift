package import Measurements

/// All that a sensor and the host say to each other, link after link, with jitter, losses and gaps.
package struct SimulatedSession: Sendable {
    private enum State: Sendable {
        case apart
        case introducing(Int)
        case streaming(left: Int)
    }

    private var model: any SensorModel
    private var random: RandomNumbers
    private var state = State.apart
    private var clock: Instant

    /// A session of a sensor that begins at a time with a connect.
    ///
    /// The same seed gives the same session.
    package init(_ sensor: SimulatedSensor, seed: UInt64, start: Instant) {
        model = sensor.model
        random = RandomNumbers(seed: seed)
        clock = start
    }

    /// The next event; there is always one, and it is later than the one before.
    package mutating func next() -> GATTEvent {
        switch state {
        case .apart:
            state = .introducing(0)
            return event(.connect, device: model.device)
        case .introducing(let index): return introduce(index)
        case .streaming(let left) where left > 0: return stream(left)
        case .streaming: return disconnect()
        }
    }

    private mutating func introduce(_ index: Int) -> GATTEvent {
        wait(random.inside(60...180))
        let isLast = index + 1 == model.introduction.count
        state = isLast ? .streaming(left: random.inside(600...20_000)) : .introducing(index + 1)
        return event(model.introduction[index])
    }

    /// One packet in some hundred is lost, rarely a few together.
    private mutating func stream(_ left: Int) -> GATTEvent {
        state = .streaming(left: left - 1)
        let lost = random.below(400) == 0 ? random.inside(1...5) : 0
        wait(model.interval * (1 + lost))
        let jitter = random.below(90)
        let packet = model.packet(at: clock, &random)
        return event(packet, delay: jitter)
    }

    private mutating func disconnect() -> GATTEvent {
        wait(model.interval)
        state = .apart
        defer { wait(random.inside(3000...1_800_000)) }
        return event(.disconnect, device: RemoteDevice(model.device.address))
    }

    private mutating func wait(_ milliseconds: Int) {
        clock = clock.advanced(byMilliseconds: Int64(milliseconds))
    }

    private func event(_ kind: GATTEvent.Kind, device: RemoteDevice) -> GATTEvent {
        GATTEvent(kind, origin: .replay, device: device, at: clock)
    }

    private func event(_ packet: Packet, delay: Int = 0) -> GATTEvent {
        GATTEvent(
            packet.kind, origin: .replay, device: RemoteDevice(model.device.address),
            service: packet.service, characteristic: packet.characteristic, value: packet.value,
            at: clock.advanced(byMilliseconds: Int64(delay)))
    }
}
