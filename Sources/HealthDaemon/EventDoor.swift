internal import Measurements
internal import Samples

/// The door for the events of one source: each goes to whoever records, and to the assembler.
struct EventDoor {
    private var assembler: ReadingAssembler
    private let tee: EventTee?
    private let source: EventTee.Source?

    /// A door that reads device stamps in `hostZone` where an event names no zone.
    ///
    /// Without a tee, what comes through is nobody's to record: it only shows what would happen.
    init(hostZone: Zone, tee: EventTee?) {
        assembler = ReadingAssembler(hostZone: hostZone)
        self.tee = tee
        source = tee?.makeSource()
    }

    /// Whether `name` is a zone that stamps can be read in.
    func knowsZone(_ name: String) -> Bool { assembler.knowsZone(name) }

    /// Takes an event in and says what is to be kept of it.
    mutating func take(_ event: GATTEvent) -> Intake {
        if let tee, let source, tee.isRecording {
            let evidence = assembler.clockEvidence(of: event.device.address)
            tee.pass(
                TeedEvent(
                    event: assembler.withZone(event), source: source, evidence: evidence))
        }
        return assembler.handle(event)
    }
}
