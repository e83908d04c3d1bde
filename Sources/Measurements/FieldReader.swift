/// Reads the little-endian fields of a characteristic's value one after another.
package struct FieldReader: Sendable {
    private let octets: [UInt8]
    private var offset = 0

    /// A reader that stands before the first octet.
    ///
    /// - Throws: `MalformedValue.empty` if there is none.
    package init(_ octets: [UInt8]) throws(MalformedValue) {
        guard !octets.isEmpty else { throw .empty }
        self.octets = octets
    }

    /// The number of octets not read yet.
    package var remaining: Int { octets.count - offset }

    /// Reads one octet.
    package mutating func uint8(_ field: StaticString) throws(MalformedValue) -> UInt8 {
        let start = try advance(by: 1, field)
        return octets[start]
    }

    /// Reads two octets.
    package mutating func uint16(_ field: StaticString) throws(MalformedValue) -> UInt16 {
        let start = try advance(by: 2, field)
        return UInt16(octets[start]) | UInt16(octets[start + 1]) << 8
    }

    /// Reads three octets.
    package mutating func uint24(_ field: StaticString) throws(MalformedValue) -> UInt32 {
        let start = try advance(by: 3, field)
        return UInt32(octets[start]) | UInt32(octets[start + 1]) << 8
            | UInt32(octets[start + 2]) << 16
    }

    /// Reads four octets.
    package mutating func uint32(_ field: StaticString) throws(MalformedValue) -> UInt32 {
        let low = try uint24(field)
        return low | UInt32(try uint8(field)) << 24
    }

    /// Reads a two-octet SFLOAT.
    package mutating func sfloat(_ field: StaticString) throws(MalformedValue) -> MedicalFloat {
        MedicalFloat(sfloat: try uint16(field))
    }

    /// Reads a four-octet FLOAT.
    package mutating func float(_ field: StaticString) throws(MalformedValue) -> MedicalFloat {
        MedicalFloat(float: try uint32(field))
    }

    /// Reads the next `count` octets as they are.
    package mutating func octets(
        _ count: Int, _ field: StaticString
    ) throws(MalformedValue) -> [UInt8] {
        let start = try advance(by: count, field)
        return Array(octets[start..<start + count])
    }

    /// Reads whatever is left.
    package mutating func rest() -> [UInt8] {
        defer { offset = octets.count }
        return Array(octets[offset...])
    }

    private mutating func advance(
        by count: Int, _ field: StaticString
    ) throws(MalformedValue) -> Int {
        guard remaining >= count else {
            throw .truncated(field: field, offset: offset, needed: count, have: octets.count)
        }
        defer { offset += count }
        return offset
    }
}
