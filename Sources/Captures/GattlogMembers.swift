internal import JSON
internal import Measurements

/// Why a line of a recording cannot be used.
struct GattlogDamage: Error {
    /// The reason in plain words, with the key that it is about.
    let why: String

    /// A reason.
    init(_ why: String) {
        self.why = why
    }

    /// The reason that a key's value is not what it has to be.
    init(_ key: StaticString, expected: StaticString) {
        why = "\(key): expected \(expected)"
    }
}

/// The longest attribute value. Source: Bluetooth Core, Vol 3 Part F 3.2.9.
private let longestValue = 512

/// The longest device name in octets. Source: Bluetooth Core, Vol 3 Part C 3.2.2.
private let longestName = 248

extension JSONParser {
    /// The text of a member; nil if it is missing or null.
    func text(_ key: StaticString, atMost limit: Int = 64) throws(GattlogDamage) -> String? {
        let text = try typed(key) { () throws(JSONTypeMismatch) in try string(key) }
        guard let text, text.utf8.count > limit else { return text }
        throw GattlogDamage("\(key): longer than \(limit) octets")
    }

    /// The text of a member that has to be there.
    func requiredText(_ key: StaticString) throws(GattlogDamage) -> String {
        guard let text = try text(key) else { throw GattlogDamage("\(key): missing") }
        return text
    }

    /// The whole number of a member; nil if it is missing or null.
    func integer(_ key: StaticString, in range: ClosedRange<Int>) throws(GattlogDamage) -> Int? {
        let number = try typed(key) { () throws(JSONTypeMismatch) in try integer(key) }
        guard let number, !range.contains(number) else { return number }
        throw GattlogDamage("\(key): expected \(range.lowerBound) to \(range.upperBound)")
    }

    /// The truth value of a member; false if it is missing or null.
    func flag(_ key: StaticString) throws(GattlogDamage) -> Bool {
        try typed(key) { () throws(JSONTypeMismatch) in try bool(key) } ?? false
    }

    /// The time of a member that has to be there.
    func instant(_ key: StaticString) throws(GattlogDamage) -> Instant {
        guard let instant = Instant(rfc3339: try requiredOctets(key)) else {
            throw GattlogDamage(key, expected: "a time such as 2026-11-29T22:00:00.123Z")
        }
        return instant
    }

    /// The octets of a member that has to be there, with none if its text is empty.
    func value(_ key: StaticString) throws(GattlogDamage) -> [UInt8] {
        guard let value = hexOctets(try requiredOctets(key)) else {
            throw GattlogDamage(key, expected: "pairs of hexadecimal digits")
        }
        guard value.count <= longestValue else {
            throw GattlogDamage("\(key): longer than \(longestValue) octets")
        }
        return value
    }

    /// The device at an address, with what else the line says of it.
    func device(_ address: DeviceAddress) throws(GattlogDamage) -> RemoteDevice {
        RemoteDevice(
            address, name: try text("name", atMost: longestName),
            addressType: try text("addressType"), adapter: try text("adapter"),
            rssi: try integer("rssi", in: -127...20))
    }

    private func requiredOctets(_ key: StaticString) throws(GattlogDamage) -> [UInt8] {
        let octets = try typed(key) { () throws(JSONTypeMismatch) in try self.octets(key) }
        guard let octets else { throw GattlogDamage("\(key): missing") }
        return octets
    }

    private func typed<Value>(
        _ key: StaticString, _ value: () throws(JSONTypeMismatch) -> Value?
    ) throws(GattlogDamage) -> Value? {
        do throws(JSONTypeMismatch) {
            return try value()
        } catch {
            throw GattlogDamage(key, expected: error.expected)
        }
    }
}
