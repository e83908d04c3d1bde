import Testing

@testable import HealthDaemon

@Suite struct WatchdogTests {
    private var watchdog = Watchdog(timeout: 60_000, at: 1000)

    @Test mutating func itAsksAtOnceAndVouchesWhenAllHaveTurned() {
        #expect(watchdog.nextDeadline == 1000)
        #expect(watchdog.handle(.deadline, at: 1000) == [.ask(.writer), .ask(.serving)])
        #expect(watchdog.nextDeadline == nil)
        #expect(watchdog.handle(.turned(.serving), at: 1001).isEmpty)
        #expect(watchdog.handle(.turned(.writer), at: 1002) == [.vouch])
    }

    @Test mutating func itAsksTwiceInTheTimeout() {
        turn(at: 1000)
        #expect(watchdog.nextDeadline == 31_000)
        #expect(watchdog.handle(.deadline, at: 30_999).isEmpty)
        #expect(watchdog.handle(.deadline, at: 31_000).count == 2)
    }

    @Test(arguments: Watchdog.Loop.allCases)
    mutating func aLoopThatHangsIsNeverVouchedFor(hanging: Watchdog.Loop) {
        _ = watchdog.handle(.deadline, at: 1000)
        for loop in Watchdog.Loop.allCases where loop != hanging {
            #expect(watchdog.handle(.turned(loop), at: 1001).isEmpty)
            #expect(watchdog.handle(.turned(loop), at: 1002).isEmpty)
        }
        #expect(watchdog.handle(.deadline, at: 100_000).isEmpty)
        #expect(watchdog.nextDeadline == nil)
    }

    @Test mutating func aLoopThatWasBusyIsVouchedForWhenItTurnsAgain() {
        _ = watchdog.handle(.deadline, at: 1000)
        _ = watchdog.handle(.turned(.serving), at: 1001)
        #expect(watchdog.handle(.turned(.writer), at: 50_000) == [.vouch])
        #expect(watchdog.nextDeadline == 80_000)
    }

    @Test mutating func aWordThatNobodyAskedForIsNone() {
        turn(at: 1000)
        for loop in Watchdog.Loop.allCases {
            #expect(watchdog.handle(.turned(loop), at: 2000).isEmpty)
        }
        #expect(watchdog.nextDeadline == 31_000)
    }

    private mutating func turn(at now: Int64) {
        _ = watchdog.handle(.deadline, at: now)
        for loop in Watchdog.Loop.allCases { _ = watchdog.handle(.turned(loop), at: now) }
    }
}
