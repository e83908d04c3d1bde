/// A System ID (0x2A23), 8 octets: the extended unique identifier (EUI-64) of a device.
///
/// Source: Device Information Service 1.1, System ID.
package struct SystemID: Equatable, Sendable {
    /// The five octets that the manufacturer gave, highest first.
    package let manufacturerIdentifier: [UInt8]
    /// The three octets that the IEEE gave the manufacturer, highest first.
    package let organizationallyUniqueIdentifier: [UInt8]
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The identifier that the octets hold, lowest first.
    ///
    /// An EUI-64 made from a device address has FF FE in its middle. Some devices send it highest
    /// first: the two then stand in the other order, and the whole is turned round.
    ///
    /// - Throws: `MalformedValue` if there are fewer than eight.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let octets = try fields.octets(8, "System ID")
        let isTurned = octets[3] == 0xFF && octets[4] == 0xFE
        let identifier = isTurned ? octets : octets.reversed()
        organizationallyUniqueIdentifier = Array(identifier.prefix(3))
        manufacturerIdentifier = Array(identifier.dropFirst(3))
        trailing = fields.remaining
    }

    /// The whole identifier, highest octet first.
    package var eui64: [UInt8] { organizationallyUniqueIdentifier + manufacturerIdentifier }
}
