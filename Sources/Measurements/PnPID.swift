/// A PnP ID (0x2A50), 7 octets: numbers that tell a device model from all others.
///
/// Source: Device Information Service 1.1, PnP ID.
package struct PnPID: Equatable, Sendable {
    /// Who gave the vendor its number: 1 the Bluetooth SIG, 2 the USB Implementers Forum.
    package let vendorSource: UInt8
    /// The vendor's number.
    package let vendorID: UInt16
    /// The number that the vendor gave the product.
    package let productID: UInt16
    /// The product's version, 0xJJMN for version JJ.M.N.
    package let productVersion: UInt16
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The numbers that the octets hold.
    ///
    /// - Throws: `MalformedValue` if there are fewer than seven.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        vendorSource = try fields.uint8("Vendor ID Source")
        vendorID = try fields.uint16("Vendor ID")
        productID = try fields.uint16("Product ID")
        productVersion = try fields.uint16("Product Version")
        trailing = fields.remaining
    }

    /// The name of who gave the vendor its number; nil if reserved.
    package var vendorSourceName: String? {
        switch vendorSource {
        case 1: "bluetooth_sig"
        case 2: "usb_if"
        default: nil
        }
    }
}
