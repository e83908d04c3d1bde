import Measurements
import Samples
import Simulation
import Testing

/// What each fault does to what a make-believe sensor says.
@Suite struct SensorFaultTests {
    /// The first events of a sensor with faults.
    private func events(
        _ sensor: SimulatedSensor, _ faults: SensorFault..., count: Int = 200
    ) -> [GATTEvent] {
        var session = SimulatedSession(sensor, seed: 3, start: Instant(milliseconds: 0))
        var injector = FaultInjector(Set(faults))
        return (0..<count).flatMap { _ in injector.pass(session.next()) }
    }

    private func packets(_ events: [GATTEvent]) -> [GATTEvent] {
        events.filter { $0.kind == .notify || $0.kind == .indicate }
    }

    /// How the packets decode: the qualities of their samples; nil if they do not.
    private func qualities(_ events: [GATTEvent]) throws -> [[Quality]?] {
        try packets(events).map { event in
            let characteristic = try #require(event.characteristic)
            let kind = try #require(MeasurementCharacteristic(characteristic))
            return try? DecodedPacket(event.value, of: kind).samples.map(\.quality)
        }
    }

    @Test(arguments: SimulatedSensor.allCases)
    func withoutFaultsNothingIsChanged(sensor: SimulatedSensor) throws {
        var session = SimulatedSession(sensor, seed: 3, start: Instant(milliseconds: 0))
        #expect(events(sensor) == (0..<200).map { _ in session.next() })
        #expect(try qualities(events(sensor)).allSatisfy { $0 != nil })
    }

    @Test func withoutAFingerNoPacketHasAValue() throws {
        let found = try qualities(events(.oximeter, .noFinger))
        #expect(found.allSatisfy { $0?.contains(.ok) == false })
    }

    @Test(arguments: [SimulatedSensor.oximeter, .thermometer])
    func everyFifthPacketHoldsASpecialValue(sensor: SimulatedSensor) throws {
        let whole = packets(events(sensor)).map(\.value)
        let found = packets(events(sensor, .specialValues)).map(\.value)
        let changed = zip(whole, found).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        #expect(changed == Array(stride(from: 4, to: whole.count, by: 5)))
        #expect(Set(changed.map { Array(found[$0][1..<3]) }).count == 4)
        #expect(try qualities(events(sensor, .specialValues)).allSatisfy { $0 != nil })
    }

    @Test(arguments: SimulatedSensor.allCases)
    func everyFifthPacketIsCut(sensor: SimulatedSensor) throws {
        let whole = packets(events(sensor)).map(\.value.count)
        let found = packets(events(sensor, .truncated)).map(\.value.count)
        for (place, (whole, found)) in zip(whole, found).enumerated() {
            #expect(found == (place % 5 == 4 ? whole / 2 : whole))
        }
    }

    @Test func aClockThatWasNeverSetShowsNoDate() throws {
        for event in packets(events(.thermometer, .clockNotSet)) {
            let measurement = try TemperatureMeasurement(decoding: event.value)
            #expect(measurement.timeStamp?.civilTime == nil)
        }
    }

    @Test func eachPacketComesTwice() {
        let once = packets(events(.strap))
        #expect(packets(events(.strap, .repeats)) == once.flatMap { [$0, $0] })
    }

    @Test func theLinkIsLostAfterEveryTwentiethPacket() {
        var seen = 0
        for event in events(.strap, .drops, count: 100).dropFirst() {
            switch event.kind {
            case .notify, .indicate: seen += 1
            case .disconnect: #expect(seen % 20 == 0 && seen > 0)
            case .connect, .read, .write: break
            }
        }
        #expect(seen > 60)
        #expect(events(.strap, .drops, count: 100).count { $0.kind == .connect } == 1 + seen / 20)
    }

    @Test func afterTenPacketsNothingComes() {
        #expect(packets(events(.oximeter, .silence)).count == 10)
    }

    @Test(arguments: SensorFault.allCases)
    func timesNeverGoBack(fault: SensorFault) {
        let times = events(.oximeter, fault).map(\.at.milliseconds)
        #expect(times == times.sorted())
    }
}
