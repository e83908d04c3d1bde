import Measurements
import Samples
import Testing

/// Values that a packet holds no number for.
@Suite struct AbsentValueTests {
    private static let words: [(Int, String)] = [
        (0x07FF, "NaN"), (0x0800, "NRes"), (0x07FE, "+INFINITY"), (0x0802, "-INFINITY"),
        (0x0801, "Reserved"),
    ]

    @Test(arguments: words)
    func aSpecialSFLOATIsAbsentForItsOwnReason(word: Int, reason: String) throws {
        let samples = try samples(.plxContinuous, plxContinuous((UInt16(word), 60)))
        #expect(samples[0].value == nil)
        #expect(samples[0].absent == reason)
        #expect(samples[0].quality == .absent)
        #expect(samples[1].value == DecimalNumber(60))
        #expect(samples[1].quality == .ok)
    }

    @Test(arguments: [
        (0x7FFFFF, "NaN"), (0x800000, "NRes"), (0x7FFFFE, "+INFINITY"), (0x800002, "-INFINITY"),
        (0x800001, "Reserved"),
    ])
    func aSpecialFLOATIsAbsentForItsOwnReason(mantissa: Int, reason: String) throws {
        let sample = try #require(try samples(.temperature, thermometer(mantissa, 0)).first)
        #expect(sample.value == nil)
        #expect(sample.absent == reason)
        #expect(sample.quality == .absent)
    }

    @Test func aSpecialWordIsAbsentWhateverElseTheBitsSay() throws {
        let status = 1 << 10 | 1 << 15
        let samples = try samples(
            .plxContinuous, plxContinuous((0x07FF, 60), status: status, sensor: 1 << 11))
        #expect(samples.map(\.quality) == [.absent, .demo])
        #expect(samples[0].absent == "NaN")
    }

    @Test func anUnavailableMeasurementHasNoValueDespiteItsNumber() throws {
        let samples = try samples(.plxContinuous, plxContinuous(status: 1 << 13))
        #expect(samples.map(\.value) == [nil, nil])
        #expect(
            samples.map(\.absent) == ["measurement_unavailable", "measurement_unavailable"])
    }

    @Test func aSpecialWordGivesTheReasonOfAnUnavailableMeasurement() throws {
        let samples = try samples(.plxContinuous, plxContinuous((0x0800, 60), status: 1 << 13))
        #expect(samples.map(\.absent) == ["NRes", "measurement_unavailable"])
    }

    @Test func aSpecialMantissaWithAnotherExponentIsANumber() throws {
        let samples = try samples(.plxContinuous, plxContinuous((0xF7FF, 0x7FFF)))
        #expect(samples[0].value?.description == "204.7")
        #expect(samples[1].value?.description == "-10000000")
        #expect(samples.map(\.absent) == [nil, nil])
        #expect(samples.map(\.quality) == [.outOfRange, .outOfRange])
    }
}
