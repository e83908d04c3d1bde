import Testing

@testable import healthctl

@Suite struct TextTableTests {
    private typealias Cell = TextTable.Cell

    private func table(_ alignment: TextTable.Alignment, _ texts: [String]) -> [String] {
        let columns = [TextTable.Column("HEAD", alignment), TextTable.Column("X")]
        let rows = texts.map { [Cell($0), Cell("x")] }
        return TextTable.text(columns, rows, isColored: false).split(separator: "\n").map {
            String($0)
        }
    }

    @Test func textsMeetAtTheirBeginning() {
        #expect(table(.left, ["a", "abcdef"]) == ["HEAD    X", "a       x", "abcdef  x"])
    }

    @Test func numbersMeetAtTheirEnd() {
        #expect(table(.right, ["1", "123456"]) == ["  HEAD  X", "     1  x", "123456  x"])
    }

    @Test func numbersMeetAtTheirPoint() {
        #expect(
            table(.point, ["97", "96.55", "100.0", "-"]) == [
                "  HEAD  X", " 97     x", " 96.55  x", "100.0   x", "  -     x",
            ])
    }

    @Test func aColumnWithoutTextsIsLeftOut() {
        #expect(table(.left, ["", ""]) == ["X", "x", "x"])
    }

    @Test func noLineEndsInBlanks() {
        let columns = [TextTable.Column("A"), TextTable.Column("B")]
        let text = TextTable.text(
            columns, [[Cell("a"), Cell("bbb")], [Cell("a"), Cell("")]], isColored: false)
        #expect(text == "A  B\na  bbb\na\n")
    }

    @Test func colourDoesNotCountAsWidth() {
        let columns = [TextTable.Column("A"), TextTable.Column("B")]
        let text = TextTable.text(columns, [[Cell("a", .bad), Cell("b")]], isColored: true)
        #expect(text == "\u{1B}[1mA\u{1B}[0m  \u{1B}[1mB\u{1B}[0m\n\u{1B}[31ma\u{1B}[0m  b\n")
    }

    @Test func aLaterRowMayBeWider() {
        let table = TextTable(
            [TextTable.Column("A"), TextTable.Column("B")], measuring: [], isColored: false)
        #expect(table.line([Cell("long"), Cell("b"), Cell("note")]) == "long  b  note")
    }

    @Test func controlCharactersReachNoTerminal() {
        #expect(Cell("a\u{1B}[31m\u{9B}b\n").text == "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}")
    }
}
