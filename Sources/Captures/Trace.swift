internal import Measurements

/// The packets of a capture in their order, from the container's record to the event.
struct Trace {
    /// What there is so far.
    var account: CaptureAccount { gatt.account }
    /// Records of the file so far.
    var records: Int { gatt.account.records }

    private var clock = CaptureClock()
    private var hci = HCITrace()
    private var air = AirTrace()
    private var gatt: GATTTrace
    private var told = 0

    /// Remarks on records that are told one by one; more are only counted.
    private static let remarkLimit = 20

    /// A trace without packets.
    ///
    /// - Parameters:
    ///   - handles: What handles are where a capture does not tell.
    ///   - device: The device of links whose beginning is missing.
    init(handles: HandleMap, deviceOfUnknownLinks device: DeviceAddress?) {
        gatt = GATTTrace(handles: handles, deviceOfUnknownLinks: device)
    }

    /// Gives away what has come out.
    mutating func takeOutput() -> CaptureOutput { gatt.takeOutput() }

    /// Lets through octets of a recording.
    mutating func pass(_ recording: [UInt8]) { gatt.pass(recording) }

    /// Ends all that waits for more packets.
    mutating func finish() {
        hci.finish(&gatt)
        air.finish(&gatt)
    }

    /// Counts the next record of the file.
    mutating func beginRecord(isCut: Bool) {
        gatt.account.records += 1
        if isCut { gatt.account.cutRecords += 1 }
    }

    /// Takes a packet in.
    mutating func take(_ packet: Span<UInt8>, _ facts: PacketFacts) {
        let (instant, fault) = clock.instant(facts.microseconds)
        if let fault { tell(fault) }
        switch facts.link {
        case .h1: hci.take(packet, UInt8(truncatingIfNeeded: facts.kind), facts, instant, &gatt)
        case .h4: hci.take(h4: packet, facts, instant, &gatt)
        case .h4WithDirection: hci.take(h4WithDirection: packet, facts, instant, &gatt)
        case .monitor: hci.take(monitor: packet, facts, instant, &gatt)
        case .monitorWithHeader: hci.take(monitorWithHeader: packet, facts, instant, &gatt)
        case .linkLayer: air.take(AirPacket(packet), packet, facts, instant, &gatt)
        case .linkLayerWithHeader:
            air.take(AirPacket(withHeader: packet), packet, facts, instant, &gatt)
        case .nordic: air.take(AirPacket(nordic: packet), packet, facts, instant, &gatt)
        }
    }

    /// Counts a packet of a link type that cannot be read, and says so at the first one.
    mutating func count(unsupported link: UnsupportedLinkType) {
        gatt.account.unsupported[link, default: 0] += 1
        if gatt.account.unsupported[link] == 1 { gatt.tell(.unsupported(link)) }
    }

    /// Says that the recorder lost packets before the present record.
    mutating func tellDropped(_ count: Int) {
        gatt.account.droppedRecords += count
        tell(.dropped(count, record: account.records))
    }

    /// Says that the fraction of the present record's time is beyond a second.
    mutating func tellFractionBeyondSecond() { tell(.fraction) }

    private mutating func tell(_ fault: ClockFault) {
        gatt.account.clockFaults += 1
        tell(.clock(fault, record: account.records))
    }

    private mutating func tell(_ remark: CaptureRemark) {
        told += 1
        if told <= Self.remarkLimit { gatt.tell(remark) }
    }
}
