extension DecodableName {
    /// The characteristic with this number.
    ///
    /// - Returns: nil if healthd decodes no such characteristic.
    package init?(_ uuid: BluetoothUUID) {
        guard let name = namesByUUID[uuid] else { return nil }
        self = name
    }

    /// What a person calls it: a number of 16 bits in hexadecimal, a UUID or the standard's name.
    ///
    /// `2a5f`, `0x2A5F`, `PLX Continuous Measurement` and `plx-continuous-measurement` are all one.
    /// Also `SFLOAT`, `FLOAT` and `2906@2A21`.
    ///
    /// - Returns: nil if healthd decodes nothing of that name.
    package init?(_ text: ArraySlice<UInt8>) {
        if let number = shortNumber(text) {
            self.init(BluetoothUUID(number))
        } else {
            guard let name = Self.named(text) else { return nil }
            self = name
        }
    }

    /// The same for a text.
    package init?(_ text: String) {
        self.init(Array(text.utf8)[...])
    }

    private static func named(_ text: ArraySlice<UInt8>) -> DecodableName? {
        let key = lookupKey(text)
        if let name = namesByText[key] { return name }
        let isOneWord = !text.contains(UInt8(ascii: " ")) && !text.contains(UInt8(ascii: "\t"))
        return isOneWord ? BluetoothUUID(key).flatMap { Self($0) } : nil
    }

    /// The names in the standard, in the code, and short ones.
    fileprivate var texts: [String] {
        let own = [title, String(describing: self)]
        return switch self {
        case .validRange: own + ["2906@2A21"]
        case .regulatoryCertification: own + ["Regulatory Certification Data List"]
        case .plxSpotCheckMeasurement: own + ["PLX Spot-Check"]
        case .plxContinuousMeasurement: own + ["PLX Continuous"]
        default: own
        }
    }
}

private let namesByUUID: [BluetoothUUID: DecodableName] = {
    let pairs = DecodableName.allCases.compactMap { name in name.uuid.map { ($0, name) } }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
}()

private let namesByText: [String: DecodableName] = {
    let pairs = DecodableName.allCases.flatMap { name in
        name.texts.map { (lookupKey(Array($0.utf8)[...]), name) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
}()

/// The number that four hexadecimal digits stand for, with or without `0x`; nil for other text.
private func shortNumber(_ text: ArraySlice<UInt8>) -> UInt16? {
    let hasPrefix =
        text.count == 6 && text[text.startIndex] == UInt8(ascii: "0")
        && text[text.startIndex + 1] | 0x20 == UInt8(ascii: "x")
    guard hasPrefix || text.count == 4 else { return nil }
    var number: UInt16 = 0
    for octet in text.suffix(4) {
        guard let digit = hexDigit(octet) else { return nil }
        number = number << 4 | UInt16(digit)
    }
    return number
}

/// The text in lower case, without blanks, dashes and underscores.
private func lookupKey(_ text: ArraySlice<UInt8>) -> String {
    var key: [UInt8] = []
    key.reserveCapacity(text.count)
    for octet in text {
        switch octet {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"), UInt8(ascii: "_"): continue
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): key.append(octet | 0x20)
        default: key.append(octet)
        }
    }
    return String(decoding: key, as: UTF8.self)
}
