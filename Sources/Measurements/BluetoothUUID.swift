/// A Bluetooth UUID: 16 or 32 bits of the SIG's range, or 128 bits of a vendor's.
///
/// Source: Bluetooth Core, Vol 3 Part B 2.5.1 (the base 00000000-0000-1000-8000-00805F9B34FB).
package struct BluetoothUUID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// A UUID that the SIG assigned.
    package init(_ short: UInt16) {
        high = UInt64(short) << 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// The assigned 16-bit number, or nil for any other UUID.
    package var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh, high >> 48 == 0 else {
            return nil
        }
        return UInt16(truncatingIfNeeded: high >> 32)
    }

    /// A UUID written as 4, 8 or 32 hexadecimal digits, with or without dashes.
    ///
    /// - Returns: nil if the text is anything else.
    package init?(_ text: some StringProtocol) {
        var digits: [UInt64] = []
        for octet in text.utf8 where octet != UInt8(ascii: "-") {
            guard let digit = hexDigit(octet), digits.count < 32 else { return nil }
            digits.append(UInt64(digit))
        }
        guard [4, 8, 32].contains(digits.count) else { return nil }
        let first = digits.prefix(16).reduce(0) { $0 << 4 | $1 }
        let isFull = digits.count == 32
        high = isFull ? first : first << 32 | Self.baseHigh
        low = isFull ? digits.suffix(16).reduce(0) { $0 << 4 | $1 } : Self.baseLow
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// Four lower-case digits where the SIG assigned them, else the full form with dashes.
    package var description: String {
        if let short { return hexText([UInt8(short >> 8), UInt8(short & 0xFF)]) }
        let digits = Array(hexText(octets(high) + octets(low)))
        let ends = [0, 8, 12, 16, 20, 32]
        return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }

    private func octets(_ word: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
}
