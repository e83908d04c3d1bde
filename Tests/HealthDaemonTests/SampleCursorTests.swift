import ControlProtocol
import Measurements
import Storage
import Testing

@testable import HealthDaemon

@Suite struct SampleCursorTests {
    private func cursor(_ text: String, epoch: String = "e") throws -> SampleCursor? {
        let after = Request.Option(key: "after", value: text)
        return try SampleCursor.inRequest(
            Request(verb: "samples", options: [after]), epoch: epoch)
    }

    @Test func aCursorComesBackAsItWasGiven() throws {
        let position = SamplePosition(time: Instant(milliseconds: -5), seq: 9, index: .max)
        let given = SampleCursor(epoch: "e", newest: 17, position: position)
        let back = try #require(try cursor(given.text))
        #expect(back.text == given.text)
        #expect(back.newest == 17)
        #expect(back.position.time.milliseconds == -5)
        #expect(back.position.seq == 9)
        #expect(back.position.index == .max)
    }

    @Test func aRequestWithoutACursorHasNone() throws {
        #expect(try SampleCursor.inRequest(Request(verb: "samples"), epoch: "e") == nil)
    }

    @Test func theCursorOfAnotherStoreIsForeign() {
        #expect {
            try cursor("other.1.1.1.1")
        } throws: {
            ($0 as? ProtocolError)?.symbol == .anchorForeign
        }
    }

    @Test(arguments: ["", "e", "e.1.1.1", "e.1.1.1.1.1", "e.1.x.1.1", "e.1.1.1.", "e.1.1.1.1 "])
    func aTextOfAnotherFormIsABadValue(text: String) {
        #expect {
            try cursor(text)
        } throws: {
            ($0 as? ProtocolError)?.symbol == .badValue
        }
    }
}
