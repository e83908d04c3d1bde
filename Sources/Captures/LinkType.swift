/// What the packets of a capture begin with.
///
/// Source: https://www.tcpdump.org/linktypes.html; BlueZ, btsnoop.h for the data links of btsnoop.
enum LinkType: Equatable {
    /// HCI packets without the octet that tells their kind, which is told beside them.
    case h1
    /// HCI packets of the UART transport.
    case h4
    /// The same, with a direction of four octets before them.
    case h4WithDirection
    /// HCI packets of several adapters, with adapter and kind told beside them.
    case monitor
    /// The same, with adapter and kind in four octets before them.
    case monitorWithHeader
    /// Link layer packets, from access address to CRC.
    case linkLayer
    /// The same, with ten octets on reception before them.
    case linkLayerWithHeader
    /// The same, as Nordic's sniffer writes it.
    case nordic

    /// The link type of this number in pcap and pcapng; nil if it is none of these.
    init?(pcap number: UInt32) {
        switch number {
        case 187: self = .h4
        case 201: self = .h4WithDirection
        case 251: self = .linkLayer
        case 254: self = .monitorWithHeader
        case 256: self = .linkLayerWithHeader
        case 272: self = .nordic
        default: return nil
        }
    }

    /// The data link of this number in btsnoop; nil if it is none of these.
    init?(btsnoop number: UInt32) {
        switch number {
        case 1001: self = .h1
        case 1002: self = .h4
        case 2001: self = .monitor
        default: return nil
        }
    }
}

/// A link type that cannot be read, by its number in pcap or btsnoop.
package struct UnsupportedLinkType: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package let number: UInt32

    /// What is wrong with it, and what to do.
    package var description: String { "\(number)\(name) is not supported; \(remedy)" }

    private var name: String {
        switch number {
        case 1: " (Ethernet)"
        case 105, 127: " (wireless LAN)"
        case 180, 189, 220, 249: " (USB)"
        case 192: " (PPI)"
        case 195, 215, 230, 283: " (IEEE 802.15.4)"
        case 255: " (Bluetooth BR/EDR)"
        case 1003: " (BCSP)"
        case 1004: " (three-wire UART)"
        default: ""
        }
    }

    /// Ubertooth's PPI headers are 24 octets long; behind them stands what 251 is.
    private var remedy: String {
        switch number {
        case 192: "convert with `editcap -F pcap -T bluetooth-le-ll -L -C 24 FILE NEW`"
        case 180, 189, 220, 249: "record with `btmon -w FILE` instead"
        default: "convert with a tool that writes 187, 201, 251, 254, 256 or 272"
        }
    }
}

/// What a capture tells of one packet beside its octets.
struct PacketFacts {
    /// What it begins with.
    var link: LinkType
    /// When it was recorded, in microseconds since 1970.
    var microseconds: Int64
    /// Which way it went.
    var direction: PacketDirection = .unknown
    /// The kind of an H1 or monitor packet, as its format numbers them.
    var kind: UInt16 = 0
    /// The adapter of a monitor packet; nil where there is only one.
    var adapter: UInt16?
}

/// Which way a packet went between host and controller, or central and peripheral.
enum PacketDirection: Equatable {
    /// To the sensor's side: from the host, or from the central.
    case sent
    /// From the sensor's side.
    case received
    /// The capture does not tell.
    case unknown
}
