import Testing

import Measurements

@Suite struct BluetoothUUIDTests {
    @Test func everyAssignedNumberRoundTrips() {
        for number in UInt16.min...UInt16.max {
            let uuid = BluetoothUUID(number)
            if uuid.short != number || BluetoothUUID(uuid.description) != uuid {
                Issue.record("\(number)")
            }
        }
    }

    @Test(arguments: [
        "2a5f", "2A5F", "00002a5f", "00002a5f-0000-1000-8000-00805f9b34fb",
        "00002A5F00001000800000805F9B34FB",
    ])
    func theSameCharacteristicHasSeveralSpellings(text: String) {
        #expect(BluetoothUUID(text) == .plxContinuousMeasurement)
    }

    @Test(arguments: [
        "00012a5f-0000-1000-8000-00805f9b34fb", "00002a5f-0000-1000-8000-00805f9b34fc",
        "00002a5f-0000-1001-8000-00805f9b34fb",
    ])
    func aVendorsUUIDHasNoShortNumber(text: String) {
        #expect(BluetoothUUID(text)?.short == nil)
        #expect(BluetoothUUID(text)?.description == text)
    }

    @Test(arguments: ["", "-", "2a5", "2a5g", "2a5f0", "0x2a5f", "2a5f 2a5f", "é2a5"])
    func otherTextIsNoUUID(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }

    @Test func textOfAMegabyteIsNoUUID() {
        #expect(BluetoothUUID(String(repeating: "a", count: 1_000_000)) == nil)
    }
}
