import BlueZ
import DBus
import Glibc
import Measurements
import Testing

@testable import HealthDaemon

/// What is known of the host's own clock.
@Suite struct HostClockTests {
    private func moment(_ boot: Int64, wrongBy error: Int64 = 0) -> Moment {
        Moment(wall: Instant(milliseconds: 1_000_000 + boot + error), boot: boot)
    }

    @Test func theAnswerOfTimedatedCounts() {
        #expect(HostClock.isSynchronised(.success([.variant(.boolean(true))])))
        #expect(!HostClock.isSynchronised(.success([.variant(.boolean(false))])))
        #expect(!HostClock.isSynchronised(.success([])))
    }

    @Test("I3: after it was set it is asked again until it is right")
    func afterItWasSetItIsAskedAgain() {
        var inquiry = ClockInquiry()
        #expect(inquiry.due == nil)
        inquiry.begin(at: 100)
        var asked: [Int64] = []
        while let due = inquiry.due {
            let answers = [inquiry.isDue(at: due - 1), inquiry.isDue(at: due)]
            #expect(answers == [false, true])
            asked.append(due)
        }
        #expect(asked == [100, 5100, 65_100, 665_100])
        inquiry.begin(at: 0)
        inquiry.end()
        #expect(inquiry.due == nil)
    }

    @Test func whatWasNotedByAWrongClockIsToMove() {
        var stretches = ClockStretches(firstID: 1, at: moment(0, wrongBy: -5000))
        var shifts = stretches.note(isSynchronised: false, at: moment(1, wrongBy: -5000))
        stretches.begin(firstID: 7, at: moment(2, wrongBy: 300))
        shifts += stretches.note(isSynchronised: false, at: moment(3, wrongBy: 300))
        #expect(shifts == [])
        stretches.begin(firstID: 9, at: moment(4))
        shifts = stretches.note(isSynchronised: true, at: moment(5))
        #expect(
            shifts == [.init(ids: 1..<7, distance: 5000), .init(ids: 7..<9, distance: -300)])
        shifts = stretches.note(isSynchronised: true, at: moment(6))
        #expect(shifts == [])
    }

    @Test func whatWasNotedByARightClockStays() {
        var stretches = ClockStretches(at: moment(0))
        var shifts = stretches.note(isSynchronised: true, at: moment(1))
        stretches.begin(firstID: 5, at: moment(2, wrongBy: 9000))
        shifts += stretches.note(isSynchronised: false, at: moment(3, wrongBy: 9000))
        #expect(shifts == [])
        stretches.begin(firstID: 6, at: moment(4))
        shifts = stretches.note(isSynchronised: true, at: moment(5))
        #expect(shifts == [.init(ids: 5..<6, distance: -9000)])
    }

    @Test func aStepIsToldInSeconds() {
        #expect(ClockStep(90_460).text == "the clock was set 90.4 s forward")
        #expect(ClockStep(-1000).text == "the clock was set 1.0 s back")
    }

    @Test func aClockThatNobodySetsHasNoStep() throws {
        var watch = try ClockWatch(at: moment(0))
        var steps: [Int64?] = []
        for (boot, error) in [(50, 0), (60, 999), (70, 7999), (80, 7999)] as [(Int64, Int64)] {
            steps.append(watch.step(at: moment(boot, wrongBy: error)))
        }
        #expect(steps == [nil, nil, 7000, nil])
    }
}

@Suite struct BootTimerTests {
    @Test func aTimeInThePastRingsAtOnceAndOnlyOnce() throws {
        var timer = try BootTimer()
        timer.set(to: 1)
        #expect(isReady(timer.descriptor, within: 60_000))
        timer.noteRing()
        #expect(!isReady(timer.descriptor, within: 0))
        timer.set(to: 1)
        #expect(isReady(timer.descriptor, within: 60_000))
    }

    @Test func withoutATimeItDoesNotRing() throws {
        var timer = try BootTimer()
        timer.set(to: 1)
        timer.set(to: nil)
        #expect(!isReady(timer.descriptor, within: 0))
        timer.set(to: Clock.bootMilliseconds + 3_600_000)
        #expect(!isReady(timer.descriptor, within: 0))
    }

    private func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, milliseconds) > 0
    }
}
