import Measurements
import Samples
import Testing

/// The quality of a number, from the bit numbers in the order of the rules.
private func ruled(status: Int, sensor: Int = 0, isOutside: Bool = false) -> Quality {
    func measurement(_ bits: Int...) -> Bool { bits.contains { status & (1 << $0) != 0 } }
    func device(_ bits: Int...) -> Bool { bits.contains { sensor & (1 << $0) != 0 } }
    if measurement(13) { return .absent }
    if measurement(10, 11) { return .demo }
    if measurement(12, 15) || device(1, 11, 14, 15) { return .invalid }
    if isOutside { return .outOfRange }
    if measurement(14) || device(3, 4, 6, 7, 8, 10, 12, 13) { return .questionable }
    if measurement(6) && !measurement(7, 8) { return .questionable }
    return .ok
}

@Suite struct QualityTests {
    private static let singleBits = [0] + (0..<16).map { 1 << $0 }

    private func quality(_ octets: [UInt8]) throws -> [Quality] {
        try samples(.plxContinuous, octets).map(\.quality)
    }

    @Test func everyMeasurementStatusHasTheQualityOfTheRules() throws {
        let wrong = try (0...0xFFFF).filter { status in
            let rule = ruled(status: status)
            return try quality(plxContinuous(status: status)) != [rule, rule]
        }
        #expect(wrong == [])
    }

    @Test func everyDeviceAndSensorStatusHasTheQualityOfTheRules() throws {
        let wrong = try (0...0xFFFF).filter { sensor in
            let rule = ruled(status: 0, sensor: sensor)
            return try quality(plxContinuous(sensor: sensor)) != [rule, rule]
        }
        #expect(wrong == [])
    }

    @Test func reservedBitsOfTheSensorStatusMeanNothing() throws {
        #expect(try quality(plxContinuous(sensor: 0xFF0000)) == [.ok, .ok])
    }

    @Test func everyPairOfBitsOfBothFieldsHasTheQualityOfTheRules() throws {
        for status in Self.singleBits {
            for sensor in Self.singleBits {
                let inside = try quality(plxContinuous(status: status, sensor: sensor))
                let outside = try quality(
                    plxContinuous((0, 0), status: status, sensor: sensor))
                let rule = ruled(status: status, sensor: sensor)
                let rule0 = ruled(status: status, sensor: sensor, isOutside: true)
                #expect(inside == [rule, rule], "status \(status), sensor \(sensor)")
                #expect(outside == [rule0, rule0], "status \(status), sensor \(sensor)")
            }
        }
    }

    @Test(arguments: [
        (0x040, Quality.questionable), (0x0C0, .ok), (0x140, .ok), (0x1C0, .ok), (0x080, .ok),
        (0x100, .ok),
    ])
    func earlyDataCountsOnceItIsValidatedOrFullyQualified(status: Int, quality: Quality) throws {
        #expect(try self.quality(plxContinuous(status: status)) == [quality, quality])
    }

    @Test func theBitsConcernAllValuesOfAPacket() throws {
        let octets = plxContinuous(
            fast: (96, 61), slow: (95, 62), status: 1 << 15, amplitude: sfloat(25, -1))
        #expect(try quality(octets) == Array(repeating: .invalid, count: 7))
    }

    @Test func theBitsOfASpotCheckCountAsWell() throws {
        let wrong = try (0...0xFFFF).filter { status in
            let qualities = try samples(.plxSpotCheck, plxSpotCheck(status: status)).map(\.quality)
            return qualities != [ruled(status: status), ruled(status: status)]
        }
        #expect(wrong == [])
    }

    @Test func aLostContactMakesRateAndIntervalsInvalid() throws {
        let lost = try samples(.heartRate, strap(contact: .notDetected, intervals: [800, 900]))
        #expect(lost.map(\.quality) == [.invalid, .invalid, .invalid])
        #expect(lost[0].status.names == ["contact_not_detected"])
        let outside = try samples(.heartRate, strap(0, contact: .notDetected))
        #expect(outside.map(\.quality) == [.invalid])
    }

    @Test(arguments: [SensorContact.detected, .unsupported])
    func aStrapThatLostNothingIsGood(contact: SensorContact) throws {
        let samples = try samples(.heartRate, strap(contact: contact, intervals: [800]))
        #expect(samples.map(\.quality) == [.ok, .ok])
        #expect(samples[0].status.names == [])
    }

    @Test func answersHoldGoodAndQuestionableValuesOfSettledModalities() {
        #expect(Quality.standard == [.ok, .questionable])
        #expect(Modality.standard == [.spot, .continuous, .final, .strap, .imported])
    }
}
