package import Measurements

/// What one event, or one sample of a file, means to the store.
package struct Intake: Equatable, Sendable {
    /// What the event came from.
    package let device: SourceDevice
    /// When the host had it; of an imported sample, when it began.
    package let at: Instant
    /// What there is to keep.
    package let content: Content
    /// Better times for readings before it, which a clock that was read now gives them.
    package var corrections: [TimeCorrection] = []

    /// Something to keep of a device.
    package init(
        device: SourceDevice, at: Instant, content: Content, corrections: [TimeCorrection] = []
    ) {
        self.device = device
        self.at = at
        self.content = content
        self.corrections = corrections
    }

    /// Whether a sensor may not say it again.
    package var isUnrepeatable: Bool {
        if case .reading(let reading) = content { reading.isUnrepeatable } else { false }
    }

    /// What there is to keep of an event.
    package enum Content: Equatable, Sendable {
        /// A measurement packet.
        case reading(NewReading)
        /// Something that the device says of itself.
        case attribute(DeviceAttribute)
        /// The device's clock was read: our clock less the device's, in ms.
        case clock(offset: Int64)
        /// A link came up or went down, or a procedure ended; nothing to keep but the device.
        case link
        /// Nothing to keep, and why.
        case skipped(SkipReason)
    }
}

/// Why an event leaves nothing in the store.
package enum SkipReason: String, CaseIterable, Equatable, Sendable {
    /// The characteristic is none that healthd knows.
    case unknownCharacteristic
    /// A value that describes the device does not decode.
    case malformedAttribute
    /// A value without a characteristic.
    case noCharacteristic
    /// More devices in one run than `ReadingAssembler.deviceLimit`.
    case tooManyDevices
}

/// A measurement packet that has no seq yet.
package struct NewReading: Equatable, Sendable {
    /// The characteristic that sent it.
    package let characteristic: MeasurementCharacteristic
    /// The rank by handle among the device's characteristics of the same UUID.
    package let instance: Int
    /// When it was measured; nil means at reception.
    package let start: Instant?
    /// When the measurement ended; nil means at its start.
    package var end: Instant?
    /// The device's stamp in seconds of its own clock since 1970, where that clock is set.
    package let stamp: Int64?
    /// How many equal readings came before in the same run.
    package let ordinal: Int
    /// Time quality, origin and marks.
    package let flags: ReadingFlags
    /// The octets as received.
    package let octets: [UInt8]
    /// Whether the packet must be on disk at once: the device may not send it again.
    package let isUnrepeatable: Bool
    /// How many samples the packet holds.
    package let sampleCount: Int
    /// A bit for each type among its samples, by `SampleType.place`.
    package let typeBits: Int64
    /// Why the packet does not decode.
    package let malformed: MalformedValue?
}

/// What a device says of itself, as it goes to the store.
package enum DeviceAttribute: Equatable, Sendable {
    /// A Device Information string: the attribute's name in the store, and the text.
    case text(DeviceColumn, String)
    /// A number, such as the code of a Temperature Type.
    case number(DeviceColumn, Int)
}

/// The attributes that the store keeps of a device; the raw values are its column names.
package enum DeviceColumn: String, CaseIterable, Equatable, Sendable {
    case name
    case addressType = "address_type"
    case manufacturer
    case model
    case serial
    case firmware
    case hardware
    case software
    case systemID = "system_id"
    case pnpID = "pnp_id"
    case regulatory
    case temperatureType = "temperature_type"
    case bodyLocation = "body_location"
    case plxFeatures = "plx_features"
    case measurementInterval = "measurement_interval"
}

extension DeviceAttribute {
    /// What the octets of a descriptive characteristic say.
    ///
    /// - Returns: nil if the characteristic describes nothing that is kept.
    /// - Throws: Why the octets do not decode.
    init?(_ characteristic: BluetoothUUID, _ octets: [UInt8]) throws(MalformedValue) {
        switch characteristic {
        case .temperatureType:
            self = .number(.temperatureType, Int(try TemperatureType(decoding: octets).rawValue))
        case .bodySensorLocation:
            var fields = try FieldReader(octets)
            self = .number(.bodyLocation, Int(try fields.uint8("Body Sensor Location")))
        case .measurementInterval:
            var fields = try FieldReader(octets)
            self = .number(.measurementInterval, Int(try fields.uint16("Measurement Interval")))
        case .plxFeatures:
            _ = try PLXFeatures(decoding: octets)
            self = .text(.plxFeatures, hexText(octets))
        default:
            guard let attribute = try Self.information(characteristic, octets) else { return nil }
            self = attribute
        }
    }

    private static func information(
        _ characteristic: BluetoothUUID, _ octets: [UInt8]
    ) throws(MalformedValue) -> DeviceAttribute? {
        let strings: [BluetoothUUID: DeviceColumn] = [
            .manufacturerName: .manufacturer, .modelNumber: .model, .serialNumber: .serial,
            .firmwareRevision: .firmware, .hardwareRevision: .hardware,
            .softwareRevision: .software,
        ]
        if let column = strings[characteristic] {
            return .text(column, try DeviceInformationString(decoding: octets).text)
        }
        let opaque: [BluetoothUUID: DeviceColumn] = [
            .systemID: .systemID, .pnpID: .pnpID, .regulatoryCertification: .regulatory,
        ]
        return opaque[characteristic].map { .text($0, hexText(octets)) }
    }
}
