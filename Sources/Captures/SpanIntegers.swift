internal import Measurements

/// Integers in octets that the caller knows to be there; Bluetooth's are little-endian.
extension Span<UInt8> {
    /// The two octets at an offset, the low one first.
    func uint16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    /// The three octets at an offset, the lowest first.
    func uint24(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(self[offset + 2]) << 16
    }

    /// The four octets at an offset, the lowest first.
    func uint32(at offset: Int) -> UInt32 {
        let octets = extracting(offset..<offset + 4)  // one check of the place instead of four
        return UInt32(octets[0]) | UInt32(octets[1]) << 8 | UInt32(octets[2]) << 16
            | UInt32(octets[3]) << 24
    }

    /// The two octets at an offset in the order of the file.
    func uint16(at offset: Int, _ order: OctetOrder) -> UInt16 {
        let value = uint16(at: offset)
        return order == .big ? value.byteSwapped : value
    }

    /// The four octets at an offset in the order of the file.
    func uint32(at offset: Int, _ order: OctetOrder) -> UInt32 {
        let value = uint32(at: offset)
        return order == .big ? value.byteSwapped : value
    }

    /// The eight octets at an offset, the highest first.
    func bigUInt64(at offset: Int) -> UInt64 {
        UInt64(uint32(at: offset, .big)) << 32 | UInt64(uint32(at: offset + 4, .big))
    }

    /// The device address in the six octets at an offset, the lowest first.
    func address(at offset: Int) -> DeviceAddress {
        DeviceAddress(
            bits: UInt64(uint32(at: offset)) | UInt64(uint16(at: offset + 4)) << 32)
    }

    /// The UUID in 2 or 16 octets, the lowest first; nil for another number of octets.
    func uuid(in range: Range<Int>) -> BluetoothUUID? {
        if range.count == 2 { return BluetoothUUID(uint16(at: range.lowerBound)) }
        guard range.count == 16 else { return nil }
        return BluetoothUUID(hexText(octets(range).reversed()))
    }

    /// A copy of the octets in a range.
    func octets(_ range: Range<Int>) -> [UInt8] {
        [UInt8](capacity: range.count) { octets in
            for index in range { octets.append(self[index]) }
        }
    }

    /// A copy of all octets.
    var octets: [UInt8] { octets(0..<count) }

    /// Whether the first octets are these.
    func starts(with octets: [UInt8]) -> Bool {
        guard count >= octets.count else { return false }
        for index in octets.indices where self[index] != octets[index] { return false }
        return true
    }
}

/// Which octet of an integer comes first in a file.
enum OctetOrder: Equatable {
    /// The lowest.
    case little
    /// The highest.
    case big
}
