internal import Measurements

/// Which characteristic a handle is, where a capture does not hold what the device told about it.
package struct HandleMap: Equatable, Sendable {
    private var characteristics: [UInt16: BluetoothUUID] = [:]

    /// A map of nothing.
    package init() {}

    /// A map written as `0x0010=2a5f`, also several with commas between them.
    ///
    /// Handles are hexadecimal behind `0x`, else decimal; names such as `PLX Continuous Measurement`
    /// stand for their UUIDs.
    ///
    /// - Returns: nil if the text is anything else or names a handle twice.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, let handle = Self.handle(sides[0]),
                let uuid = BluetoothUUID(sides[1]) ?? DecodableName(String(sides[1]))?.uuid,
                characteristics.updateValue(uuid, forKey: handle) == nil
            else { return nil }
        }
    }

    /// The characteristic of a handle; nil if the map does not have it.
    subscript(handle: UInt16) -> BluetoothUUID? { characteristics[handle] }

    /// Handle 0 does not exist. Source: Bluetooth Core, Vol 3 Part F 3.2.2.
    private static func handle(_ text: Substring) -> UInt16? {
        let isHex = text.hasPrefix("0x") || text.hasPrefix("0X")
        let handle = isHex ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
        return handle == 0 ? nil : handle
    }
}

extension HandleMap {
    /// The characteristic of a handle as an event names it; nil if the map does not have it.
    func characteristic(at handle: UInt16) -> TracedCharacteristic? {
        guard let uuid = self[handle] else { return nil }
        let instance = characteristics.count { $0.value == uuid && $0.key < handle }
        return TracedCharacteristic(
            uuid: uuid, service: homeService(of: uuid), instance: min(instance, 255), isGuess: false
        )
    }
}
