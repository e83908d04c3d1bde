internal import Captures
internal import ControlProtocol
internal import Measurements
internal import Samples

/// Takes the lines of an import: samples to readings, and what is known of their sources.
struct ImportIntake: ~Copyable {
    private var parser = ImportLineParser()
    private var assembler = ImportAssembler()
    /// What samples that name no source come from.
    private let source: String

    init(source: String) {
        self.source = source
    }

    /// Takes a line; nil is one that is too long.
    ///
    /// - Throws: Why it cannot be used.
    mutating func take(
        _ line: [UInt8]?, _ piece: inout ReplayPiece, _ assignments: inout ReplayAssignments
    ) throws(ImportDamage) {
        guard let line else {
            throw ImportDamage("longer than \(GattlogParser.longestLine) octets")
        }
        switch try parser.parse(line: line) {
        case .sample(let sample): take(sample, &piece, &assignments)
        case .source(let name, let attributes):
            let content = attributes.map { Intake.Content.attribute($0) }
            piece.intakes += content.map {
                Intake(device: .imported(name), at: Instant(milliseconds: 0), content: $0)
            }
        case .other: piece.tally.skip("otherClass")
        case .nothing: break
        }
    }

    private mutating func take(
        _ line: ImportedLine, _ piece: inout ReplayPiece, _ assignments: inout ReplayAssignments
    ) {
        let intake = assembler.take(
            line.sample, from: line.source ?? source, start: line.start,
            isAmbiguous: line.isAmbiguous)
        assignments.widen(to: intake, subject: line.subject)
        piece.intakes.append(intake)
    }
}
