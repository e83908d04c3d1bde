import Testing

@testable import HealthDaemon

@Suite struct InputBufferTests {
    @Test func linesComeOutAsTheyCompleteHoweverTheyAreCut() {
        let text = Array("one\n\ntwo\nthree".utf8)
        for size in 1...text.count {
            var buffer = InputBuffer()
            var lines: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                buffer.append(text[start..<min(start + size, text.count)])
                while let line = buffer.takeLine() {
                    lines.append(String(decoding: line, as: UTF8.self))
                }
            }
            #expect(lines == ["one", "", "two"])
            #expect(buffer.takeAll() == Array("three".utf8))
            #expect(buffer.isEmpty)
        }
    }

    @Test func whatIsPutBackComesFirst() {
        var buffer = InputBuffer()
        buffer.append("half\nrest".utf8)
        #expect(buffer.takeLine().map(Array.init) == Array("half".utf8))
        buffer.putBack("first\n".utf8)
        #expect(buffer.takeLine().map(Array.init) == Array("first".utf8))
        #expect(buffer.takeLine() == nil)
        #expect(buffer.takeAll() == Array("rest".utf8))
    }

    @Test func itStaysSmallHoweverManyLinesPassThrough() {
        var buffer = InputBuffer()
        let line = Array((String(repeating: "x", count: 999) + "\n").utf8)
        buffer.append("y".utf8)
        var longest = 0
        for _ in 0..<1000 {
            buffer.append(line)
            _ = buffer.takeLine()
            buffer.append("y".utf8)
            longest = max(longest, buffer.count)
        }
        #expect(longest == 1)
    }
}
