package import DBus
package import Measurements

/// The reading of a sensor's clock on one link, and its setting where that is wanted.
///
/// ```
/// idle ─► quiet ─ nothing stored comes any more ─► reading ─► right, unwritable … ─► over
///                                                    └ off ─► asking ─ host's clock is right ─►
///         over ◄─ readingBack ◄─ (writingZone ◄─) writing ◄─────────────────────────────────┘
/// ```
/// The clock is set only after stored records are in, since these are stamped by it as it was.
/// Source: Current Time Service 1.1; GATT Specification Supplement, Date Time, Local Time Information.
package struct ClockSetting {
    /// What comes in.
    package enum Event: Equatable, Sendable {
        /// The link is up, armed, and stored records that can be asked for are in.
        case begin
        /// The sensor indicated a measurement.
        case indicated
        /// What the clock's characteristic holds.
        case read(Result<[UInt8], BusError>)
        /// What became of a write.
        case written(BusError?)
        /// Whether this computer's clock is known to be right.
        case hostClock(isSynchronised: Bool)
        /// The link is gone, and this is over with it.
        case linkLost
        /// `nextDeadline` has come.
        case deadline
    }

    /// What is to be done, in order.
    package enum Action: Equatable, Sendable {
        /// Read the characteristic at this path; what it says goes through the door as well.
        case read(String)
        /// Write the characteristic at this path, with a response.
        case write(String, [UInt8])
        /// Find out whether this computer's clock is right.
        case askHostClock
        /// Keep in the ledger.
        case note(LedgerEntry.Event, String)
        /// It is over on this link.
        case finished(Outcome)
    }

    /// How it ended.
    package enum Outcome: Equatable, Sendable {
        /// It was set, and shows the right time.
        case set
        /// It was right already.
        case right
        /// It is off by so many seconds, and is left so as the configuration wants.
        case left(behind: Int64?)
        /// It cannot be set.
        case unwritable
        /// It cannot be read, and is not to be set.
        case unreadable(String)
        /// It is off, and this computer does not know the time well enough to set it.
        case hostNotSynchronised
        /// The sensor refused the new time.
        case refused(String)
        /// The sensor took the new time, and still shows another one.
        case ignored
        /// The link ended before.
        case linkLost
    }

    /// What is wanted with the clock.
    package enum Wish: Equatable, Sendable {
        /// Only to know what it shows.
        case read
        /// To set it if it is off.
        case correct
        /// To set it, as an operator has ordered.
        case set
    }

    enum State: Equatable {
        case idle
        /// Indications end, or `limit` comes, before anything is asked.
        case quiet(until: Int64, limit: Int64)
        case reading
        case asking(behind: String)
        case writing(behind: String)
        case writingZone(behind: String)
        case readingBack(behind: String)
        case over
    }

    /// How long, in ms, no indication may have come: sensors hang up 1.5 s after the last one.
    static let quiet: Int64 = 500
    /// How long, in ms, that is waited for at most.
    static let quietLimit: Int64 = 10_000
    /// How far, in ms, a clock may be off and still count as right.
    static let tolerance: Int64 = 5000
    /// No sensor was built before this year; a clock that shows an earlier one was never set.
    static let firstYear = 2010

    let clock: CharacteristicObject
    let localTimeInformation: CharacteristicObject?
    let wish: Wish
    let localTime: @Sendable (Instant) -> LocalTime
    var state = State.idle

    /// The clock among a sensor's characteristics; nil if there is none that can be read or set.
    package init?(
        among characteristics: [CharacteristicObject], wish: Wish,
        localTime: @escaping @Sendable (Instant) -> LocalTime
    ) {
        guard let clock = Self.clock(among: characteristics) else { return nil }
        self.clock = clock
        localTimeInformation = characteristics.first {
            $0.uuid == .localTimeInformation && $0.flags.contains(.write)
        }
        self.wish = wish
        self.localTime = localTime
    }

    /// One that can be set goes first, then the finer one.
    private static func clock(
        among characteristics: [CharacteristicObject]
    ) -> CharacteristicObject? {
        let clocks = [BluetoothUUID.currentTime, .dateTime].flatMap { uuid in
            characteristics.filter { $0.uuid == uuid }
        }
        return clocks.first { $0.flags.contains(.write) }
            ?? clocks.first { $0.flags.contains(.read) }
    }

    /// Whether the clock is being read or set now.
    package var isRunning: Bool { state != .idle && state != .over }

    /// When `Event.deadline` is due, on the clock of `Moment.boot`; nil if nothing is waited for.
    package var nextDeadline: Int64? {
        guard case .quiet(let until, let limit) = state else { return nil }
        return min(until, limit)
    }

    /// Takes an event in and says what is to be done, in order.
    package mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        switch event {
        case .begin: return begin(at: now)
        case .indicated: return wait(at: now)
        case .read(let result): return read(result, at: now)
        case .written(let error): return written(error, at: now)
        case .hostClock(let isSynchronised): return hostClock(isSynchronised, at: now)
        case .linkLost: return isRunning ? over(.linkLost) : []
        case .deadline:
            guard let due = nextDeadline, due <= now.boot else { return [] }
            return start(at: now)
        }
    }
}

// MARK: - News

extension ClockSetting {
    private mutating func begin(at now: Moment) -> [Action] {
        guard state == .idle else { return [] }
        state = .quiet(until: now.boot + Self.quiet, limit: now.boot + Self.quietLimit)
        return []
    }

    private mutating func wait(at now: Moment) -> [Action] {
        guard case .quiet(_, let limit) = state else { return [] }
        state = .quiet(until: now.boot + Self.quiet, limit: limit)
        return []
    }

    private mutating func start(at now: Moment) -> [Action] {
        if clock.flags.contains(.read) {
            state = .reading
            return [.read(clock.path)]
        }
        return decide(behind: "it cannot be read", at: now)
    }

    private mutating func read(
        _ result: Result<[UInt8], BusError>, at now: Moment
    ) -> [Action] {
        switch (state, result) {
        case (.reading, .success(let octets)): return judge(octets, at: now)
        case (.reading, .failure(let error)):
            return decide(behind: "it could not be read (\(error))", at: now)
        case (.readingBack(let behind), .success(let octets)):
            return confirm(octets, behind, at: now)
        case (.readingBack(let behind), .failure(let error)):
            return [.note(.clockSet, "\(behind); not read back (\(error))")] + over(.set)
        case (.idle, _), (.quiet, _), (.asking, _), (.writing, _), (.writingZone, _), (.over, _):
            return []
        }
    }

    private mutating func judge(_ octets: [UInt8], at now: Moment) -> [Action] {
        let deviation = deviation(octets, at: now.wall)
        if deviation.isRight, wish != .set { return over(.right) }
        guard wish != .read else {
            return [.note(.clockRead, "\(deviation); left as it is")]
                + over(.left(behind: deviation.seconds))
        }
        return decide(behind: "\(deviation)", at: now)
    }

    private mutating func decide(behind: String, at now: Moment) -> [Action] {
        guard wish != .read else { return over(.unreadable(behind)) }
        guard clock.flags.contains(.write) else {
            return [.note(.clockRead, "\(behind); the sensor's clock cannot be set")]
                + over(.unwritable)
        }
        state = .asking(behind: behind)
        return [.askHostClock]
    }

    private mutating func hostClock(_ isSynchronised: Bool, at now: Moment) -> [Action] {
        guard case .asking(let behind) = state else { return [] }
        guard isSynchronised else {
            return [.note(.clockRead, "\(behind); not set: this computer's clock may be wrong")]
                + over(.hostNotSynchronised)
        }
        state = .writing(behind: behind)
        return [.write(clock.path, octets(at: now.wall))]
    }

    private mutating func written(_ error: BusError?, at now: Moment) -> [Action] {
        switch state {
        case .writing(let behind):
            if let error, !isPartial(error) {
                return refuse("\(behind); refused (\(error))", error)
            }
            return writeZone(behind, at: now)
        case .writingZone(let behind): return readBack(behind)
        case .idle, .quiet, .reading, .asking, .readingBack, .over: return []
        }
    }

    /// Of a Current Time, a sensor may ignore fields and say so; the rest is set.
    private func isPartial(_ error: BusError) -> Bool {
        clock.uuid == .currentTime && ErrorClass.attError(in: error) == 0x80
    }

    private mutating func refuse(_ words: String, _ error: BusError) -> [Action] {
        [.note(.clockRefused, words)] + over(.refused("\(error)"))
    }

    private mutating func writeZone(_ behind: String, at now: Moment) -> [Action] {
        guard let localTimeInformation, clock.uuid == .currentTime else { return readBack(behind) }
        state = .writingZone(behind: behind)
        return [.write(localTimeInformation.path, localTime(now.wall).information)]
    }

    private mutating func readBack(_ behind: String) -> [Action] {
        guard clock.flags.contains(.read) else {
            return [.note(.clockSet, "\(behind); it cannot be read back")] + over(.set)
        }
        state = .readingBack(behind: behind)
        return [.read(clock.path)]
    }

    private mutating func confirm(
        _ octets: [UInt8], _ behind: String, at now: Moment
    ) -> [Action] {
        let deviation = deviation(octets, at: now.wall)
        guard deviation.isRight else {
            return [.note(.clockRefused, "\(behind); set, and now \(deviation)")]
                + over(.ignored)
        }
        return [.note(.clockSet, behind)] + over(.set)
    }

    private mutating func over(_ outcome: Outcome) -> [Action] {
        state = .over
        return [.finished(outcome)]
    }
}
