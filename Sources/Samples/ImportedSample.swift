package import Measurements

/// One sample of another program's file, which stands in the store as octets like a sensor's packet.
///
/// Equal samples have equal octets: there is one way to write each.
/// Source: docs/IMPORT.md, What an imported sample is.
package struct ImportedSample: Equatable, Sendable {
    /// What it measures.
    package let type: SampleType
    /// The number as the file has it.
    package let number: MedicalFloat
    /// The unit of the number.
    package let unit: SampleUnit
    /// How it was measured.
    package let modality: Modality
    /// What the file says of its quality.
    package let status: PacketStatus
    /// Where on the body.
    package let site: TemperatureType?
    /// How long it lasted, in ms, from 0 on.
    package let duration: Int64

    /// A sample with the given parts; one that ends before it starts has no duration.
    package init(
        _ type: SampleType, _ number: MedicalFloat, _ unit: SampleUnit,
        _ modality: Modality = .imported, status: PacketStatus = .none,
        site: TemperatureType? = nil, duration: Int64 = 0
    ) {
        self.type = type
        self.number = number
        self.unit = unit
        self.modality = modality
        self.status = status
        self.site = site
        self.duration = max(duration, 0)
    }

    /// The exponents that fit in the octets.
    package static let exponents = -128...127

    /// The qualities that a file can state; the others follow from the number.
    package static let statable = qualities

    /// The sample as answers tell it.
    package var sample: Sample { Sample(0, type, number, unit, modality, status, site: site) }
}

/// What stands behind the first three octets.
private struct Parts: OptionSet {
    let rawValue: UInt8
    static let number = Parts(rawValue: 1 << 0)
    static let duration = Parts(rawValue: 1 << 1)
    static let site = Parts(rawValue: 1 << 2)
    static let measurement = Parts(rawValue: 1 << 3)
    static let sensor = Parts(rawValue: 1 << 4)
    static let contactLost = Parts(rawValue: 1 << 5)
    static let stated = Parts(rawValue: 1 << 6)
    static let special = Parts(rawValue: 1 << 7)
}

// The places in these lists are stored: they only ever grow at their ends.
private let units: [SampleUnit] = [
    .percent, .fraction, .perMinute, .celsius, .fahrenheit, .kelvin, .milliseconds, .seconds,
    .count,
]
private let modalities: [Modality] = [
    .spot, .continuous, .fast, .slow, .intermediate, .final, .strap, .imported,
]
private let qualities: [Quality] = [.questionable, .invalid, .demo]
private let specials: [MedicalFloat] = [
    .nan, .nres, .positiveInfinity, .negativeInfinity, .reserved,
]

extension ImportedSample {
    /// The octets that stand for it in the store.
    package var encoded: [UInt8] {
        var octets = [
            UInt8(type.place),
            place(of: unit, in: units) | place(of: modality, in: modalities) << 4,
            parts.rawValue,
        ]
        if let number = number.number {
            octets.append(UInt8(bitPattern: Int8(clamping: number.exponent)))
            append(zigzag(number.mantissa), to: &octets)
        } else {
            octets.append(place(of: number, in: specials))
        }
        if duration > 0 { append(UInt64(duration), to: &octets) }
        if let site { octets.append(site.rawValue) }
        if let bits = status.measurement?.rawValue { append(UInt64(bits), to: &octets) }
        if let bits = status.sensor?.rawValue { append(UInt64(bits), to: &octets) }
        if let stated = status.stated { octets.append(place(of: stated, in: qualities)) }
        return octets
    }

    private var parts: Parts {
        var parts: Parts = number.number == nil ? .special : .number
        if duration > 0 { parts.insert(.duration) }
        if site != nil { parts.insert(.site) }
        if status.measurement != nil { parts.insert(.measurement) }
        if status.sensor != nil { parts.insert(.sensor) }
        if status.isContactLost { parts.insert(.contactLost) }
        if status.stated != nil { parts.insert(.stated) }
        return parts
    }

    /// The sample that octets of the store stand for; what lies behind its parts is ignored.
    ///
    /// - Throws: Why they do not decode.
    package init(decoding octets: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(octets)
        guard let type = SampleType(place: Int(try fields.uint8("Type"))) else {
            throw .unknownNumber(field: "Type")
        }
        let kind = try fields.uint8("Unit and Modality")
        let unit = try item(kind & 15, of: units, "Unit")
        let modality = try item(kind >> 4, of: modalities, "Modality")
        let parts = Parts(rawValue: try fields.uint8("Parts"))
        let number = try fields.number(parts)
        let duration = parts.contains(.duration) ? try fields.varint("Duration") : 0
        let site = parts.contains(.site) ? try fields.uint8("Site") : nil
        self.init(
            type, number, unit, modality, status: try fields.status(parts),
            site: site.map { TemperatureType(rawValue: $0) }, duration: Int64(clamping: duration))
    }
}

extension FieldReader {
    fileprivate mutating func number(_ parts: Parts) throws(MalformedValue) -> MedicalFloat {
        guard parts.contains(.number) else {
            return try item(try uint8("Special Value"), of: specials, "Special Value")
        }
        let exponent = Int(Int8(bitPattern: try uint8("Exponent")))
        let digits = try varint("Mantissa")
        let mantissa = Int64(bitPattern: digits >> 1) ^ -Int64(bitPattern: digits & 1)
        return .finite(DecimalNumber(mantissa: mantissa, exponent: exponent))
    }

    fileprivate mutating func status(_ parts: Parts) throws(MalformedValue) -> PacketStatus {
        var status = PacketStatus.none
        if parts.contains(.measurement) {
            let bits = UInt16(truncatingIfNeeded: try varint("Measurement Status"))
            status.measurement = MeasurementStatus(rawValue: bits)
        }
        if parts.contains(.sensor) {
            let bits = UInt32(truncatingIfNeeded: try varint("Device and Sensor Status"))
            status.sensor = DeviceAndSensorStatus(rawValue: bits)
        }
        status.isContactLost = parts.contains(.contactLost)
        if parts.contains(.stated) {
            status.stated = try item(try uint8("Quality"), of: qualities, "Quality")
        }
        return status
    }

    /// Seven bits an octet, the lowest first; the highest bit says that more follow.
    fileprivate mutating func varint(_ field: StaticString) throws(MalformedValue) -> UInt64 {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let octet = try uint8(field)
            result |= UInt64(octet & 0x7F) << shift
            if octet & 0x80 == 0 { return result }
        }
        throw .unknownNumber(field: field)
    }
}

private func append(_ number: UInt64, to octets: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
        octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
    }
    octets.append(UInt8(truncatingIfNeeded: rest))
}

/// Small numbers of either sign as small numbers without one.
private func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
}

private func place<Item: Equatable>(of item: Item, in list: [Item]) -> UInt8 {
    guard let place = list.firstIndex(of: item) else {
        preconditionFailure("the lists hold every case")
    }
    return UInt8(place)
}

private func item<Item>(
    _ place: UInt8, of list: [Item], _ field: StaticString
) throws(MalformedValue) -> Item {
    guard Int(place) < list.count else { throw .unknownNumber(field: field) }
    return list[Int(place)]
}

extension DecimalNumber {
    /// A number of a file as it is stored, with its unit: shares of one and seconds, of which only the
    /// point moves, become percent and milliseconds.
    package func stored(from unit: SampleUnit) -> (DecimalNumber, SampleUnit) {
        switch unit {
        case .fraction: (movingPoint(left: -2).whole, .percent)
        case .seconds: (movingPoint(left: -3).whole, .milliseconds)
        case .percent, .perMinute, .celsius, .fahrenheit, .kelvin, .milliseconds, .count:
            (self, unit)
        }
    }

    /// The same number without a positive exponent, where it fits.
    private var whole: DecimalNumber {
        guard exponent > 0,
            let mantissa = Int64(exactly: Int128(mantissa) * power10(exponent))
        else { return self }
        return DecimalNumber(mantissa: mantissa, exponent: 0)
    }
}
