internal import JSON
internal import Measurements

extension JSONWriter {
    /// Writes a member with a sensor's number: a text with its own digits, or a special value's name.
    mutating func number(_ key: StaticString, _ value: MedicalFloat) {
        guard let number = value.number else { return member(key, value.specialName) }
        member(key) { text in
            text.append(UInt8(ascii: "\""))
            number.append(to: &text)
            text.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a member with a whole number.
    mutating func whole(_ key: StaticString, _ value: Int) {
        member(key) { DecimalNumber(value).append(to: &$0) }
    }

    /// Writes a member with a whole number, or null.
    mutating func whole(_ key: StaticString, _ value: Int?) {
        if let value { whole(key, value) } else { null(key) }
    }

    /// Writes a member that is null.
    mutating func null(_ key: StaticString) {
        member(key, String?.none)
    }

    /// Writes a member with octets as lower-case hexadecimal digits.
    mutating func hex(_ key: StaticString, _ octets: [UInt8]) {
        member(key) { text in
            text.append(UInt8(ascii: "\""))
            text.append(hex: octets.span)
            text.append(UInt8(ascii: "\""))
        }
    }

    /// Writes the six members of a date and time; null is unknown.
    mutating func dateTime(_ time: DateTime) {
        whole("year", time.year)
        whole("month", time.month)
        whole("day", time.day)
        whole("hour", time.hour)
        whole("minute", time.minute)
        whole("second", time.second)
    }

    /// Writes where on the body a thermometer measures.
    mutating func temperatureType(_ type: TemperatureType) {
        object("type") { json in
            json.whole("value", Int(type.rawValue))
            json.member("name", type.name)
            if type.name == nil { json.member("reserved", true) }
        }
    }

    /// Writes what a decoder ignored, if it ignored something.
    mutating func rest(reservedFlags: Int = 0, trailing: Int) {
        if reservedFlags != 0 { whole("rfu_flags", reservedFlags) }
        if trailing != 0 { whole("trailing", trailing) }
    }
}
