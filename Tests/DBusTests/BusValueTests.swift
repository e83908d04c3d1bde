import DBus
import Testing

@Suite struct BusValueTests {
    @Test func aPropertyListHasTheSignatureOfNamedVariants() {
        #expect(BusValue.properties([("Powered", .boolean(true))]).signature == "a{sv}")
    }
}
