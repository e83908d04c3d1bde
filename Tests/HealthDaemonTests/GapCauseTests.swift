import BlueZ
import Measurements
import Storage
import Testing

@testable import HealthDaemon

/// Why nothing came, as the ledger tells it.
@Suite struct GapCauseTests {
    private func row(
        _ event: LedgerEntry.Event, _ seconds: Int64, _ detail: String = ""
    ) -> LedgerRow {
        LedgerRow(
            at: Instant(milliseconds: seconds * 1000), device: nil, event: event.rawValue,
            detail: detail)
    }

    private func silence(packets: Int = 0, longestPause: Int64 = 3_600_000) -> Silence {
        Silence(
            start: Instant(milliseconds: 100_000), end: Instant(milliseconds: 3_700_000),
            packets: packets, longestPause: longestPause,
            reasons: packets > 0 ? ["NaN": packets] : [:])
    }

    private func cause(_ rows: [LedgerRow], isLive: Bool = true) -> GapCause {
        ExplainedGap(silence(), rows, isLive: isLive).cause
    }

    @Test("B4: an adapter that is switched off explains the lost link")
    func anAdapterThatIsOffExplainsTheLostLink() {
        #expect(cause([row(.linkDown, 101), row(.adapterOff, 102)]) == .adapterOff)
        #expect(cause([row(.adapterOff, 101), row(.linkDown, 102)]) == .adapterOff)
    }

    @Test func whatHappensMuchLaterDoesNotExplainTheBeginning() {
        let rows = [row(.linkDown, 101, "Remote"), row(.bluetoothdDown, 2000)]
        let gap = ExplainedGap(silence(), rows, isLive: true)
        #expect(gap.cause == .linkDown)
        #expect(gap.evidence.first == "1970-01-01T00:01:41.000+00:00 link down (Remote)")
    }

    @Test func whatHappensLaterIsBetterThanNothing() {
        #expect(cause([row(.bluetoothdDown, 2000)]) == .bluetoothdDown)
    }

    @Test func aStartAfterACrashExplainsWhatWasBeforeIt() {
        #expect(cause([row(.started, 3600, LedgerRow.afterCrash)]) == .healthdCrashed)
        #expect(cause([row(.started, 3600, "after an orderly end")]) == .unknown)
        #expect(cause([row(.stopped, 101), row(.started, 3600)]) == .healthdStopped)
    }

    @Test("I3: a clock that was set makes gaps that are none")
    func aClockThatWasSetExplainsMoreThanALostLink() {
        #expect(cause([row(.linkDown, 101), row(.hostClockSet, 102)]) == .clockSet)
    }

    @Test func whatNobodyHasNotedIsUnknown() {
        #expect(cause([]) == .unknown)
        #expect(cause([row(.armed, 101), row(.firstFrame, 3700)]) == .unknown)
        #expect(cause([], isLive: false) == .recorded)
    }

    @Test("I8: packets without a value are a finger that is out, not a lost link")
    func packetsWithoutAValueSayThatNobodyWearsIt() {
        let worn = ExplainedGap(
            silence(packets: 3600, longestPause: 1000), [row(.linkDown, 3000)], isLive: true)
        #expect(worn.cause == .noValue)
        #expect(worn.evidence == ["3600 packets without a value (NaN 3600)"])
        let gone = ExplainedGap(silence(packets: 3), [row(.linkDown, 105)], isLive: true)
        #expect(gone.cause == .linkDown)
        #expect(gone.evidence.first == "3 packets without a value (NaN 3)")
    }

    @Test func everyEventThatIsACauseHasASentence() {
        for event in LedgerEntry.Event.allCases {
            guard let cause = GapCause(row(event, 1)) else { continue }
            #expect(!cause.text.isEmpty)
        }
        #expect(Set(GapCause.allCases.map(\.text)).count == GapCause.allCases.count)
    }
}

/// Times in which no sensor could be heard.
@Suite struct OutageFinderTests {
    private func row(
        _ event: LedgerEntry.Event, _ seconds: Int64, _ detail: String = "",
        of device: DeviceAddress? = DeviceAddress(bits: 1)
    ) -> LedgerRow {
        LedgerRow(
            at: Instant(milliseconds: seconds), device: device, event: event.rawValue,
            detail: detail)
    }

    private func outages(_ rows: [LedgerRow]) -> [String] {
        var finder = OutageFinder()
        return (rows.flatMap { finder.take($0) } + finder.rest).map { gap in
            let end = gap.end.map { "\($0.milliseconds)" } ?? ""
            return "\(gap.cause.rawValue) \(gap.start.milliseconds)-\(end)"
        }
    }

    @Test(arguments: [
        (LedgerEntry.Event.bluetoothdDown, LedgerEntry.Event.bluetoothdUp, "bluetoothd-down"),
        (.bluetoothdUnresponsive, .bluetoothdUp, "bluetoothd-unresponsive"),
        (.busClosed, .bluetoothdUp, "bus-gone"), (.adapterOff, .adapterOn, "adapter-off"),
        (.adapterRemoved, .adapterAdded, "adapter-removed"),
        (.hostSuspended, .hostResumed, "host-suspended"),
        (.stopped, .started, "healthd-stopped"), (.bondLost, .firstFrame, "bond-lost"),
        (.refused, .firstFrame, "refused"), (.resolvedEmpty, .firstFrame, "resolved-empty"),
        (.unwanted, .adopted, "unwanted"), (.forgotten, .paired, "forgotten"),
        (.removedElsewhere, .paired, "removed-elsewhere"),
    ])
    func anOutageLastsUntilItIsOver(
        from: LedgerEntry.Event, to: LedgerEntry.Event, cause: String
    ) {
        #expect(outages([row(from, 1), row(.linkDown, 2), row(to, 5)]) == ["\(cause) 1-5"])
        #expect(outages([row(from, 1), row(from, 2)]) == ["\(cause) 1-"])
    }

    @Test func aSensorThatHangsUpIsNoOutage() {
        #expect(outages([row(.linkUp, 1), row(.linkDown, 2), row(.lost, 3)]) == [])
    }

    @Test func aStartEndsWhatWasBefore() {
        #expect(
            outages([row(.bluetoothdDown, 1), row(.stopped, 2), row(.started, 4)])
                == ["bluetoothd-down 1-4", "healthd-stopped 2-4"])
    }

    @Test func ofACrashOnlyTheStartAfterItIsKnown() {
        #expect(outages([row(.started, 4, LedgerRow.afterCrash)]) == ["healthd-crashed 4-4"])
        #expect(outages([row(.started, 4, "after an orderly end")]) == [])
    }

    @Test("B5: an adapter that is plugged in again is off no longer, unless it is")
    func anAdapterThatIsPluggedInAgainIsOffNoLonger() {
        let unplugged = [row(.adapterOff, 1, "hci0"), row(.adapterRemoved, 2, "hci0")]
        #expect(
            outages(unplugged + [row(.adapterAdded, 5, "hci0, on")])
                == ["adapter-off 1-5", "adapter-removed 2-5"])
        #expect(
            outages(
                unplugged + [row(.adapterAdded, 5, "hci0, off"), row(.adapterOn, 7, "hci0")])
                == ["adapter-removed 2-5", "adapter-off 1-7"])
    }

    @Test func aRefusalOfAnAdapterIsAMomentSinceNobodyNotesItsEnd() {
        let text = "hci0 cannot be switched on"
        #expect(outages([row(.refused, 4, text, of: nil)]) == ["refused 4-4"])
    }

    @Test(arguments: [LedgerEntry.Event.agentRefused, .clockRefused, .recordsRefused])
    func aRefusalThatKeepsNoReadingAwayIsNoOutage(event: LedgerEntry.Event) {
        #expect(outages([row(event, 4, "why")]) == [])
    }

    @Test func aPossibleLossIsAMoment() {
        #expect(outages([row(.possibleLoss, 4, "why")]) == ["possible-loss 4-4"])
    }
}
