/// An IEEE 11073-20601 Regulatory Certification Data List (0x2A2A), 4 octets or more.
///
/// The one value of these services that is big-endian.
/// Source: Device Information Service 1.1; ISO/IEEE 11073-20601, RegCertDataList (MDER).
package struct RegulatoryCertificationDataList: Equatable, Sendable {
    /// What one authority certified.
    package struct Entry: Equatable, Sendable {
        /// The authority; 2 is Continua, 255 none.
        package let authBody: UInt8
        /// The kind of data, as the authority numbers them.
        package let structType: UInt8
        /// The data as they are.
        package let data: [UInt8]
    }

    /// The entries in the order they were sent.
    package let entries: [Entry]
    /// The number of octets behind the last entry.
    package let trailing: Int

    /// The list that the octets hold.
    ///
    /// - Throws: `MalformedValue` if there are fewer than the list's own count and length say.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let count = try fields.bigEndian16("Count")
        let length = try fields.bigEndian16("Length")
        _ = try fields.octets(length, "List")
        var list = try FieldReader(Array(value.prefix(Self.header + length)))
        _ = try list.octets(Self.header, "Count and Length")
        var entries: [Entry] = []
        for _ in 0..<count { entries.append(try list.certificationEntry()) }
        self.entries = entries
        trailing = list.remaining + fields.remaining
    }

    /// The number of octets before the entries: the list's count and length.
    private static let header = 4
}

extension FieldReader {
    fileprivate mutating func certificationEntry() throws(MalformedValue)
        -> RegulatoryCertificationDataList.Entry
    {
        let authBody = try uint8("Authority")
        let structType = try uint8("Structure Type")
        let length = try bigEndian16("Entry Length")
        return RegulatoryCertificationDataList.Entry(
            authBody: authBody, structType: structType, data: try octets(length, "Entry"))
    }

    fileprivate mutating func bigEndian16(_ field: StaticString) throws(MalformedValue) -> Int {
        Int(try uint16(field).byteSwapped)
    }
}
