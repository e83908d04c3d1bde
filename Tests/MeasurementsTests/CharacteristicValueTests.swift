import Measurements
import Testing

@Suite struct CharacteristicValueTests {
    @Test func theVectorsAreThere() {
        #expect(Vector.all.count == 418)
        #expect(Set(Vector.all.map(\.name)) == Set(DecodableName.allCases))
    }

    @Test func everyPrefixOfEveryVectorDecodesOrSaysWhatIsMissing() {
        for vector in Vector.all {
            for length in 0...vector.octets.count {
                check(vector.name, Array(vector.octets.prefix(length)))
            }
        }
    }

    @Test(arguments: DecodableName.allCases)
    func randomOctetsDecodeOrSayWhatIsMissing(name: DecodableName) {
        var generator = SeededGenerator(seed: 5)
        for length in 0...64 {
            for _ in 0..<50 { check(name, generator.octets(length)) }
        }
    }

    @Test(arguments: DecodableName.allCases)
    func aValueThatDecodesStillDecodesWithMoreOctets(name: DecodableName) {
        for vector in Vector.all where vector.name == name {
            guard (try? CharacteristicValue(name, decoding: vector.octets)) != nil else { continue }
            let longer = vector.octets + [0xAA, 0xBB]
            #expect((try? CharacteristicValue(name, decoding: longer)) != nil)
        }
    }

    /// A reason must tell the truth about the octets.
    private func check(_ name: DecodableName, _ octets: [UInt8]) {
        let reason = reason { () throws(MalformedValue) in
            _ = try CharacteristicValue(name, decoding: octets)
        }
        #expect((reason == .empty) == octets.isEmpty)
        if case .truncated(_, let offset, let needed, let have) = reason {
            #expect(offset + needed > have && have <= octets.count)
        }
    }
}
