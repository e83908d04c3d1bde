/// A Temperature Type (0x2A1D), 1 octet: where on the body a thermometer measures.
///
/// Source: Health Thermometer Service 1.0, Temperature Type; 0 and 10 to 255 are reserved.
package struct TemperatureType: RawRepresentable, Hashable, Sendable {
    /// The number as sent.
    package let rawValue: UInt8

    /// The place of this number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The type that the octets hold; octets behind the first are ignored.
    ///
    /// - Throws: `MalformedValue.empty` if there are none.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        rawValue = try fields.uint8("Temperature Type")
    }

    /// The place's name; nil if the number is reserved.
    package var name: String? {
        let place = Int(rawValue) - 1
        return Self.places.indices.contains(place) ? Self.places[place] : nil
    }

    /// The place of this name.
    ///
    /// - Returns: nil if no number has it.
    package init?(name: String) {
        guard let place = Self.places.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(place + 1))
    }

    /// The names of the numbers from 1 on.
    private static let places = [
        "armpit", "body", "ear", "finger", "gastro_intestinal_tract", "mouth", "rectum", "toe",
        "tympanum",
    ]
}
