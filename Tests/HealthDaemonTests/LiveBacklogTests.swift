import Measurements
import Samples
import Storage
import Testing

@testable import HealthDaemon

/// Live readings between the sensor and the disk.
@Suite struct LiveBacklogTests {
    private func intakes(_ count: Int, octets: Int = 5) -> [LiveItem] {
        var assembler = ReadingAssembler(hostZone: .utc)
        let value = [UInt8](repeating: 0, count: octets)
        return (0..<count).map { place in
            .intake(
                assembler.handle(
                    GATTEvent(
                        .notify, origin: .ble, device: RemoteDevice(DeviceAddress(bits: 1)),
                        characteristic: .plxContinuousMeasurement, value: value,
                        at: Instant(milliseconds: Int64(place)))))
        }
    }

    private func times(_ backlog: LiveBacklog) -> [Int64] {
        backlog.waiting.map(\.time)
    }

    @Test func whatTheStoreHasTakenIsForgottenOnlyWhenItIsCommitted() {
        var backlog = LiveBacklog()
        backlog.append(intakes(3))
        backlog.noteTaken()
        backlog.noteTaken()
        #expect(times(backlog) == [2])
        backlog.noteRolledBack()
        #expect(times(backlog) == [0, 1, 2])
        backlog.noteTaken()
        backlog.noteCommitted()
        #expect(times(backlog) == [1, 2])
        #expect(backlog.lost == 0)
    }

    @Test func aFullBacklogGivesUpTheOldestAndCountsThem() {
        var backlog = LiveBacklog()
        backlog.append(intakes(LiveBacklog.readingLimit + 7))
        #expect(backlog.lost == 7)
        #expect(backlog.waiting.count == LiveBacklog.readingLimit)
        #expect(backlog.waiting.first?.time == 7)
    }

    @Test func anEntryOfTheLedgerThatIsGivenUpIsNoLostReading() {
        var backlog = LiveBacklog()
        let row = LedgerRow(
            at: Instant(milliseconds: -1), device: nil, event: "link-up", detail: "")
        backlog.append([.note(row)] + intakes(LiveBacklog.readingLimit + 2))
        #expect(backlog.lost == 2)
        #expect(backlog.waiting.first?.time == 2)
    }

    @Test func longPacketsFillItBeforeTheirNumberDoes() {
        var backlog = LiveBacklog()
        let count = 20_000
        backlog.append(intakes(count, octets: 512))
        #expect(backlog.lost > 0)
        #expect(backlog.waiting.count * 512 <= LiveBacklog.octetLimit)
        #expect(backlog.waiting.count + backlog.lost == count)
        #expect(backlog.waiting.last?.time == Int64(count - 1))
    }

    @Test func whatIsGivenUpWhileItIsTakenIsNotTakenTwice() {
        var backlog = LiveBacklog()
        backlog.append(intakes(LiveBacklog.readingLimit))
        backlog.noteTaken()
        backlog.noteTaken()
        backlog.append(intakes(1))
        #expect(backlog.lost == 1)
        #expect(backlog.waiting.first?.time == 2)
        backlog.noteCommitted()
        #expect(backlog.waiting.first?.time == 2)
        #expect(backlog.waiting.count == LiveBacklog.readingLimit - 1)
    }
}

extension LiveItem {
    fileprivate var time: Int64 {
        switch self {
        case .intake(let intake): intake.at.milliseconds
        case .note(let row): row.at.milliseconds
        }
    }
}
