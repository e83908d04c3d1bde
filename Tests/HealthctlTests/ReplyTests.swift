import ControlProtocol
import JSON
import Testing

@testable import healthctl

@Suite struct ReplyHeaderTests {
    private func parsed(_ text: String) -> ReplyHeader? { ReplyHeader(Array(text.utf8)[...]) }

    @Test func otherRemarksAreNoHeader() {
        #expect(parsed("# working") == nil)
        #expect(parsed("# lines=1 stored=1") == nil)
        #expect(parsed("#") == nil)
    }

    @Test func nothingIsSaidWithoutNeed() throws {
        let header = try #require(parsed("# interval=[,) tz=UTC excluded=0"))
        #expect(header.zone == "UTC")
        #expect(header.remarks(samples: 1) == [])
    }

    @Test func whatIsLeftOutIsSaid() throws {
        let header = try #require(parsed("# interval=[,) excluded=1234"))
        let wanted = "1,234 samples left out for their quality: show them with --quality all"
        #expect(header.remarks(samples: 5) == [wanted])
        #expect(header.remarks(samples: 0) == ["no samples", wanted])
    }

    @Test func oneThatIsLeftOutIsSaidInTheSingular() {
        #expect(
            parsed("# interval=[,) excluded=1")?.remarks(samples: 5)
                == ["1 sample left out for its quality: show it with --quality all"])
    }

    @Test func anEmptyIntervalIsNamed() throws {
        let from = "2026-11-29T00:00:00.000+01:00"
        let until = "2026-11-30T00:00:00.000+01:00"
        #expect(
            parsed("# interval=[\(from),\(until)) excluded=0")?.remarks(samples: 0)
                == ["no samples from 2026-11-29 00:00:00 until 2026-11-30 00:00:00"])
        #expect(
            parsed("# interval=[\(from),-)")?.remarks(samples: 0)
                == ["no samples from 2026-11-29 00:00:00"])
    }
}

@Suite struct ReplyLineTests {
    private func kind(_ text: String) -> String {
        switch ReplyLine(Array(text.utf8)[...]) {
        case .remark: "remark"
        case .object: "object"
        case .row: "row"
        case .end(.ok): "ok"
        case .end(.failure): "failure"
        }
    }

    @Test(arguments: [
        ("# x", "remark"), ("{}", "object"), ("2026", "row"), ("-1", "row"), ("OK n=1\r", "ok"),
        ("ERR 400 syntax : no", "failure"), ("", "remark"), ("Odd", "remark"),
        ("\u{FFFD}", "remark"),
    ])
    func theFirstOctetTellsTheKind(_ text: String, _ wanted: String) {
        #expect(kind(text) == wanted)
    }
}

@Suite struct IndentedJSONTests {
    @Test func membersAndElementsHaveALineEach() throws {
        var parser = JSONParser()
        let json = #"{"a":97.00,"b":[],"c":{"d":["x\n",null,true]},"e":{}}"#
        let text = String(decoding: indented(try parser.value(of: Array(json.utf8))), as: UTF8.self)
        #expect(
            text == """
                {
                  "a": 97.00,
                  "b": [],
                  "c": {
                    "d": [
                      "x\\n",
                      null,
                      true
                    ]
                  },
                  "e": {}
                }

                """)
    }
}

@Suite struct UnreachableTests {
    @Test func theReasonAndWhatToDoAreTold() {
        let missing = Unreachable.failure(path: "/s", SystemError(2))
        #expect(missing.exitCode == 69)
        #expect(missing.message.contains("/s: No such file or directory; is healthd running?"))
        let denied = Unreachable.failure(path: "/s", SystemError(13))
        #expect(denied.message.contains("sudo adduser $USER healthd"))
    }
}
