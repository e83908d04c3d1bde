import Measurements
import Samples
import Testing

/// Whoever comes into a link late gets the events that say how its clock goes.
@Suite struct ClockEvidenceTests {
    /// What can happen to a clock at 14:00 in Berlin.
    private enum Step: CaseIterable {
        case writing
        case readingRight
        case readingReference
        case readingWrong
        case readingOtherwiseWrong

        func happen(in script: inout SensorScript) {
            switch self {
            case .writing: script.send(.write, .dateTime, dateTime(2026, 6, 1, 14))
            case .readingRight: script.send(.read, .dateTime, dateTime(2026, 6, 1, 13, 59, 59))
            case .readingReference:
                script.send(.read, .currentTime, dateTime(2026, 6, 1, 14) + [1, 0, 2])
            case .readingWrong: script.send(.read, .dateTime, dateTime(2026, 6, 1, 13, 20))
            case .readingOtherwiseWrong: script.send(.read, .dateTime, dateTime(2026, 6, 1, 9))
            }
        }
    }

    /// Every way in which as many steps can follow each other.
    private func sequences(of count: Int) -> [[Step]] {
        guard count > 0 else { return [[]] }
        return sequences(of: count - 1).flatMap { before in Step.allCases.map { before + [$0] } }
    }

    @Test(arguments: 0...4)
    func behindAConnectTheEvidenceLeadsToTheSameTimes(steps: Int) throws {
        for sequence in sequences(of: steps) {
            var link = try SensorScript()
            link.zone = "Europe/Berlin"
            sequence.forEach { $0.happen(in: &link) }
            var late = try SensorScript(hostZone: "Asia/Tokyo")
            late.send(.connect)
            let evidence = link.assembler.clockEvidence(of: link.device.address)
            #expect(evidence.count <= 2)
            for event in evidence { _ = late.assembler.handle(event) }
            late.zone = "Europe/Berlin"
            let stamp = dateTime(2026, 6, 1, 8, 59, 30)
            #expect(
                try late.temperature(stamp: stamp) == link.temperature(stamp: stamp),
                "\(sequence)")
        }
    }

    @Test func aNewLinkHasNone() throws {
        var script = try SensorScript()
        Step.readingWrong.happen(in: &script)
        script.send(.disconnect)
        #expect(script.assembler.clockEvidence(of: script.device.address).isEmpty)
    }

    @Test(arguments: [
        (nil as String?, "Europe/Berlin"), ("Asia/Tokyo", "Asia/Tokyo"),
        ("Mars/Base", "Europe/Berlin"),
    ])
    func itNamesTheZoneThatWasReadIn(_ named: String?, _ inForce: String) throws {
        var script = try SensorScript()
        script.zone = named
        Step.readingWrong.happen(in: &script)
        let evidence = script.assembler.clockEvidence(of: script.device.address)
        #expect(evidence.map(\.zone) == [inForce])
    }
}
