import Measurements
import Samples
import Testing

@Suite struct DecodedPacketTests {
    @Test func aFullContinuousPacketHasItsSevenValuesAtFixedPlaces() throws {
        let packet = try octets("1fd4f36300d4f36000caf363000001000000cee2")
        let samples = try samples(.plxContinuous, packet)
        #expect(samples.map(\.index) == [0, 1, 2, 3, 4, 5, 6])
        #expect(
            samples.map { $0.value?.description } == [
                "98.0", "99", "98.0", "96", "97.0", "99", "7.18",
            ])
        #expect(
            samples.map(\.type) == [
                .oxygenSaturation, .heartRate, .oxygenSaturation, .heartRate, .oxygenSaturation,
                .heartRate, .perfusionIndex,
            ])
        #expect(
            samples.map(\.modality) == [
                .continuous, .continuous, .fast, .fast, .slow, .slow, .continuous,
            ])
    }

    @Test(arguments: 0..<8)
    func aPlaceDoesNotDependOnTheFieldsBeforeIt(present: Int) throws {
        let fields = [[2, 3], [4, 5], [6]].enumerated().filter { present & 1 << $0.offset != 0 }
        let octets = plxContinuous(
            fast: present & 1 != 0 ? (96, 61) : nil, slow: present & 2 != 0 ? (95, 62) : nil,
            amplitude: present & 4 != 0 ? 3 : nil)
        let indices = try samples(.plxContinuous, octets).map(\.index)
        #expect(indices == [0, 1] + fields.flatMap(\.element))
    }

    @Test func aSpotCheckHasTheSamePlaces() throws {
        let samples = try samples(.plxSpotCheck, [8, 97, 0, 60, 0, 25, 0xF0])
        #expect(samples.map(\.index) == [0, 1, 6])
        #expect(samples.map(\.modality) == [.spot, .spot, .spot])
        #expect(samples.map { $0.value?.description } == ["97", "60", "2.5"])
    }

    @Test func aTemperatureIsOneSampleWithItsSite() throws {
        let final = try #require(try samples(.temperature, thermometer(366, -1, type: 2)).first)
        let shown = try #require(
            try samples(.intermediateTemperature, thermometer(366, -1)).first)
        #expect(final.index == 0)
        #expect(final.site == TemperatureType(rawValue: 2))
        #expect(final.modality == .final)
        #expect(shown.modality == .intermediate)
        #expect(shown.site == nil)
    }

    @Test func aStrapsIntervalsFollowFromPlaceSixteen() throws {
        let samples = try samples(.heartRate, strap(72, intervals: [516, 1024, 2048]))
        #expect(samples.map(\.index) == [0, 16, 17, 18])
        #expect(samples.map { $0.value?.description } == ["72", "503.90625", "1000", "2000"])
        #expect(samples.map(\.modality) == [.strap, .strap, .strap, .strap])
    }

    /// The decimal digits of `raw` / 1024 s in ms, by long division.
    private func milliseconds(_ raw: Int) -> String {
        var rest = raw * 1000 % 1024
        var digits = "\(raw * 1000 / 1024)" + (rest > 0 ? "." : "")
        while rest > 0 {
            digits += "\(rest * 10 / 1024)"
            rest = rest * 10 % 1024
        }
        return digits
    }

    @Test func everyIntervalPrintsExactly() throws {
        var wrong: [Int] = []
        for first in stride(from: 0, through: 0xFFFF, by: 256) {
            let raw = (first..<first + 256).map { UInt16($0) }
            let values = try samples(.heartRate, strap(intervals: raw)).dropFirst()
            let texts = values.map { $0.value?.description }
            wrong += zip(raw, texts).filter { milliseconds(Int($0)) != $1 }.map { Int($0.0) }
        }
        #expect(wrong == [])
    }

    @Test func aBatteryLevelIsOneSpotSample() throws {
        let samples = try samples(.batteryLevel, [85])
        #expect(samples.map(\.index) == [0])
        #expect(samples.map(\.modality) == [.spot])
        #expect(samples[0].unit == .percent)
    }

    @Test(arguments: MeasurementCharacteristic.allCases.filter { $0.uuid != nil })
    func aPacketHoldsOnlyTypesOfItsCharacteristic(of characteristic: MeasurementCharacteristic)
        throws
    {
        let packet: [UInt8] = [0x1F] + Array(repeating: 1, count: 30)
        let types = Set(try samples(characteristic, packet).map(\.type))
        #expect(types == Set(characteristic.types))
    }

    @Test(arguments: MeasurementCharacteristic.allCases)
    func noOctetsAreMalformed(of characteristic: MeasurementCharacteristic) {
        #expect(throws: MalformedValue.empty) { try samples(characteristic, []) }
    }

    @Test(arguments: MeasurementCharacteristic.allCases)
    func octetsOfAnyFlagsAndLengthDecodeInOrderOrDoNotAtAll(
        of characteristic: MeasurementCharacteristic
    ) {
        for flags in UInt8.min...UInt8.max {
            for length in 0...24 {
                let octets = [flags] + Array(repeating: 0xFF, count: length)
                guard let samples = try? samples(characteristic, octets) else { continue }
                let indices = samples.map(\.index)
                #expect(Set(indices).sorted() == indices)
                #expect(!samples.isEmpty)
                #expect(samples.allSatisfy { ($0.value == nil) == ($0.quality == .absent) })
                #expect(samples.allSatisfy { ($0.value == nil) == ($0.absent != nil) })
            }
        }
    }

    @Test func aNumberKeepsTheDigitsThatWereSent() throws {
        let words = [sfloat(97), sfloat(970, -1), sfloat(1940, -2)]
        let texts = try words.map {
            try samples(.plxContinuous, plxContinuous(($0, 60)))[0].value?.description
        }
        #expect(texts == ["97", "97.0", "19.40"])
    }
}
