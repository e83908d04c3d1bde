import Measurements
import Samples
import Testing

@Suite struct SampleChoiceTests {
    /// A packet of each kind, with as many values as there can be.
    private let packets: [(MeasurementCharacteristic, [UInt8])] = [
        (
            .plxContinuous,
            plxContinuous(fast: (96, 61), slow: (95, 62), status: 0, sensor: 0, amplitude: 3)
        ),
        (.plxSpotCheck, plxSpotCheck()), (.temperature, thermometer(366, -1)),
        (.intermediateTemperature, thermometer(366, -1)), (.heartRate, strap(intervals: [9, 8])),
        (.batteryLevel, [50]),
    ]

    @Test func whatIsChosenIsWhatIsLeftOfAll() {
        var reused: [Sample] = []
        for type in SampleType.allCases {
            for modality in Modality.allCases {
                let choice = SampleChoice(types: [type], modalities: [modality])
                for (characteristic, octets) in packets {
                    DecodedPacket.decode(octets, characteristic, choice, into: &reused)
                    let all = DecodedPacket.samples(of: octets, characteristic)
                    #expect(reused == all.filter { $0.type == type && $0.modality == modality })
                }
            }
        }
    }

    @Test func aPacketThatDoesNotDecodeLeavesNothingOfTheOneBefore() {
        var reused: [Sample] = []
        DecodedPacket.decode([50], .batteryLevel, .all, into: &reused)
        #expect(reused.count == 1)
        DecodedPacket.decode([1], .plxContinuous, .all, into: &reused)
        #expect(reused.isEmpty)
    }

    @Test(arguments: Quality.allCases) func aQualityIsChosenAlone(quality: Quality) {
        let choice = QualityChoice([quality])
        #expect(Quality.allCases.filter { choice.contains($0) } == [quality])
    }
}
