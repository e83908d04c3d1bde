import Testing

@testable import healthctl

@Suite struct LineBufferTests {
    private func lines(
        _ pieces: [[UInt8]], limit: Int = .max
    ) -> [(text: String, isCut: Bool)] {
        var buffer = LineBuffer(limit: limit)
        var lines: [LineBuffer.Line] = []
        for piece in pieces {
            buffer.append(piece)
            while let line = buffer.next() { lines.append(line) }
        }
        if let line = buffer.last() { lines.append(line) }
        return lines.map { (String(decoding: $0.octets, as: UTF8.self), $0.isCut) }
    }

    @Test func linesAreTheSameInWhateverPiecesTheyArrive() {
        let text = Array("one\n\ntwo\0x\nthree".utf8)
        for first in text.indices {
            for second in first..<text.count {
                let pieces = [text[..<first], text[first..<second], text[second...]].map {
                    Array($0)
                }
                #expect(lines(pieces).map(\.text) == ["one", "", "two\0x", "three"])
            }
        }
    }

    @Test func nothingBehindTheLastEndIsNoLine() {
        #expect(lines([Array("one\n".utf8)]).map(\.text) == ["one"])
        #expect(lines([]).isEmpty)
    }

    @Test func aLineBeyondTheLimitIsCutAndTheNextIsWhole() {
        let text = Array("1234567890\n12345\n123456\nlonger again".utf8)
        for size in 1...text.count {
            let pieces = stride(from: 0, to: text.count, by: size).map {
                Array(text[$0..<min($0 + size, text.count)])
            }
            let lines = lines(pieces, limit: 5)
            #expect(lines.map(\.text) == ["12345", "12345", "12345", "longe"])
            #expect(lines.map(\.isCut) == [true, false, true, true])
        }
    }
}
