internal import Captures
internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Synchronization

/// One recording or import as it comes in: lines to intakes, with what is wrong with them.
///
/// Only one worker at a time has it; the lock is never waited for.
final class ReplaySession: Sendable {
    private let state: Mutex<ReplayState>

    /// A session that reads device stamps in `hostZone` where the recording names no zone.
    ///
    /// What it takes in is recorded through `tee`, if there is one.
    init(
        hostZone: Zone, subject: String?, tee: EventTee?,
        content: ReplayOptions.Content = .recording
    ) {
        state = Mutex(ReplayState(EventDoor(hostZone: hostZone, tee: tee), subject, content))
    }

    /// Takes a piece of the recording in; `isEnd` says that no more comes after it.
    func feed(_ octets: [UInt8], isEnd: Bool) -> ReplayPiece {
        state.withLock { $0.feed(octets, isEnd: isEnd) }
    }
}

/// What a piece of a recording holds.
struct ReplayPiece: Sendable {
    /// What there is to keep.
    var intakes: [Intake] = []
    /// Lines that left nothing.
    var tally = ReplayTally()
    /// Lines that ended in this piece.
    var lines = 0
    /// Reply lines about damaged lines.
    var report = JSONWriter()
    /// How the recording ended, if it did.
    var ending: Ending?

    /// How a recording ended.
    enum Ending: Sendable {
        /// With a line that holds a dot; what came behind it are further requests.
        case dot(rest: [UInt8], ReplayAssignments)
        /// With the end of the input.
        case endOfInput(ReplayAssignments)
    }
}

private struct ReplayState: ~Copyable {
    private var parser = GattlogParser(origin: .replay)
    private var door: EventDoor
    /// What takes the lines of an import; nil for a recording.
    private var imports: ImportIntake?
    private var assignments: ReplayAssignments
    private var line: [UInt8] = []
    private var isOverlong = false
    private var lines = 0
    private var damaged = 0
    private var strangeZones: Set<String> = []

    /// Damaged lines that are told one by one; more are only counted.
    private static let reportLimit = 100

    init(_ door: EventDoor, _ subject: String?, _ content: ReplayOptions.Content) {
        self.door = door
        assignments = ReplayAssignments(subject: subject)
        if case .samples(let source) = content { imports = ImportIntake(source: source) }
    }

    mutating func feed(_ octets: [UInt8], isEnd: Bool) -> ReplayPiece {
        var piece = ReplayPiece()
        var rest = octets[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end])
            rest = rest[(end + 1)...]
            if isDot {
                piece.ending = .dot(rest: Array(rest), assignments)
                return piece
            }
            endLine(&piece)
        }
        keep(rest)
        if isEnd { finish(&piece) }
        return piece
    }

    /// A last line without its LF counts; a dot without one is still the end.
    private mutating func finish(_ piece: inout ReplayPiece) {
        if isDot {
            piece.ending = .dot(rest: [], assignments)
            return
        }
        if isOverlong || !line.isEmpty { endLine(&piece) }
        piece.ending = .endOfInput(assignments)
    }

    private var isDot: Bool {
        guard let first = line.first, line.count <= 2, !isOverlong else { return false }
        return first == UInt8(ascii: ".") && (line.count == 1 || line[1] == UInt8(ascii: "\r"))
    }

    /// Keeps the beginning of a line; of one that is too long, nothing.
    private mutating func keep(_ octets: ArraySlice<UInt8>) {
        isOverlong = isOverlong || line.count + octets.count > GattlogParser.longestLine + 1
        if isOverlong { line.removeAll(keepingCapacity: true) } else { line += octets }
    }

    private mutating func endLine(_ piece: inout ReplayPiece) {
        piece.lines += 1
        lines += 1
        if imports != nil { return endImportedLine(&piece) }
        let item = isOverlong ? parser.skipOverlongLine() : parser.parse(line: trimmed.span)
        isOverlong = false
        line.removeAll(keepingCapacity: true)
        switch item {
        case .event(let event, let line): take(event, line, &piece)
        case .ignored: break
        case .unknownEvent: piece.tally.skip("unknownEvent")
        case .damaged(let line, let why): report(line, why, &piece)
        }
    }

    /// The line without the CR of a CRLF.
    private var trimmed: [UInt8] {
        line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line
    }

    private mutating func take(_ event: GATTEvent, _ line: Int, _ piece: inout ReplayPiece) {
        if let zone = event.zone { check(zone, line, &piece) }
        let intake = door.take(event)
        assignments.widen(to: intake)
        piece.intakes.append(intake)
    }

    private mutating func endImportedLine(_ piece: inout ReplayPiece) {
        let text = isOverlong ? nil : trimmed
        isOverlong = false
        line.removeAll(keepingCapacity: true)
        do throws(ImportDamage) {
            try imports?.take(text, &piece, &assignments)
        } catch {
            report(lines, error.why, &piece)
        }
    }

    /// Remarks on each zone that is unknown, once.
    private mutating func check(_ zone: String, _ line: Int, _ piece: inout ReplayPiece) {
        guard strangeZones.count < Self.reportLimit, !strangeZones.contains(zone),
            !door.knowsZone(zone)
        else { return }
        strangeZones.insert(zone)
        let remark = "# line \(line): unknown zone \(zone), stamps are read in the host's zone\n"
        piece.report.octets.append(contentsOf: remark.utf8)
    }

    private mutating func report(_ line: Int, _ why: String, _ piece: inout ReplayPiece) {
        piece.tally.skip("damaged")
        damaged += 1
        if damaged <= Self.reportLimit { tell(line, why, &piece) }
    }

    private func tell(_ line: Int, _ why: String, _ piece: inout ReplayPiece) {
        piece.report.object { json in
            json.member("class", "damaged")
            json.member("line", line)
            json.member("why", why)
        }
        piece.report.endLine()
    }
}
