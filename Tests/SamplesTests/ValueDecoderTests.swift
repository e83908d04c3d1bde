import Measurements
import Testing

@testable import Samples

/// The fast decoder of one type says what the decoder of all says.
@Suite struct ValueDecoderTests {
    /// The values that the whole packet has.
    private func slowValues(
        _ packet: [UInt8], _ characteristic: MeasurementCharacteristic, _ type: SampleType,
        _ modalities: Set<Modality>, _ qualities: Set<Quality>
    ) -> [ValueDecoder.Value] {
        DecodedPacket.samples(of: packet, characteristic).filter {
            $0.type == type && modalities.contains($0.modality)
        }.map { sample in
            let counts = qualities.contains(sample.quality)
            return ValueDecoder.Value(
                index: sample.index, number: counts ? sample.standardValue : nil)
        }
    }

    private func randomPacket(using random: inout some RandomNumberGenerator) -> [UInt8] {
        var packet = (0..<Int.random(in: 0...22, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        if !packet.isEmpty, Bool.random(using: &random) { packet[0] &= 0x1F }
        // Words that are percents or specials, and few status bits, as sensors send them.
        for place in stride(from: 1, to: packet.count - 1, by: 2) where Bool.random(using: &random)
        {
            let word = [0x60, 0x07FF, 0x0800, 0xF3B7, 0x0000, 0x0100].randomElement(using: &random)
            packet[place] = UInt8((word ?? 0) & 0xFF)
            packet[place + 1] = UInt8((word ?? 0) >> 8)
        }
        return packet
    }

    @Test(arguments: MeasurementCharacteristic.allCases)
    func itSaysWhatTheWholePacketSays(characteristic: MeasurementCharacteristic) {
        var random = SystemRandomNumberGenerator()
        for type in characteristic.types {
            for qualities in [Quality.standard, Set(Quality.allCases), [.invalid]] {
                let modalities = Bool.random() ? Modality.standard : Set(Modality.allCases)
                var decoder = ValueDecoder(
                    characteristic, type, in: type.defaultUnit, modalities, qualities)
                for _ in 0..<1500 {
                    let packet = randomPacket(using: &random)
                    var values: [ValueDecoder.Value] = []
                    decoder.append(packet.span, to: &values)
                    let right = slowValues(packet, characteristic, type, modalities, qualities)
                    #expect(values == right, "\(packet) \(type)")
                }
            }
        }
    }

    @Test(arguments: 0...255 as ClosedRange<UInt8>)
    func everySetOfFlagsAndEveryLengthIsTheSame(flags: UInt8) {
        for type in [SampleType.oxygenSaturation, .heartRate, .perfusionIndex] {
            var decoder = ValueDecoder(
                .plxContinuous, type, in: type.defaultUnit, Set(Modality.allCases),
                Set(Quality.allCases))
            for length in 1...22 {
                let rest: [UInt8] = (1..<length).map { $0 % 2 == 0 ? 0 : UInt8(90 + $0 % 9) }
                let packet = [flags] + rest
                var values: [ValueDecoder.Value] = []
                decoder.append(packet.span, to: &values)
                #expect(
                    values
                        == slowValues(
                            packet, .plxContinuous, type, Set(Modality.allCases),
                            Set(Quality.allCases)))
            }
        }
    }
}
