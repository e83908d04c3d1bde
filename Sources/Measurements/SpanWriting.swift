/// Text that is appended as room first, and then written over.
///
/// The compiler writes eight octets and more at once where it knows the room, and one at a time where
/// each of them is appended.
extension [UInt8] {
    /// Appends a copy of octets.
    @inlinable
    package mutating func append(copyOf octets: Span<UInt8>) {
        append(room: octets.count) { room in
            for index in 0..<octets.count { room[index] = octets[index] }
        }
    }

    /// Appends octets as lower-case hexadecimal digits.
    @inlinable
    package mutating func append(hex octets: Span<UInt8>) {
        append(room: 2 * octets.count) { room in
            for index in 0..<octets.count {
                room[2 * index] = digit(octets[index] >> 4)
                room[2 * index + 1] = digit(octets[index] & 15)
            }
        }
    }

    /// Appends the magnitude of a number with leading zeros, cut to its last digits.
    @inlinable
    package mutating func append(_ value: Int, digits: Int) {
        append(room: digits) { room in
            var rest = value.magnitude
            for place in (0..<digits).reversed() {
                room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
        }
    }

    /// Appends octets that are written once there is room for them.
    @inlinable @inline(__always)
    mutating func append(room count: Int, _ write: (inout MutableSpan<UInt8>) -> Void) {
        append(addingCapacity: count) { output in
            output.append(repeating: 0, count: count)
            var room = output.mutableSpan
            write(&room)
        }
    }
}

/// The lower-case digit of a value below 16, in ASCII: those from 10 on are 39 further, which needs
/// no branch.
@inlinable
func digit(_ value: UInt8) -> UInt8 {
    UInt8(ascii: "0") &+ value &+ ((value &+ 6) >> 4) &* 39
}
