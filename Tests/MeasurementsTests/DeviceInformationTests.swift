import Measurements
import Testing

@Suite struct SystemIDTests {
    @Test func theIdentifierIsSentLowestOctetFirst() throws {
        let value = try SystemID(decoding: octets("debc9afeff563412"))
        #expect(value.eui64 == octets("123456fffe9abcde"))
        #expect(value.organizationallyUniqueIdentifier == octets("123456"))
    }

    @Test func anIdentifierSentHighestOctetFirstIsTurned() throws {
        let right = try SystemID(decoding: octets("debc9afeff563412"))
        #expect(try SystemID(decoding: octets("123456fffe9abcde")) == right)
    }
}

@Suite struct PnPIDTests {
    @Test func everyFieldIsRead() throws {
        let value = try PnPID(decoding: octets("02 6b1d 4602 4005 00"))
        #expect(value.vendorSourceName == "usb_if")
        #expect(value.vendorID == 0x1D6B && value.productID == 582)
        #expect(value.productVersion == 0x0540 && value.trailing == 1)
    }
}

@Suite struct RegulatoryCertificationDataListTests {
    @Test func theListIsBigEndian() throws {
        let value = try RegulatoryCertificationDataList(
            decoding: octets("0001 0006 ff 00 0002 beef aa"))
        #expect(value.entries.map(\.data) == [[0xBE, 0xEF]])
        #expect(value.entries.map(\.authBody) == [255])
        #expect(value.trailing == 1)
    }

    @Test(arguments: [
        "0001", "00010006ff", "0001 0000", "0001 0004 ff000001", "ffff 0004 ff000000",
    ])
    func aListShorterThanItSaysIsTruncated(hex: String) {
        let reason = reason { () throws(MalformedValue) in
            _ = try RegulatoryCertificationDataList(decoding: octets(hex))
        }
        #expect(reason?.symbol == "truncated")
    }

    @Test func anEntryStaysInsideTheList() {
        let value = try? RegulatoryCertificationDataList(
            decoding: octets("0001 0004 02 01 0002 beef"))
        #expect(value == nil)
    }
}

@Suite struct DeviceInformationStringTests {
    @Test(arguments: [
        ("4e6f6e696e", "Nonin"), ("4126440000", "A&D"), ("2020412042200920", "A B"),
        ("41004200", "A"), ("00", ""), ("20", ""), ("2000", ""), ("c3a9", "é"),
        ("41ff42", "A\u{FFFD}B"), ("410d0a", "A"),
    ])
    func paddingIsCutAndUTF8IsRepaired(hex: String, text: String) throws {
        #expect(try DeviceInformationString(decoding: octets(hex)).text == text)
    }

    @Test func noOctetsAreNoText() {
        #expect((try? DeviceInformationString(decoding: [])) == nil)
    }
}
