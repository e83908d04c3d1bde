internal import Measurements

/// What a link has told of the device's clock, and by which events.
struct LinkClock {
    /// What is known.
    private(set) var state = DeviceClock.unknown
    /// The events that `state` follows from, oldest first: a write and a read at most.
    ///
    /// At the beginning of another link they lead to the same state.
    private(set) var evidence: [GATTEvent] = []

    /// Takes in that we wrote the clock.
    mutating func write(_ event: GATTEvent) {
        state = .written
        evidence = [event]
    }

    /// Takes in what a read of the clock said, in the zone that it shows.
    mutating func read(_ time: DeviceClock.Time, _ event: GATTEvent, in zone: Zone) {
        let next = state.reading(time, at: event.at, in: zone)
        switch (state, next) {
        case (.synced, .synced): break
        case (.written, .synced): evidence.append(event)
        case (.unknown, _), (.written, _), (.read, _), (.synced, _): evidence = [event]
        }
        state = next
    }
}
