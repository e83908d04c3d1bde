import ControlProtocol
import Imports
import JSON
import Samples

/// Takes octets for files of other programs.
enum ImportTarget {
    /// Converts a file at once and in small pieces: both bring out the same lines, each of which the
    /// daemon's parser takes or refuses with a reason.
    static func file(_ octets: [UInt8]) {
        let whole = ImportOutcome(octets, inPiecesOf: max(octets.count, 1))
        let pieces = ImportOutcome(octets, inPiecesOf: max(7, octets.count / 64))
        guard whole == pieces else {
            fatalError("where a file is cut into pieces matters: \(whole)\n\(pieces)")
        }
        var parser = ImportLineParser()
        for line in whole.lines.split(separator: UInt8(ascii: "\n")) { parse(Array(line), &parser) }
    }

    /// Takes octets for a line of an import: a sample is the same once it is written again.
    static func line(_ octets: [UInt8]) {
        var parser = ImportLineParser()
        guard case .sample(let sample) = parse(octets, &parser) else { return }
        var json = JSONWriter()
        sample.writeObject(to: &json)
        precondition(
            parse(json.octets, &parser) == .sample(sample), "what is written can be read")
        var assembler = ImportAssembler()
        _ = assembler.take(
            sample.sample, from: sample.source ?? "", start: sample.start,
            isAmbiguous: sample.isAmbiguous)
    }

    @discardableResult
    private static func parse(_ line: [UInt8], _ parser: inout ImportLineParser) -> ImportItem? {
        do throws(ImportDamage) {
            return try parser.parse(line: line)
        } catch {
            precondition(!error.why.isEmpty, "an error says what is wrong")
            return nil
        }
    }
}

/// All that a file has brought out.
struct ImportOutcome: Equatable, CustomStringConvertible {
    /// The lines for the daemon.
    private(set) var lines: [UInt8] = []
    private var remarks: [String] = []
    private var others: [String: Int] = [:]
    private var damage: String?

    /// What comes out of octets that are fed so many at a time.
    init(_ octets: [UInt8], inPiecesOf size: Int) {
        var converter = ImportConverter(zone: Zone(named: "Europe/Berlin") ?? .utc)
        for start in stride(from: 0, to: octets.count, by: size) {
            converter.feed(Array(octets[start..<min(octets.count, start + size)]))
            drain(&converter)
        }
        converter.finish()
        drain(&converter)
        (others, damage) = (converter.others, converter.damage)
    }

    var description: String {
        "\(others) \(damage ?? "whole") \(remarks)\n\(String(decoding: lines, as: UTF8.self))"
    }

    private mutating func drain(_ converter: inout ImportConverter) {
        while let lines = converter.next() { self.lines += lines }
        remarks += converter.takeRemarks()
    }
}
