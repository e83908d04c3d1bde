import ControlProtocol
import Testing

/// A request that is written as a line is the same request when the line is read.
@Suite struct RequestLineTests {
    private static let texts = [
        "samples", "", " ", "a b", "a=b", "=", "-=", "@tag", "@", "\"", "\\", "a\"b", "two\nlines",
        "ä", "#", "a=\"b c\"",
    ]

    @Test(arguments: texts) func everyVerbComesBack(text: String) throws {
        #expect(try Request(Request(verb: text).line.utf8).verb == text)
    }

    @Test(arguments: texts, texts) func argumentsComeBack(first: String, second: String) throws {
        let line = Request(verb: "samples", arguments: [first, second]).line
        let read = try Request(line.utf8)
        #expect(read.arguments == [first, second])
        #expect(read.options.isEmpty && read.tag == nil)
    }

    @Test(arguments: texts) func valuesAndTagsComeBack(text: String) throws {
        let option = Request.Option(key: "device", value: text)
        let read = try Request(Request(verb: "v", options: [option], tag: "7=x\"").line.utf8)
        #expect(read["device"] == text)
        #expect(read.arguments.isEmpty && read.tag == "7=x\"")
    }

    @Test func whatNeedsNoQuotesHasNone() {
        let request = Request(
            verb: "samples", arguments: ["spo2"],
            options: [Request.Option(key: "where", value: "value<90")], tag: "1")
        #expect(request.line == "@1 samples spo2 where=value<90")
    }
}
