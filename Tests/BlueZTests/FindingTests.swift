import BlueZ
import Testing

@Suite struct FindingTests {
    @Test func aFailureIsWorseThanAWarning() {
        #expect(Finding.Level.warn < .fail && Finding.Level.ok < .warn)
    }
}
