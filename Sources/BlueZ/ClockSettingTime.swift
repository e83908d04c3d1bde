internal import Measurements

extension ClockSetting {
    /// How far a clock is off.
    enum Deviation: Equatable, CustomStringConvertible {
        /// It shows no date, or one before there were sensors.
        case notSet
        /// The value is none that a clock has.
        case malformed
        /// It shows less than the local time by so many ms; negative if it shows more.
        case behind(Int64)

        /// Whether it need not be set.
        var isRight: Bool {
            switch self {
            case .notSet, .malformed: false
            case .behind(let ms): abs(ms) <= ClockSetting.tolerance
            }
        }

        /// How far it is behind in whole seconds; nil if that cannot be said.
        var seconds: Int64? {
            switch self {
            case .notSet, .malformed: nil
            case .behind(let ms): ms / 1000
            }
        }

        var description: String {
            switch self {
            case .notSet: "it was not set"
            case .malformed: "it showed no time"
            case .behind(let ms):
                ms < 0 ? "it was \(-ms / 1000) s ahead" : "it was \(ms / 1000) s behind"
            }
        }
    }

    /// How far the clock is off that shows these octets.
    func deviation(_ octets: [UInt8], at now: Instant) -> Deviation {
        guard let shown = try? shown(octets) else { return .malformed }
        guard let civil = shown.time.civilTime, civil.year >= Self.firstYear else {
            return .notSet
        }
        let local = localTime(now).time.secondsSince1970 * 1000 + now.fraction
        return .behind(local - civil.secondsSince1970 * 1000 - shown.fraction)
    }

    private func shown(
        _ octets: [UInt8]
    ) throws(MalformedValue) -> (time: DateTime, fraction: Int64) {
        guard clock.uuid == .currentTime else { return (try DateTime(decoding: octets), 0) }
        let value = try CurrentTime(decoding: octets)
        return (value.dateTime, Int64(value.fractions256) * 1000 / 256)
    }

    /// The local time as the clock's characteristic takes it.
    ///
    /// Current Time carries the fraction of the second; Date Time is rounded to the nearest second.
    func octets(at now: Instant) -> [UInt8] {
        guard clock.uuid == .currentTime else {
            return dateOctets(localTime(now.advanced(byMilliseconds: 500)).time)
        }
        let time = localTime(now).time
        let fraction = UInt8(truncatingIfNeeded: now.fraction * 256 / 1000)
        return dateOctets(time) + [
            dayOfWeek(time), fraction, AdjustReason.externalReference.rawValue,
        ]
    }

    private func dateOctets(_ time: CivilTime) -> [UInt8] {
        let year = UInt16(truncatingIfNeeded: time.year)
        let rest = [time.month, time.day, time.hour, time.minute, time.second]
        return [UInt8(year & 0xFF), UInt8(year >> 8)]
            + rest.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// 1 (Monday) to 7 (Sunday); 1970-01-01 was a Thursday.
    private func dayOfWeek(_ time: CivilTime) -> UInt8 {
        let days = time.daysSince1970 + 3
        return UInt8(truncatingIfNeeded: days - days.floorDivided(by: 7) * 7 + 1)
    }
}

extension Instant {
    /// The milliseconds since the last whole second.
    fileprivate var fraction: Int64 {
        milliseconds - milliseconds.floorDivided(by: 1000) * 1000
    }
}

extension ClockSetting.Outcome {
    /// What an operator is told who has ordered it.
    package var message: OperatorMessage {
        switch self {
        case .set, .right: .done("The sensor's clock is set.")
        case .left: .failed(.failed, text: "The sensor's clock is wrong, and was left so.")
        case .unwritable:
            .failed(.failed, text: "This sensor's clock cannot be set over Bluetooth.")
        case .unreadable(let why):
            .failed(.failed, text: "The sensor's clock could not be read (\(why)).")
        case .hostNotSynchronised:
            .failed(
                .failed,
                text: "This computer's own clock is not synchronised, so the sensor's was not set. "
                    + "See timedatectl.")
        case .refused(let why):
            .failed(.refused, text: "The sensor refused the time (\(why)).")
        case .ignored:
            .failed(.failed, text: "The sensor took the time, but still shows another one.")
        case .linkLost:
            .failed(.failed, text: "The link ended before the clock was set. Try again.")
        }
    }
}
