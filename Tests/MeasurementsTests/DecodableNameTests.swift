import Measurements
import Testing

@Suite struct DecodableNameTests {
    @Test(arguments: DecodableName.allCases)
    func everythingIsFoundByEachOfItsNames(name: DecodableName) {
        #expect(DecodableName(name.title) == name)
        #expect(DecodableName(name.title.uppercased()) == name)
        #expect(DecodableName(name.title.split(separator: " ").joined(separator: "-")) == name)
        #expect(DecodableName("\(name)") == name)
    }

    @Test(arguments: DecodableName.allCases)
    func aCharacteristicIsFoundByItsNumber(name: DecodableName) {
        guard let uuid = name.uuid else { return }
        #expect(DecodableName(uuid) == name)
        #expect(DecodableName("\(uuid)") == name)
        #expect(DecodableName("0x\(uuid)") == name)
        #expect(DecodableName("0X" + "\(uuid)".uppercased()) == name)
        #expect(DecodableName("0000\(uuid)-0000-1000-8000-00805f9b34fb") == name)
    }

    @Test func onlyTheseNumbersAreKnown() {
        let known = (UInt16.min...UInt16.max).filter { DecodableName(BluetoothUUID($0)) != nil }
        #expect(known.count == DecodableName.allCases.filter { $0.uuid != nil }.count)
        #expect(known.count == 22)
    }

    @Test func theOthersAreFoundByName() {
        #expect(DecodableName("2906@2a21") == .validRange)
        #expect(DecodableName("sfloat") == .sfloat)
        #expect(DecodableName("Float") == .float)
        #expect(DecodableName("plx_continuous") == .plxContinuousMeasurement)
    }

    @Test(arguments: [
        "", " ", "2a35", "2a00", "1822", "2a5", "2a5f0", "0x", "2906", "0000 2a5f", "plx", "é",
        "00002a5f-0000-1000-8000-00805f9b34fc", "\0", "2a5f\0",
    ])
    func otherTextIsUnknown(text: String) {
        #expect(DecodableName(text) == nil)
    }
}
