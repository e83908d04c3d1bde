import Measurements
import Samples
import Testing

@testable import HealthDaemon

/// Live readings between the sensor and the disk.
@Suite struct LiveBacklogTests {
    private func intakes(_ count: Int, octets: Int = 5) -> [Intake] {
        var assembler = ReadingAssembler(hostZone: .utc)
        let value = [UInt8](repeating: 0, count: octets)
        return (0..<count).map { place in
            assembler.handle(
                GATTEvent(
                    .notify, origin: .ble, device: RemoteDevice(DeviceAddress(bits: 1)),
                    characteristic: .plxContinuousMeasurement, value: value,
                    at: Instant(milliseconds: Int64(place))))
        }
    }

    private func times(_ backlog: LiveBacklog) -> [Int64] {
        backlog.waiting.map(\.at.milliseconds)
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
        #expect(backlog.waiting.first?.at.milliseconds == 7)
    }

    @Test func longPacketsFillItBeforeTheirNumberDoes() {
        var backlog = LiveBacklog()
        let count = 20_000
        backlog.append(intakes(count, octets: 512))
        #expect(backlog.lost > 0)
        #expect(backlog.waiting.count * 512 <= LiveBacklog.octetLimit)
        #expect(backlog.waiting.count + backlog.lost == count)
        #expect(backlog.waiting.last?.at.milliseconds == Int64(count - 1))
    }

    @Test func whatIsGivenUpWhileItIsTakenIsNotTakenTwice() {
        var backlog = LiveBacklog()
        backlog.append(intakes(LiveBacklog.readingLimit))
        backlog.noteTaken()
        backlog.noteTaken()
        backlog.append(intakes(1))
        #expect(backlog.lost == 1)
        #expect(backlog.waiting.first?.at.milliseconds == 2)
        backlog.noteCommitted()
        #expect(backlog.waiting.first?.at.milliseconds == 2)
        #expect(backlog.waiting.count == LiveBacklog.readingLimit - 1)
    }
}
