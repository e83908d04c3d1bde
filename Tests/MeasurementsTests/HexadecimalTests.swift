import Testing

import Measurements

@Suite struct HexadecimalTests {
    @Test func everyOctetRoundTrips() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(hexOctets(hexText(all).utf8) == all)
        #expect(hexOctets(hexText(all).uppercased().utf8) == all)
        #expect(hexText(all).hasPrefix("000102"))
    }

    @Test func onlyTwentyTwoCharactersAreDigits() {
        let digits = (UInt8.min...UInt8.max).filter { hexDigit($0) != nil }
        #expect(digits == Array("0123456789ABCDEFabcdef".utf8))
        #expect("0123456789abcdef".utf8.compactMap { hexDigit($0) } == Array(0...15))
    }

    @Test(arguments: ["0", "0g", "00 ", "0x00", "001"])
    func otherTextIsNoOctets(text: String) {
        #expect(hexOctets(text.utf8) == nil)
    }

    @Test func noDigitsAreNoOctets() {
        #expect(hexOctets("".utf8) == [])
    }
}

@Suite struct DeviceAddressTests {
    @Test func anAddressRoundTripsInUpperCase() {
        #expect(DeviceAddress("00:1c:05:Ff:02:03")?.description == "00:1C:05:FF:02:03")
        #expect(DeviceAddress("00:1C:05:01:02:03")?.bits == 0x001C_0501_0203)
        #expect(DeviceAddress(bits: 0xFFFF_0000_0000_0001).description == "00:00:00:00:00:01")
    }

    @Test(arguments: [
        "", "00:1C:05:01:02", "00:1C:05:01:02:03:04", "00-1C-05-01-02-03", "001C05010203",
        "00:1C:05:01:02:0", "00:1C:05:01:02:0g", "00:1C:05:01:2:003", ":::::",
    ])
    func otherTextIsNoAddress(text: String) {
        #expect(DeviceAddress(text) == nil)
    }
}
