internal import Measurements
internal import Samples

/// What makes a reading the same as another one of its stream.
struct ReadingIdentity: Hashable {
    /// The time, on the clock that counts: the device's stamp, or else our reception.
    enum Time: Hashable {
        case received(Int64)
        case stamped(Int64)
    }

    let time: Time
    let content: Content

    /// What two readings of one time must have in common.
    struct Content: Hashable {
        private let octets: [UInt8]
        private let ordinal: Int

        /// In the octets, the bit that marks a value sent again from memory is masked; only 2A5E has it.
        init(_ octets: [UInt8], _ characteristic: MeasurementCharacteristic, ordinal: Int) {
            self.octets =
                characteristic == .plxSpotCheck
                ? PLXSpotCheckMeasurement.maskingStorageBit(octets) : octets
            self.ordinal = ordinal
        }
    }
}

extension ReadingIdentity {
    /// The identity of a reading that comes in.
    init(_ reading: NewReading, at: Instant) {
        time = reading.stamp.map { .stamped($0) } ?? .received(at.milliseconds)
        content = Content(reading.octets, reading.characteristic, ordinal: reading.ordinal)
    }

    /// The identity of a stored reading.
    init(_ reading: Reading, of characteristic: MeasurementCharacteristic) {
        time = reading.stamp.map { .stamped($0) } ?? .received(reading.at.milliseconds)
        content = Content(reading.octets, characteristic, ordinal: reading.ordinal)
    }

    /// 64 bits that stand for the identity where the octets must not be kept (FNV-1a).
    var digest: Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in time.octets + content.digested {
            hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
        }
        return Int64(bitPattern: hash)
    }
}

extension ReadingIdentity.Time {
    /// The clock and the time, as octets.
    fileprivate var octets: [UInt8] {
        switch self {
        case .received(let time): [0] + time.littleEndianOctets
        case .stamped(let time): [1] + time.littleEndianOctets
        }
    }
}

extension ReadingIdentity.Content {
    /// The ordinal and the masked octets.
    fileprivate var digested: [UInt8] { Int64(ordinal).littleEndianOctets + octets }
}
