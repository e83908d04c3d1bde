import Testing

@testable import healthctl

@Suite struct LoneDotFilterTests {
    private func sent(_ pieces: [[UInt8]]) -> String {
        var filter = LoneDotFilter()
        let octets = pieces.flatMap { filter.pass($0) } + filter.end()
        return String(decoding: octets, as: UTF8.self)
    }

    @Test(arguments: [
        ("", ".\n"), ("a\n", "a\n.\n"), ("a", "a\n.\n"), (".\n", ". \n.\n"), (".", ". \n.\n"),
        (".\r\n", ".\r \n.\n"), (".\r", ".\r \n.\n"), ("a.\n", "a.\n.\n"), ("..\n", "..\n.\n"),
        (". \n", ". \n.\n"), ("\n.\n.\nb", "\n. \n. \nb\n.\n"), (".\r\r\n", ".\r\r\n.\n"),
        ("{\"a\":1}\n.\nx\n", "{\"a\":1}\n. \nx\n.\n"),
    ])
    func onlyALoneDotIsChangedInWhateverPieces(_ text: String, _ wanted: String) {
        let octets = Array(text.utf8)
        for place in 0...octets.count {
            #expect(sent([Array(octets[..<place]), Array(octets[place...])]) == wanted)
        }
        #expect(sent(octets.map { [$0] }) == wanted)
    }
}
