package import Measurements

/// Decodes the values of one type out of many packets, faster than all of each packet.
///
/// What it says is what `DecodedPacket` says; a packet that does not decode as a whole has no values.
package struct ValueDecoder {
    /// A value in its packet.
    package struct Value: Equatable, Sendable {
        /// The fixed place of the field.
        package let index: Int
        /// The number in the decoder's unit; nil if its quality leaves it out.
        package let number: DecimalNumber?
    }

    private let characteristic: MeasurementCharacteristic
    private let type: SampleType
    private let unit: SampleUnit
    private let modalities: Set<Modality>
    private let qualities: Set<Quality>
    private let fields: [PLXField]
    /// What words with the same status bits gave before.
    private var known: [UInt64: DecimalNumber?] = [:]
    private var last: [(key: UInt64, number: DecimalNumber?)]

    /// Different words that are remembered: more than a sensor sends in a day.
    private static let knownLimit = 4096

    /// A decoder of the values of a type that have some modality, in a unit; those of other qualities
    /// are nil.
    package init(
        _ characteristic: MeasurementCharacteristic, _ type: SampleType, in unit: SampleUnit,
        _ modalities: Set<Modality>, _ qualities: Set<Quality> = Quality.standard
    ) {
        (self.characteristic, self.type, self.unit) = (characteristic, type, unit)
        (self.modalities, self.qualities) = (modalities, qualities)
        let isPLX = characteristic == .plxContinuous
        fields = isPLX ? PLXField.fields(of: type).filter { modalities.contains($0.modality) } : []
        last = fields.map { _ in (.max, nil) }
    }

    /// Whether the packets are taken apart here, field by field.
    private var isFast: Bool {
        characteristic == .plxContinuous && type != .perfusionIndex
    }

    /// Appends the values of a packet, by their places.
    package mutating func append(_ packet: Span<UInt8>, to values: inout [Value]) {
        guard isFast else { return appendSlowly(packet, to: &values) }
        forEachField(of: packet, isHead: false) { values.append($0) }
    }

    /// Gives the values of some of many packets that lie one behind the other, in the order of `places`.
    ///
    /// A packet ends where the next one begins: `bounds` has one more entry than there are packets.
    /// Where only their heads are known, no status is looked at.
    package mutating func forEach(
        of places: [Int], in octets: Span<UInt8>, _ bounds: [Int], areHeads: Bool,
        _ body: (_ place: Int, _ value: Value) -> Void
    ) {
        var values: [Value] = []
        for place in places {
            let packet = octets.extracting(bounds[place]..<bounds[place + 1])
            if isFast {
                forEachField(of: packet, isHead: areHeads) { body(place, $0) }
            } else {
                values.removeAll(keepingCapacity: true)
                appendSlowly(packet, to: &values)
                for value in values { body(place, value) }
            }
        }
    }

    /// How many octets of each packet must be known where the status of none leaves its values out;
    /// nil means all.
    package var head: Int? {
        guard isFast else { return nil }
        return fields.allSatisfy { $0.modality == .continuous }
            ? PLXLayout.pairEnd : PLXLayout.lastPairEnd
    }

    private mutating func forEachField(
        of packet: Span<UInt8>, isHead: Bool, _ body: (Value) -> Void
    ) {
        guard let layout = PLXLayout(packet, isHead: isHead) else { return }
        for place in fields.indices {
            let field = fields[place]
            guard let offset = layout.offset(of: field) else { continue }
            let word = UInt64(packet[offset]) | UInt64(packet[offset + 1]) << 8
            let number = number(word | layout.status << 16, field, layout, place)
            body(Value(index: field.index, number: number))
        }
    }

    private func appendSlowly(_ packet: Span<UInt8>, to values: inout [Value]) {
        let octets = packet.indices.map { packet[$0] }
        for sample in DecodedPacket.samples(of: octets, characteristic)
        where sample.type == type && modalities.contains(sample.modality) {
            values.append(Value(index: sample.index, number: counted(sample)))
        }
    }

    /// The number of a sample in the decoder's unit; nil if its quality leaves it out.
    private func counted(_ sample: Sample) -> DecimalNumber? {
        qualities.contains(sample.quality) ? sample.value(in: unit) : nil
    }

    private mutating func number(
        _ key: UInt64, _ field: PLXField, _ layout: PLXLayout, _ place: Int
    ) -> DecimalNumber? {
        if last[place].key == key { return last[place].number }
        let number: DecimalNumber?
        if let found = known[key] {
            number = found
        } else {
            let word = MedicalFloat(sfloat: UInt16(truncatingIfNeeded: key))
            number = counted(
                Sample(
                    field.index, type, word, type.defaultUnit, field.modality,
                    layout.packetStatus))
            if known.count >= Self.knownLimit { known = [:] }
            known[key] = .some(number)
        }
        last[place] = (key, number)
        return number
    }
}

extension Sample {
    /// The value in the type's default unit; nil if there is none.
    package var standardValue: DecimalNumber? { value(in: type.defaultUnit) }

    /// The value in a unit as it is compared and counted; nil if there is none.
    ///
    /// A program writes as many decimals as it likes: of an imported number nine take part.
    package func value(in wanted: SampleUnit) -> DecimalNumber? {
        value.flatMap {
            unit.convert(modality == .imported ? $0.withoutExcess : $0, to: wanted)
        }
    }
}

/// A field of a PLX Continuous Measurement that is half of a pair.
private struct PLXField {
    let index: Int
    let modality: Modality
    /// Octets from the start of its pair.
    let offset: Int

    static func fields(of type: SampleType) -> [PLXField] {
        guard type == .oxygenSaturation || type == .heartRate else { return [] }
        let place = type == .oxygenSaturation ? 0 : 1
        return [(0, .continuous), (2, .fast), (4, .slow)].map { index, modality in
            PLXField(index: index + place, modality: modality, offset: place * 2)
        }
    }
}

/// Where the fields of a PLX Continuous Measurement lie.
///
/// Source: Pulse Oximeter Service 1.0.1, PLX Continuous Measurement.
private struct PLXLayout {
    private let flags: UInt8
    /// The end of the flags and the pair that every packet has.
    static let pairEnd = 5
    /// The end of the flags and all three pairs.
    static let lastPairEnd = 13
    /// Measurement Status, then Device and Sensor Status, then a bit for each that is there.
    let status: UInt64

    /// The layout that the flags announce; nil if the packet is shorter.
    ///
    /// Of a head all status bits are clear.
    init?(_ packet: Span<UInt8>, isHead: Bool) {
        guard !packet.isEmpty else { return nil }
        flags = packet[0]
        let pairs = 1 + Int(flags & 1) + Int(flags >> 1 & 1)
        let measurement = 1 + pairs * 4
        let sensor = measurement + (flags & 4 != 0 ? 2 : 0)
        let amplitude = sensor + (flags & 8 != 0 ? 3 : 0)
        guard packet.count >= amplitude + (flags & 16 != 0 ? 2 : 0) else { return nil }
        let present = UInt64(flags >> 2 & 3) << 40
        status =
            isHead
            ? present
            : present | Self.number(packet, from: measurement, to: sensor)
                | Self.number(packet, from: sensor, to: amplitude) << 16
    }

    /// The number in some octets, the lowest first.
    private static func number(_ packet: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
        var number: UInt64 = 0
        for place in start..<end { number |= UInt64(packet[place]) << UInt64((place - start) * 8) }
        return number
    }

    /// Where a field begins; nil if it is not there.
    func offset(of field: PLXField) -> Int? {
        switch field.modality {
        case .fast: flags & 1 != 0 ? 5 + field.offset : nil
        case .slow: flags & 2 != 0 ? 5 + Int(flags & 1) * 4 + field.offset : nil
        case .continuous, .spot, .intermediate, .final, .strap, .imported: 1 + field.offset
        }
    }

    var packetStatus: PacketStatus {
        PacketStatus(
            measurement: flags & 4 != 0
                ? MeasurementStatus(rawValue: UInt16(truncatingIfNeeded: status)) : nil,
            sensor: flags & 8 != 0
                ? DeviceAndSensorStatus(
                    rawValue: UInt32(truncatingIfNeeded: status >> 16) & 0xFF_FFFF) : nil)
    }
}
