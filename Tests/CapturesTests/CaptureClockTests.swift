import Captures
import Measurements
import Testing

@Suite struct CaptureClockTests {
    /// Notifications of an oximeter at these times.
    private func reading(_ times: [Int64]) -> CaptureReading {
        var script = HCIScript()
        script.connect()
        script.discover()
        for _ in times { script.notify(oximeterValue) }
        var packets = script.packets
        for (place, time) in times.enumerated() {
            packets[packets.count - times.count + place].time = time
        }
        return CaptureReading(BtsnoopWriter.file(packets, datalink: 1002))
    }

    private let now: Int64 = 1_795_554_100_000_000

    @Test("C78: times that go back and forth lose nothing, keep their order, and are told")
    func jumps() {
        let times = [now, now - 3_600_000_000, now + 5_000_000_000_000, now, -1_000_000, now]
        let reading = reading(times)
        let values = reading.events.filter { $0.kind == .notify }
        #expect(values.map(\.at.milliseconds) == times.map { $0 / 1000 })
        #expect(
            reading.remarks == [
                .clock(.back(milliseconds: 3_600_000), record: 7),
                .clock(.forward(milliseconds: 5_003_600_000), record: 8),
                .clock(.back(milliseconds: 5_000_000_000), record: 9),
                .clock(.unset(Instant(milliseconds: -1000)), record: 10),
                .clock(.forward(milliseconds: 1_795_554_101_000), record: 11),
            ])
        #expect(reading.account.clockFaults == 5)
    }

    @Test func aClockThatWasNotSetIsSaidOnce() {
        let reading = reading([5_000_000, 6_000_000, 7_000_000])
        #expect(
            reading.remarks == [
                .clock(.unset(Instant(milliseconds: 5000)), record: 6)
            ])
        #expect(
            reading.remarks.first?.description
                == "record 6: the recorder's clock was not set, it says 1970-01-01")
    }

    @Test func timesBeyondAllYearsAreHeld() {
        let reading = reading([.max - 0x00DC_DDB3_0F2F_8000, now])
        #expect(reading.remarks.first == .clock(.beyondRange, record: 6))
        #expect(reading.events[1].at == Instant.range.upperBound)
        #expect(reading.events.count == 3)
    }

    @Test func aSecondsFractionBeyondASecondIsItsEndAndSaid() {
        var script = HCIScript()
        script.connect()
        var octets = PcapWriter.file(script.packets, link: 187)
        octets.replaceSubrange(24 + 4..<24 + 8, with: [0xFF, 0xFF, 0xFF, 0x3B])
        let reading = CaptureReading(octets)
        #expect(reading.remarks == [.clock(.fraction, record: 1)])
        #expect(reading.events.first?.at.milliseconds == HCIScript.start / 1000 + 999)
    }

    @Test func onlyTheFirstTwentyFaultsAreToldOneByOne() {
        let times = (0..<100).map { now + ($0 % 2 == 0 ? 0 : -2_000_000) }
        let reading = reading(times)
        #expect(reading.remarks.count == 20)
        #expect(reading.account.clockFaults == 50)
        #expect(reading.events.count == 101)
    }

    @Test func smallStepsAndQuietHoursAreNoFaults() {
        #expect(reading([now, now - 900_000, now + 80_000_000_000]).remarks == [])
    }
}
