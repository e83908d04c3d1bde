package import Measurements

/// A quarter of an hour of UTC, counted from 1970.
///
/// Every civil offset in use since 2000 is a multiple of 15 minutes, so that a local day is made of
/// whole quarters.
package struct Quarter: Hashable, Comparable, Sendable {
    /// Quarters since 1970-01-01T00:00Z.
    package let number: Int64

    /// The length of a quarter in ms.
    package static let milliseconds: Int64 = 900_000

    /// The quarter of this number.
    package init(_ number: Int64) {
        self.number = number
    }

    /// The quarter that an instant lies in, or the nearest that there is.
    package init(containing instant: Instant) {
        let milliseconds = instant.advanced(byMilliseconds: 0).milliseconds
        number = milliseconds.floorDivided(by: Self.milliseconds)
    }

    /// The quarter of a number that anybody may have written, or the nearest that there is.
    init(stored number: Int64) {
        let (first, last) = (BlockLimits.quarters.lowerBound, BlockLimits.quarters.upperBound)
        self.init(min(max(number, first.number), last.number))
    }

    /// Its first instant.
    package var start: Instant { Instant(milliseconds: number * Self.milliseconds) }
    /// The first instant behind it.
    package var end: Instant { next.start }
    /// The one that follows.
    package var next: Quarter { Quarter(number + 1) }

    package static func < (left: Quarter, right: Quarter) -> Bool { left.number < right.number }
}
