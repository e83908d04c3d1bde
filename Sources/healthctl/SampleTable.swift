/// The table of samples, printed while they come.
///
/// The first rows decide which columns there are and how wide they are; later ones tell at their
/// end what has no column.
struct SampleTable {
    private let isColored: Bool
    private var waiting: [SampleRow] = []
    private var layout: SampleLayout?

    /// So many rows decide.
    static let deciding = 1000

    /// A table without rows.
    init(isColored: Bool) {
        self.isColored = isColored
    }

    /// Prints a row, or holds it back until the columns are decided.
    ///
    /// - Throws: A failure of the output.
    mutating func add(
        _ row: SampleRow, zone: String?, to output: inout StandardOutput
    ) throws(Failure) {
        if let layout { return try output.writeLine(layout.line(row).utf8) }
        waiting.append(row)
        if waiting.count == Self.deciding { try decide(zone, &output) }
    }

    /// Prints what was held back.
    ///
    /// - Throws: A failure of the output.
    mutating func finish(zone: String?, to output: inout StandardOutput) throws(Failure) {
        if !waiting.isEmpty { try decide(zone, &output) }
    }

    private mutating func decide(_ zone: String?, _ output: inout StandardOutput) throws(Failure) {
        let layout = SampleLayout(waiting, zone: zone, isColored: isColored)
        try output.writeLine(layout.heading.utf8)
        for row in waiting { try output.writeLine(layout.line(row).utf8) }
        waiting = []
        self.layout = layout
    }
}
