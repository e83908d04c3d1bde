/// What takes octets of strangers, each a corpus of its own.
enum FuzzTarget: String, CaseIterable {
    /// The values of all characteristics.
    case characteristics
    /// Lines of `healthctl decode`.
    case decode
    /// Recordings.
    case gattlog
    /// Captures of btmon and Android.
    case btsnoop
    /// Captures of tcpdump.
    case pcap
    /// Captures of Wireshark.
    case pcapng
    /// Anything compressed.
    case gzip
    /// Packets between host and controller, put together to operations of the Attribute Protocol.
    case hci
    /// Packets of the link layer, put together in the same way.
    case air
    /// Messages of the bus, up to the tree of bluetoothd's objects.
    case dbus
    /// Lines of clients.
    case request
    /// Times and durations in requests.
    case time
    /// Configuration files.
    case configuration
    /// JSON text.
    case json
    /// Columns of the store's blocks.
    case block
    /// Lines of an import.
    case line
    /// Tables of samples.
    case table
    /// Exports of Apple Health.
    case health
    /// Archives of them.
    case archive

    /// Lets the parser have octets; what must hold for any is checked.
    func take(_ octets: [UInt8]) {
        switch self {
        case .characteristics: CharacteristicTarget.take(octets)
        case .decode: TextTargets.decode(octets)
        case .gattlog: GattlogTarget.take(octets)
        case .btsnoop, .pcap, .pcapng, .gzip: CaptureTarget.take(octets)
        case .hci: PacketTargets.hci(octets)
        case .air: PacketTargets.air(octets)
        case .dbus: BusTarget.take(octets)
        case .request: TextTargets.request(octets)
        case .time: TextTargets.time(octets)
        case .configuration: TextTargets.configuration(octets)
        case .json: TextTargets.json(octets)
        case .block: BlockTarget.take(octets)
        case .line: ImportTarget.line(octets)
        case .table, .health, .archive: ImportTarget.file(octets)
        }
    }
}
