/// A packet of the air as a sniffer gives it: where its parts are, and how it was received.
///
/// The parts are access address, header, payload and checksum.
/// Source: Bluetooth Core, Vol 6 Part B 2.1.
struct AirPacket {
    /// Whether the checksum is right, as far as the sniffer tells.
    enum Checksum: Equatable {
        /// It is.
        case right
        /// It is not.
        case wrong
        /// The sniffer does not tell.
        case unchecked
    }

    /// The access address, which all packets of a link have in common.
    let accessAddress: UInt32
    /// Where header and payload are.
    let unit: Range<Int>
    /// Whether the checksum is right.
    let checksum: Checksum
    /// Which way it went on a link.
    let direction: PacketDirection
    /// Whether it is in clear although its link is encrypted, or the other way round; nil if unknown.
    let isClear: Bool?
    /// Signal strength in dBm.
    let rssi: Int?

    /// The access address of advertisements.
    static let advertising: UInt32 = 0x8E89_BED6

    /// A packet without a header of the sniffer (251); nil if it is too short.
    init?(_ octets: Span<UInt8>) {
        self.init(octets, from: 0, isCoded: false, Reception())
    }

    /// A packet behind a header of ten octets (256); nil if it is too short or cannot be read.
    ///
    /// Source: https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html
    init?(withHeader octets: Span<UInt8>) {
        guard octets.count >= 10 else { return nil }
        let flags = octets.uint16(at: 8)
        guard flags & 0x0001 != 0 else { return nil }  // it is whitened still
        var reception = Reception()
        if flags & 0x0002 != 0 { reception.rssi = Int(Int8(bitPattern: octets[1])) }
        if flags & 0x0400 != 0 { reception.checksum = flags & 0x0800 != 0 ? .right : .wrong }
        if flags & 0x0008 != 0 { reception.isClear = true }
        switch flags >> 7 & 7 {
        case 2: reception.direction = .sent
        case 3: reception.direction = .received
        default: break
        }
        self.init(octets, from: 10, isCoded: flags >> 14 == 2, reception)
    }

    /// A packet behind Nordic's headers (272) of the versions 1 to 3; nil if it is none or too short.
    ///
    /// Source: Wireshark, packet-nordic_ble.c: board, header of six octets, header of ten octets.
    init?(nordic octets: Span<UInt8>) {
        guard octets.count >= 17, (1...3).contains(octets[3]), octets[7] == 10 else { return nil }
        let flags = octets[8]
        var reception = Reception()
        reception.rssi = -Int(octets[10])
        reception.checksum = flags & 1 != 0 ? .right : .wrong
        reception.direction = flags & 2 != 0 ? .sent : .received
        if flags & 4 != 0 { reception.isClear = flags & 8 != 0 }
        self.init(octets, from: 17, isCoded: flags >> 4 & 7 == 2, reception)
    }

    private struct Reception {
        var checksum = Checksum.unchecked
        var direction = PacketDirection.unknown
        var isClear: Bool?
        var rssi: Int?
    }

    /// On the coded physical layer an octet on the coding stands behind the access address.
    private init?(
        _ octets: Span<UInt8>, from start: Int, isCoded: Bool, _ reception: Reception
    ) {
        let first = start + 4 + (isCoded ? 1 : 0)
        guard octets.count >= first + 2 else { return nil }
        let end = first + 2 + Int(octets[first + 1])
        let isWhole = octets.count >= end
        guard isWhole || reception.checksum == .wrong else { return nil }
        accessAddress = octets.uint32(at: start)
        unit = first..<min(end, octets.count)
        direction = reception.direction
        isClear = reception.isClear
        rssi = reception.rssi
        checksum = reception.checksum
    }
}
