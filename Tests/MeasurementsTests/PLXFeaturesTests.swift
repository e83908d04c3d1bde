import Measurements
import Testing

@Suite struct PLXFeaturesTests {
    @Test func bothSupportFieldsAreRead() throws {
        let value = try PLXFeatures(decoding: octets("a300 4010 800100"))
        #expect(
            value.features
                == [.measurementStatus, .deviceAndSensorStatus, .spo2PRSlow, .multipleBonds])
        #expect(value.measurementStatusSupport == [.earlyEstimatedData, .calibrationOngoing])
        #expect(value.deviceAndSensorStatusSupport == [.nonpulsatileSignal, .questionablePulse])
    }

    @Test func everyFeatureWordNeedsItsLength() {
        for word in UInt16.min...UInt16.max {
            let needed = (word & 1 != 0 ? 2 : 0) + (word & 2 != 0 ? 3 : 0)
            let head = [UInt8(word & 0xFF), UInt8(word >> 8)]
            let whole = head + [UInt8](repeating: 0, count: needed)
            let value = try? PLXFeatures(decoding: whole + [1])
            if value?.trailing != 1 || value?.reservedFlags != word & 0xFF00
                || (try? PLXFeatures(decoding: whole.dropLast())) != nil
            {
                Issue.record("\(word)")
            }
        }
    }
}
