import Captures

/// Writes what comes out of a file as a recording: a recording as it is, a capture converted.
struct RecordingWriter: Sendable {
    /// What there is to be said about a capture, so far.
    private(set) var remarks: [String] = []
    private let name: String
    private var writer = GattlogWriter()
    private var recording: [UInt8] = []
    private var hasBegun = false
    private var told = 0

    /// Remarks that are kept: more than that help nobody.
    private static let remarkLimit = 1000

    /// A writer of the file that is called so in messages.
    init(_ name: String) {
        self.name = name.split(separator: "/").last.map { String($0) } ?? name
    }

    /// Writes in its order what has come out.
    mutating func write(_ output: CaptureOutput) {
        var lines = [EventLine?](repeating: nil, count: output.wholes.count)
        for entry in output.entries {
            switch entry {
            case .whole(let place): write(output.wholes[place])
            case .again(let place, let value, let instant):
                if lines[place] == nil { lines[place] = line(output.wholes[place]) }
                guard let line = lines[place] else { continue }
                writer.write(line, output.octets.span.extracting(value), at: instant)
            }
        }
    }

    private mutating func write(_ item: CaptureItem) {
        switch item {
        case .event(let event):
            begin()
            writer.write(event)
        case .remark(let remark): write(remark)
        case .recording(let octets): recording += octets
        }
    }

    private mutating func line(_ item: CaptureItem) -> EventLine? {
        if case .event(let event) = item { writer.line(of: event) } else { nil }
    }

    /// Writes the first lines of a recording that is converted, if that was not done yet.
    mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        writer.write(remark: "Notes: converted from \(name)")
    }

    private mutating func write(_ remark: CaptureRemark) {
        guard remarks.count < Self.remarkLimit else { return }
        begin()
        remarks.append(remark.description)
        writer.write(remark: "Notes: \(remark)")
    }

    /// Gives away what has been written; of a recording, its own octets only.
    mutating func take() -> [UInt8] {
        if hasBegun { return writer.take() }
        defer { recording = [] }
        return recording
    }

    /// Gives away the remarks that were not given yet.
    mutating func takeRemarks() -> [String] {
        defer { told = remarks.count }
        return Array(remarks[told...])
    }
}
