package import Measurements

/// Writes events as a capture (btsnoop) that `Capture` reads back, and btmon and Wireshark too.
///
/// An event knows nothing of what host and controller had said to bring it out; that is made up: an
/// advertisement with the name, the link, and on each link the discovery and the subscription of a
/// characteristic before its first value. The zone of an event has no place in a capture.
package struct BtsnoopEventWriter: Sendable {
    /// Events that could not be written, because there is no room for their device or value.
    package private(set) var omitted = 0

    private var records = MonitorRecords()
    private var devices: [DeviceAddress: WrittenDevice] = [:]
    private var links: [UInt16: DeviceAddress] = [:]
    private var adapters: Set<UInt16> = []

    /// Devices that one capture tells apart: as many as `Capture` follows.
    private static let deviceLimit = 1024
    /// The longest value of an attribute. Source: Bluetooth Core, Vol 3 Part F 3.2.9.
    private static let longestValue = 512

    /// A writer of a capture, which begins with its header.
    package init() {}

    /// Gives away what has been written, whole records only, and goes on behind it.
    package mutating func take() -> [UInt8] { records.take() }

    /// Writes a note that btmon shows.
    package mutating func write(note: String, at instant: Instant) {
        let everyAdapter: UInt16 = 0xFFFF
        records.put(MonitorKind.systemNote, everyAdapter, instant, Array(note.utf8) + [0])
    }

    /// Writes an event.
    package mutating func write(_ event: GATTEvent) {
        let address = event.device.address
        guard devices[address] != nil || devices.count < Self.deviceLimit,
            event.value.count <= Self.longestValue
        else { return omitted += 1 }
        var device = devices[address] ?? WrittenDevice()
        defer { devices[address] = device }
        switch event.kind {
        case .connect:
            disconnect(&device, event)
            connect(&device, event)
        case .disconnect: disconnect(&device, event)
        case .read, .write, .notify, .indicate: writeValue(&device, event)
        }
    }

    private mutating func writeValue(_ device: inout WrittenDevice, _ event: GATTEvent) {
        if device.link == nil { connect(&device, event) }
        guard let link = device.link, let handles = device.handles(upTo: event),
            let handle = handles.last
        else { return omitted += 1 }
        for handle in handles where device.discovered.insert(handle).inserted {
            for exchange in event.discovery(at: handle) { put(exchange, link, event.at) }
        }
        for operation in event.operations(at: handle) { put(operation, link, event.at) }
    }
}

extension BtsnoopEventWriter {
    private mutating func connect(_ device: inout WrittenDevice, _ event: GATTEvent) {
        // A controller has handles up to 0x0EFF, more than there are devices.
        let number = (UInt16(0x40)...0x0EFF).first { links[$0] == nil }
        guard let number else { return }
        let link = WrittenLink(handle: number, adapter: adapterNumber(event.device.adapter))
        begin(adapter: link.adapter, event.at)
        advertise(event.device, link, event.at)
        let head = [HCIEventCode.leConnectionComplete, 0] + number.littleOctets
        let peer = [0, event.device.addressTypeNumber] + event.device.address.littleOctets
        // Interval 30 ms, latency 0, timeout 720 ms, accuracy 500 ppm.
        let parameters: [UInt8] = [24, 0, 0, 0, 72, 0, 0]
        records.put(
            event: HCIEventCode.lowEnergy, link.adapter, event.at, head + peer + parameters)
        links[number] = event.device.address
        device.begin(link)
        for operation in ATTOperation.exchangeOfSizes { put(operation, link, event.at) }
    }

    private mutating func disconnect(_ device: inout WrittenDevice, _ event: GATTEvent) {
        guard let link = device.end() else { return }
        links[link.handle] = nil
        let endedByDevice: UInt8 = 0x13
        records.put(
            event: HCIEventCode.disconnectionComplete, link.adapter, event.at,
            [0] + link.handle.littleOctets + [endedByDevice])
    }

    /// An adapter is announced before anything comes from it.
    private mutating func begin(adapter: UInt16, _ instant: Instant) {
        guard adapters.insert(adapter).inserted else { return }
        let name = Array("hci\(adapter)".utf8.prefix(7))
        let unknown: [UInt8] = [0, 0] + DeviceAddress(bits: 0).littleOctets
        records.put(
            MonitorKind.newIndex, adapter, instant,
            unknown + name + [UInt8](repeating: 0, count: 8 - name.count))
        records.put(MonitorKind.openIndex, adapter, instant, [])
    }

    /// Name and strength have no place but in an advertisement.
    private mutating func advertise(
        _ device: RemoteDevice, _ link: WrittenLink, _ instant: Instant
    ) {
        guard device.name != nil || device.rssi != nil else { return }
        records.put(
            event: HCIEventCode.lowEnergy, link.adapter, instant, device.advertisingReport)
    }

    private mutating func put(
        _ operation: ATTOperation, _ link: WrittenLink, _ instant: Instant
    ) {
        let (kind, boundary) =
            operation.isFromHost
            ? (MonitorKind.sentData, FragmentBoundary.firstFromHost)
            : (MonitorKind.receivedData, FragmentBoundary.firstFromController)
        let packet =
            UInt16(operation.octets.count).littleOctets
            + L2CAPReassembly.attributeChannel.littleOctets + operation.octets
        let head = (link.handle | boundary << 12).littleOctets + UInt16(packet.count).littleOctets
        records.put(kind, link.adapter, instant, head + packet)
    }
}

/// The number in `hci0`; 0 where there is none.
private func adapterNumber(_ name: String?) -> UInt16 {
    name.flatMap { UInt16($0.drop { !("0"..."9").contains($0) }) } ?? 0
}
