package import Measurements

/// A point in time on both of the host's clocks.
package struct Moment: Equatable, Sendable {
    /// What the host's calendar clock shows; it can jump.
    package let wall: Instant
    /// CLOCK_BOOTTIME in ms: it never jumps, and goes on while the host sleeps. Deadlines are in it.
    package let boot: Int64

    /// The moment that the two clocks show.
    package init(wall: Instant, boot: Int64) {
        self.wall = wall
        self.boot = boot
    }
}
