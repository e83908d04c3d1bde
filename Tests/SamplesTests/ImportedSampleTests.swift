import Measurements
import Samples
import Testing

@Suite struct ImportedSampleTests {
    /// Samples with every part that octets can have.
    static let samples: [ImportedSample] = {
        let numbers = [
            DecimalNumber(97), DecimalNumber(mantissa: 970, exponent: -1),
            DecimalNumber(mantissa: -7, exponent: 3), DecimalNumber(0),
            DecimalNumber(mantissa: .max, exponent: -18),
            DecimalNumber(mantissa: .min, exponent: 127),
        ]
        let specials: [MedicalFloat] = [
            .nan, .nres, .positiveInfinity, .negativeInfinity, .reserved,
        ]
        let kinds = SampleType.allCases.flatMap { type in
            type.units.flatMap { unit in Modality.allCases.map { (type, unit, $0) } }
        }
        let plain = kinds.map { ImportedSample($0, .finite(DecimalNumber(97)), $1, $2) }
        let valued = (numbers.map { MedicalFloat.finite($0) } + specials).map {
            ImportedSample(.heartRate, $0, .perMinute)
        }
        return plain + valued + stated
    }()

    private static let stated: [ImportedSample] = {
        var status = PacketStatus.none
        status.measurement = [.validatedData, .invalidMeasurement]
        status.sensor = [.poorSignal, .sensorDisconnected]
        let full = ImportedSample(
            .bodyTemperature, .nan, .fahrenheit, .final, status: status,
            site: TemperatureType(name: "ear"), duration: .max)
        status.isContactLost = true
        return [full]
            + ImportedSample.statable.map { quality in
                var status = status
                status.stated = quality
                return ImportedSample(
                    .stepCount, .finite(DecimalNumber(8)), .count, status: status, duration: 1)
            }
    }()

    @Test(arguments: samples)
    func itsOctetsStandForIt(sample: ImportedSample) throws {
        #expect(try ImportedSample(decoding: sample.encoded) == sample)
    }

    @Test(arguments: samples)
    func octetsThatAreCutAreMalformed(sample: ImportedSample) {
        for count in 0..<sample.encoded.count {
            #expect(throws: MalformedValue.self) {
                try ImportedSample(decoding: Array(sample.encoded.prefix(count)))
            }
        }
    }

    @Test func equalSamplesHaveEqualOctetsAndOthersHaveOthers() {
        let octets = Self.samples.map(\.encoded)
        for (sample, one) in zip(Self.samples, octets) {
            for (other, another) in zip(Self.samples, octets) {
                // 97 and 97.0 are equal numbers, but not the same digits.
                let digits = [sample, other].map { $0.number.number?.description }
                #expect((sample == other && digits[0] == digits[1]) == (one == another))
            }
        }
    }

    @Test func aPulseTakesSixOctets() {
        let sample = ImportedSample(.heartRate, .finite(DecimalNumber(72)), .perMinute)
        #expect(sample.encoded == [1, 0x72, 1, 0, 0x90, 1])
    }

    @Test(arguments: [
        [7, 0x72, 1, 0, 2], [1, 0x79, 1, 0, 2], [1, 0x82, 1, 0, 2], [1, 0x72, 0x80, 5],
    ])
    func aNumberThatStandsForNothingIsMalformed(octets: [UInt8]) {
        #expect(throws: MalformedValue.self) { try ImportedSample(decoding: octets) }
    }

    @Test func aStatedQualityCountsBesideWhatTheNumberSays() {
        func quality(_ stated: Quality?, _ number: MedicalFloat) -> Quality {
            var status = PacketStatus.none
            status.stated = stated
            return ImportedSample(.heartRate, number, .perMinute, status: status).sample.quality
        }
        let number = MedicalFloat.finite(DecimalNumber(72))
        #expect(quality(nil, number) == .ok)
        #expect(quality(.questionable, number) == .questionable)
        #expect(quality(.invalid, number) == .invalid)
        #expect(quality(.demo, number) == .demo)
        #expect(quality(.questionable, .finite(DecimalNumber(0))) == .outOfRange)
        #expect(quality(.invalid, .nan) == .absent)
    }

    @Test func anImportedNumberMayHaveAsManyDecimalsAsItLikes() throws {
        let number = try #require(DecimalNumber("36.6666666666666643"))
        let sample = ImportedSample(.bodyTemperature, .finite(number), .celsius).sample
        #expect(sample.quality == .ok)
        #expect(sample.value?.description == "36.6666666666666643")
    }

    @Test(arguments: [
        ("0.97", SampleUnit.fraction, "97", SampleUnit.percent),
        ("0.29", .fraction, "29", .percent), ("0.285", .fraction, "28.5", .percent),
        ("0.9700", .fraction, "97.00", .percent), ("1", .fraction, "100", .percent),
        ("0.8125", .seconds, "812.5", .milliseconds), ("2", .seconds, "2000", .milliseconds),
        ("98.6", .fahrenheit, "98.6", .fahrenheit),
    ])
    func aNumberIsStoredInItsUnitOrOneThatMovesThePoint(
        text: String, unit: SampleUnit, stored: String, storedUnit: SampleUnit
    ) throws {
        let (number, result) = try #require(DecimalNumber(text)).stored(from: unit)
        #expect(number.description == stored)
        #expect(result == storedUnit)
    }
}

@Suite struct ImportAssemblerTests {
    private let sample = ImportedSample(.heartRate, .finite(DecimalNumber(72)), .perMinute)
    private let start = Instant(milliseconds: 1_606_780_800_000)

    private func ordinal(_ intake: Intake) -> Int? {
        guard case .reading(let reading) = intake.content else { return nil }
        return reading.ordinal
    }

    @Test func aSampleThatStandsInAFileTwiceIsTwoReadings() {
        var assembler = ImportAssembler()
        #expect(ordinal(assembler.take(sample, from: "Watch", start: start)) == 0)
        #expect(ordinal(assembler.take(sample, from: "Watch", start: start)) == 1)
        #expect(ordinal(assembler.take(sample, from: "Phone", start: start)) == 0)
        let later = start.advanced(byMilliseconds: 1)
        #expect(ordinal(assembler.take(sample, from: "Watch", start: later)) == 0)
    }

    @Test func aFileHasALimitedNumberOfSources() {
        var assembler = ImportAssembler()
        for source in 0..<ImportAssembler.sourceLimit {
            _ = assembler.take(sample, from: "\(source)", start: start)
        }
        let intake = assembler.take(sample, from: "one more", start: start)
        #expect(intake.content == .skipped(.tooManyDevices))
        #expect(ordinal(assembler.take(sample, from: "0", start: start)) == 1)
    }
}
