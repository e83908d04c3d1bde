import Measurements
import Testing

/// What devices in the field sent, and the right reading of it.
@Suite struct DecodingCaseTests {
    @Test func c01AChoicemmedSpotCheckHasPulse96AndAnUnsetClock() throws {
        let value = try spotCheck("1761006000e10701010122132000200000")
        #expect(text(value.spo2) == "97" && text(value.pulseRate) == "96")
        #expect(
            value.timeStamp?.civilTime
                == CivilTime(year: 2017, month: 1, day: 1, hour: 1, minute: 34, second: 19))
        #expect(value.measurementStatus == .measurementOngoing)
        #expect(value.deviceAndSensorStatus == .lowPerfusion)
        #expect(value.isClockNotSet)
    }

    @Test func c03TheSmallestSpotCheckHasFiveOctets() throws {
        let value = try spotCheck("0063005000")
        #expect(text(value.spo2) == "99" && text(value.pulseRate) == "80" && !value.isClockNotSet)
        let continuous = try continuous("0063005000")
        #expect(text(continuous.normal.spo2) == "99" && text(continuous.normal.pulseRate) == "80")
    }

    @Test func c04ZeroWithAnExponentIsZero() throws {
        let value = try continuous("0000f000f0")
        #expect(text(value.normal.spo2) == "0.0" && text(value.normal.pulseRate) == "0.0")
    }

    @Test(arguments: [
        ("ff07", MedicalFloat.nan), ("0008", .nres), ("fe07", .positiveInfinity),
        ("0208", .negativeInfinity), ("0108", .reserved),
        ("ff7f", .finite(DecimalNumber(-10_000_000))),
    ])
    func c06SpecialValuesAreNoPercentages(hex: String, number: MedicalFloat) throws {
        let value = try continuous("00" + hex + hex)
        #expect(value.normal.spo2 == number && value.normal.pulseRate == number)
        #expect(text(try continuous("006100" + hex).normal.spo2) == "97")
    }

    @Test(arguments: [("710e00fe", "36.97"), ("6c0100ff", "36.4"), ("970d00fe", "34.79")])
    func c09AThermometersFLOATIsLittleEndian(hex: String, number: String) throws {
        let value = try temperature("00" + hex)
        #expect(text(value.temperature) == number && value.unit == .celsius)
    }

    @Test(arguments: [
        ("06680100ffe207030a15340002", "36.0", 21, 52),
        ("066a0100ffe207030a14140002", "36.2", 20, 20),
        ("06700100ffe207030a141b0002", "36.8", 20, 27),
        ("065a0100ffe207030a141f0002", "34.6", 20, 31),
    ])
    func c10StampedTemperaturesReadAsDisplayed(
        hex: String, number: String, hour: Int, minute: Int
    ) throws {
        let value = try temperature(hex)
        #expect(text(value.temperature) == number && value.type?.name == "body")
        #expect(
            value.timeStamp?.civilTime
                == CivilTime(year: 2018, month: 3, day: 10, hour: hour, minute: minute))
    }

    @Test func c12AnIEEE754FloatReadsAsTheNumberItSpells() throws {
        let number = try temperature("00cdcc8c3f").temperature.number
        #expect(number == DecimalNumber(mantissa: -7_549_747, exponent: 63))
        #expect(number?.description == "-7549747" + String(repeating: "0", count: 63))
    }

    @Test func c20ReservedFlagBitsAreTolerated() throws {
        let value = try continuous("e061004e00")
        #expect(text(value.normal.spo2) == "97" && text(value.normal.pulseRate) == "78")
        #expect(value.reservedFlags == 0xE0)
        #expect(text(MedicalFloat(sfloat: 0xF4F6)) == "127.0")
        #expect(text(MedicalFloat(sfloat: 0xF316)) == "79.0")
        #expect(text(MedicalFloat(sfloat: 0xF2B2)) == "69.0")
    }

    @Test func c21TheUnitFlagSetIsFahrenheit() throws {
        #expect(try temperature("01d70300ff").unit == .fahrenheit)
        #expect(try temperature("00d70300ff").unit == .celsius)
        #expect(text(try temperature("00d70300ff").temperature) == "98.3")
    }

    @Test(arguments: [("770100ff", "37.5"), ("000100ff", "25.6"), ("000001ff", "6553.6")])
    func c25AllOctetsOfTheMantissaCount(hex: String, number: String) throws {
        #expect(text(try temperature("00" + hex).temperature) == number)
    }

    @Test(
        arguments: [
            ("16770402", 119, [516]), ("1678ff01ff010c01", 120, [511, 511, 268]),
            ("167708020802", 119, [520, 520]),
        ] as [(String, UInt16, [UInt16])])
    func c28AHeartRateHasAsManyIntervalsAsFit(hex: String, rate: UInt16, intervals: [UInt16]) throws
    {
        let value = try HeartRateMeasurement(decoding: octets(hex))
        #expect(value.heartRate == rate && value.rrIntervals == intervals)
        #expect(value.contact == .detected && value.trailing == 0)
    }

    @Test func c30AnIntervalIsLittleEndian() throws {
        #expect(try HeartRateMeasurement(decoding: octets("164d1603")).rrIntervals == [790])
    }

    @Test(
        arguments: [("103eb103de", 62, 945), ("1039230435", 57, 1059), ("103dcf03ef", 61, 975)]
            as [(String, UInt16, UInt16)])
    func c32HalfAnIntervalIsLeftOut(hex: String, rate: UInt16, interval: UInt16) throws {
        let value = try HeartRateMeasurement(decoding: octets(hex))
        #expect(value.heartRate == rate && value.rrIntervals == [interval])
        #expect(value.contact == .unsupported && value.trailing == 1)
    }

    @Test func c38ASingleOctetIsNoHeartRate() {
        let short = reason { () throws(MalformedValue) in
            _ = try HeartRateMeasurement(decoding: [0x44])
        }
        #expect(short == .truncated(field: "Heart Rate", offset: 1, needed: 1, have: 1))
        let empty = reason { () throws(MalformedValue) in
            _ = try HeartRateMeasurement(decoding: [])
        }
        #expect(empty == .empty)
    }

    @Test func c63TheWordOfAllOnesIsMinusATenth() throws {
        let value = try continuous("00ff00ffff")
        #expect(text(value.normal.spo2) == "255" && text(value.normal.pulseRate) == "-0.1")
    }

    private func continuous(_ hex: String) throws -> PLXContinuousMeasurement {
        try PLXContinuousMeasurement(decoding: octets(hex))
    }

    private func spotCheck(_ hex: String) throws -> PLXSpotCheckMeasurement {
        try PLXSpotCheckMeasurement(decoding: octets(hex))
    }

    private func temperature(_ hex: String) throws -> TemperatureMeasurement {
        try TemperatureMeasurement(decoding: octets(hex))
    }

    private func text(_ number: MedicalFloat) -> String {
        number.number?.description ?? number.specialName ?? ""
    }
}
