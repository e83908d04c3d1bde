import Measurements
import Samples
import Testing

/// Packets out of public bug reports; the number of the case stands in the name.
@Suite struct SampleCaseTests {
    private func texts(_ samples: [Sample]) -> [String?] { samples.map { $0.value?.description } }

    @Test func c01ASpotCheckOfAnUnsetClockKeepsItsValuesAndSaysSo() throws {
        let packet = try DecodedPacket(
            octets("1761006000e10701010122132000200000"), of: .plxSpotCheck)
        #expect(texts(packet.samples) == ["97", "96"])
        #expect(packet.samples.map(\.quality) == [.ok, .ok])
        #expect(packet.isClockNotSet)
        #expect(packet.samples[0].status.names == ["measurement_ongoing", "low_perfusion"])
    }

    @Test func c03TheShortestPacketIsTheSameOnBothCharacteristics() throws {
        let packet = try octets("0063005000")
        #expect(texts(try samples(.plxSpotCheck, packet)) == ["99", "80"])
        #expect(texts(try samples(.plxContinuous, packet)) == ["99", "80"])
    }

    @Test func c04ZerosWithAnExponentAreOutOfRangeAndNever240() throws {
        let samples = try samples(.plxContinuous, octets("0000f000f0"))
        #expect(texts(samples) == ["0.0", "0.0"])
        #expect(samples.map(\.quality) == [.outOfRange, .outOfRange])
    }

    @Test func c09ATemperatureOfTwoDecimalsIsExactInBothUnits() throws {
        let sample = try #require(try samples(.temperature, octets("00710e00fe")).first)
        let value = try #require(sample.value)
        #expect(value.description == "36.97")
        #expect(sample.unit.convert(value, to: .fahrenheit)?.description == "98.546")
    }

    @Test(arguments: [
        ("06680100ffe207030a15340002", "36.0"), ("066a0100ffe207030a14140002", "36.2"),
        ("06700100ffe207030a141b0002", "36.8"), ("065a0100ffe207030a141f0002", "34.6"),
    ])
    func c10AThermometersPacketsHaveTheValuesItShowed(packet: String, value: String) throws {
        let sample = try #require(try samples(.temperature, octets(packet)).first)
        #expect(sample.value?.description == value)
        #expect(sample.unit == .celsius)
        #expect(sample.site == TemperatureType(rawValue: 2))
        #expect(sample.quality == .ok)
    }

    @Test func c12AnIEEE754FloatIsFarOutOfRange() throws {
        let sample = try #require(try samples(.temperature, octets("00cdcc8c3f")).first)
        #expect(sample.value == DecimalNumber(mantissa: -7_549_747, exponent: 63))
        #expect(sample.quality == .outOfRange)
        #expect(!Quality.standard.contains(sample.quality))
    }

    @Test func c21TheUnitBitSetMeansFahrenheit() throws {
        let fahrenheit = try #require(try samples(.temperature, octets("01d70300ff")).first)
        let celsius = try #require(try samples(.temperature, octets("00d70300ff")).first)
        #expect(fahrenheit.unit == .fahrenheit)
        #expect(fahrenheit.quality == .ok)
        let value = try #require(fahrenheit.value)
        #expect(fahrenheit.unit.convert(value, to: .celsius)?.description == "36.83")
        #expect(celsius.unit == .celsius)
        #expect(celsius.quality == .outOfRange)
    }

    @Test func c38OneOctetIsNoHeartRate() {
        let error = #expect(throws: MalformedValue.self) { try samples(.heartRate, [0x44]) }
        #expect(error?.symbol == "truncated")
        let empty = #expect(throws: MalformedValue.self) { try samples(.heartRate, []) }
        #expect(empty?.symbol == "empty")
    }

    @Test func c63AllOnesAreNoValues() throws {
        let samples = try samples(.plxContinuous, octets("00ff00ffff"))
        #expect(texts(samples) == ["255", "-0.1"])
        #expect(samples.map(\.quality) == [.outOfRange, .outOfRange])
    }
}
