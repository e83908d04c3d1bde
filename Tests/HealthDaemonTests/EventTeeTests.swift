import Measurements
import Samples
import Synchronization
import Testing

@testable import HealthDaemon

@Suite struct EventTeeTests {
    private let device = RemoteDevice(DeviceAddress(bits: 7))

    private func event(_ second: Int64, zone: String? = nil) -> GATTEvent {
        GATTEvent(
            .notify, origin: .ble, device: device, characteristic: .heartRateMeasurement,
            value: [0, 60], at: Instant(milliseconds: second * 1000), zone: zone)
    }

    private func door(_ tee: EventTee?) -> EventDoor { EventDoor(hostZone: .utc, tee: tee) }

    @Test func whileNobodyRecordsNothingIsKept() {
        let wakings = Atomic<Int>(0)
        let tee = EventTee { wakings.add(1, ordering: .relaxed) }
        var door = door(tee)
        _ = door.take(event(1))
        #expect(!tee.isRecording)
        let recorder = tee.makeRecorder()
        #expect(recorder?.take().isEmpty == true)
        #expect(wakings.load(ordering: .relaxed) == 0)
    }

    @Test func whoRecordsGetsWhatComesInItsOrder() {
        let tee = EventTee {}
        var (one, other) = (door(tee), door(tee))
        let recorder = tee.makeRecorder()
        _ = (one.take(event(1)), other.take(event(2)), one.take(event(3)))
        let events = recorder?.take() ?? []
        #expect(events.map { $0.event.at.milliseconds } == [1000, 2000, 3000])
        #expect(events[0].source == events[2].source)
        #expect(events[0].source != events[1].source)
        #expect(recorder?.hasNews == false)
    }

    @Test func eventsNameTheZoneThatTheyAreReadIn() {
        let tee = EventTee {}
        var door = door(tee)
        let recorder = tee.makeRecorder()
        for zone in [nil, "Asia/Tokyo", "Mars/Base"] { _ = door.take(event(1, zone: zone)) }
        #expect(recorder?.take().map(\.event.zone) == ["UTC", "Asia/Tokyo", "UTC"])
    }

    @Test func oneWakingIsEnoughForAllThatWaits() {
        let wakings = Atomic<Int>(0)
        let tee = EventTee { wakings.add(1, ordering: .relaxed) }
        var door = door(tee)
        let recorder = tee.makeRecorder()
        for second in 0..<Int64(5) { _ = door.take(event(second)) }
        #expect(wakings.load(ordering: .relaxed) == 1)
        _ = recorder?.take()
        _ = door.take(event(9))
        #expect(wakings.load(ordering: .relaxed) == 2)
    }

    @Test func aRecorderThatIsFullGetsWhatCameBeforeAndNoMore() {
        let tee = EventTee {}
        var door = door(tee)
        let recorder = tee.makeRecorder()
        for second in 0..<Int64(EventTee.eventLimit) { _ = door.take(event(second)) }
        #expect(recorder?.cutAt == nil)
        _ = door.take(event(-1))
        #expect(recorder?.cutAt != nil)
        #expect(recorder?.take().count == EventTee.eventLimit)
        _ = door.take(event(-2))
        #expect(recorder?.take().isEmpty == true)
        #expect(recorder?.hasNews == true)
    }

    @Test func oneThatIsFullDoesNotHinderAnother() {
        let tee = EventTee {}
        var door = door(tee)
        let (slow, quick) = (tee.makeRecorder(), tee.makeRecorder())
        var taken = 0
        for second in 0..<Int64(EventTee.eventLimit) + 10 {
            _ = door.take(event(second))
            taken += quick?.take().count ?? 0
        }
        #expect(taken == EventTee.eventLimit + 10)
        #expect(slow?.cutAt != nil)
    }

    @Test func whatIsClosedGetsNoMoreAndKeepsWhatItHas() {
        let tee = EventTee {}
        var door = door(tee)
        let recorder = tee.makeRecorder()
        _ = door.take(event(1))
        recorder?.close()
        _ = door.take(event(2))
        #expect(recorder?.take().count == 1)
        #expect(recorder?.hasNews == false)
    }

    @Test func aRecorderThatNobodyHoldsIsGone() {
        let tee = EventTee {}
        var recorders = (0..<EventTee.recorderLimit).map { _ in tee.makeRecorder() }
        #expect(recorders.allSatisfy { $0 != nil })
        #expect(tee.makeRecorder() == nil)
        recorders = []
        #expect(!tee.isRecording)
        #expect(tee.makeRecorder() != nil)
    }
}
