import Measurements
import Samples
import Storage
import Testing

/// What a query takes and leaves out.
@Suite struct FilterTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func texts(_ change: (inout SampleQuery) -> Void) throws -> [String] {
        var query = try store.everything()
        change(&query)
        return try store.answer(to: query).samples.texts
    }

    @Test func anIntervalHoldsItsStartAndNotItsEnd() throws {
        try store.run((0..<6).map { battery(UInt8($0), at: Int64($0)) })
        let (start, end) = (noon.advanced(byMilliseconds: 2), noon.advanced(byMilliseconds: 4))
        #expect(
            try texts {
                $0.start = start
                $0.end = end
            } == ["2", "3"])
        #expect(try texts { $0.start = end } == ["4", "5"])
        #expect(try texts { $0.end = start } == ["0", "1"])
        #expect(
            try texts {
                $0.start = start
                $0.end = start
            } == [])
    }

    @Test func aDeviceIsChosenByItsNumber() throws {
        try store.run((1...3).map { battery(UInt8($0), at: 0, device: UInt64($0)) })
        for device in try store.reader.devices() {
            #expect(try texts { $0.device = device.id } == [String(device.address.suffix(1))])
        }
        #expect(try texts { $0.device = 99 } == [])
    }

    @Test func anOriginIsThatOfTheFirstToBring() throws {
        try store.run([battery(1, at: 1, origin: .ble), battery(2, at: 2, origin: .replay)])
        try store.run([battery(1, at: 1, origin: .replay), battery(3, at: 3, origin: .import)])
        #expect(try texts { $0.origin = .ble } == ["1"])
        #expect(try texts { $0.origin = .replay } == ["2"])
        #expect(try texts { $0.origin = .import } == ["3"])
    }

    @Test func fastSlowAndIntermediateValuesComeOnlyIfAsked() throws {
        let pairs = octets(97) + octets(60) + octets(96) + octets(61) + octets(95) + octets(62)
        try store.run([
            event(.notify, .plxContinuousMeasurement, [3] + pairs, at: 0),
            event(.notify, .intermediateTemperature, [0, 0x6E, 1, 0, 0xFF], at: 1),
            event(.indicate, .temperatureMeasurement, [0, 0x6F, 1, 0, 0xFF], at: 2),
        ])
        #expect(try texts { $0.modalities = Modality.standard } == ["97", "60", "36.7"])
        #expect(try texts { $0.modalities = [.fast] } == ["96", "61"])
        #expect(try texts { $0.modalities = [.slow, .intermediate] } == ["95", "62", "36.6"])
    }

    @Test func typesAreTakenOneByOne() throws {
        try store.run([continuous(97, 60, at: 0), battery(50, at: 1)])
        #expect(try texts { $0.types = [.oxygenSaturation] } == ["97"])
        #expect(try texts { $0.types = [.heartRate, .batteryLevel] } == ["60", "50"])
        #expect(try texts { $0.types = [] } == [])
    }

    @Test func whatOnlyItsQualityLeavesOutIsCounted() throws {
        try store.run([
            continuous(97, at: 0), continuous(0, at: 1), continuous(0x07FF, at: 2),
            continuous(96, status: 1 << 14, at: 3), continuous(88, status: 1 << 15, at: 4),
        ])
        var query = SampleQuery(types: [.oxygenSaturation], newest: 5)
        let answer = try store.answer(to: query)
        #expect(answer.samples.texts == ["97", "96"])
        #expect(answer.excluded == 3)
        query.qualities = [.absent, .invalid]
        #expect(try store.answer(to: query).samples.texts == ["-", "88"])
        #expect(try store.answer(to: query).excluded == 3)
    }

    @Test func whatTheConditionLeavesOutIsNotCounted() throws {
        try store.run([
            continuous(97, status: 1 << 15, at: 0), continuous(85, status: 1 << 15, at: 1),
            continuous(0x07FF, at: 2), continuous(97, at: 3), continuous(86, at: 4),
        ])
        var query = SampleQuery(types: [.oxygenSaturation], newest: 5)
        query.condition = ValueCondition(.less, DecimalNumber(90))
        let answer = try store.answer(to: query)
        #expect(answer.samples.texts == ["86"])
        #expect(answer.excluded == 1)
    }

    @Test(arguments: [
        (ValueCondition.Comparison.less, ["96"]), (.lessOrEqual, ["96", "97"]),
        (.greater, ["98"]), (.greaterOrEqual, ["97", "98"]), (.equal, ["97"]),
        (.notEqual, ["96", "98"]),
    ])
    func aConditionComparesNumbers(
        comparison: ValueCondition.Comparison, expected: [String]
    ) throws {
        try store.run((96...98).map { battery($0, at: Int64($0)) })
        let number = try #require(DecimalNumber("97.0"))
        #expect(
            try texts { $0.condition = ValueCondition(comparison, number) } == expected)
    }

    @Test func aConditionIsMeantInTheUnitOfTheQuery() throws {
        try store.run([
            temperature(983, fahrenheit: true, at: 0), temperature(366, at: 1),
            temperature(375, at: 2),
        ])
        let celsius = try #require(DecimalNumber("36.83"))
        let fahrenheit = try #require(DecimalNumber("98.3"))
        #expect(
            try texts { $0.condition = ValueCondition(.lessOrEqual, celsius) } == ["98.3", "36.6"])
        #expect(
            try texts {
                $0.units = [.bodyTemperature: .fahrenheit]
                $0.condition = ValueCondition(.greaterOrEqual, fahrenheit)
            } == ["98.3", "37.5"])
    }

    @Test func aValueConvertsOrStaysAsItIs() throws {
        try store.run([temperature(983, fahrenheit: true, at: 0), battery(50, at: 1)])
        let samples = try store.answer(to: store.everything()).samples
        let celsius = samples[0].value(in: .celsius)
        #expect(celsius.number?.description == "36.83")
        #expect(celsius.unit == .celsius)
        let level = samples[1].value(in: .celsius)
        #expect(level.number?.description == "50")
        #expect(level.unit == .percent)
    }
}
