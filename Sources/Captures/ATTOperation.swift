internal import Measurements

/// An operation of the Attribute Protocol that is written.
struct ATTOperation: Equatable, Sendable {
    /// Whether the host sends it.
    let isFromHost: Bool
    /// Its octets, the opcode first.
    let octets: [UInt8]

    /// An operation with these parameters.
    init(_ opcode: ATTOpcode, _ parameters: [UInt8] = []) {
        isFromHost = opcode.sender == .client
        octets = [opcode.rawValue] + parameters
    }

    /// Both sides agree on 517 octets, so that every value goes into one operation.
    static let exchangeOfSizes = [
        ATTOperation(.exchangeMTURequest, UInt16(517).littleOctets),
        ATTOperation(.exchangeMTUResponse, UInt16(517).littleOctets),
    ]
}

extension GATTEvent {
    /// How a host asks what the handle of the event's value is, and asks for values.
    ///
    /// Two handles before it stands its service, one before it its declaration, behind it its
    /// configuration.
    func discovery(at handle: UInt16) -> [ATTOperation] {
        serviceDiscovery(handle - 2...handle + 1) + declaration(at: handle)
            + (kind == .notify || kind == .indicate ? subscription(at: handle + 1) : [])
    }

    private func serviceDiscovery(_ range: ClosedRange<UInt16>) -> [ATTOperation] {
        guard let service else { return [] }
        let primaryService: UInt16 = 0x2800
        let ends = range.lowerBound.littleOctets + range.upperBound.littleOctets
        let uuid = service.littleOctets
        return [
            ATTOperation(.readByGroupTypeRequest, ends + primaryService.littleOctets),
            ATTOperation(.readByGroupTypeResponse, [UInt8(4 + uuid.count)] + ends + uuid),
        ]
    }

    private func declaration(at handle: UInt16) -> [ATTOperation] {
        let characteristicType: UInt16 = 0x2803
        let ends = (handle - 1).littleOctets + handle.littleOctets
        let entry =
            (handle - 1).littleOctets + [properties] + handle.littleOctets
            + (characteristic?.littleOctets ?? [])
        return [
            ATTOperation(.readByTypeRequest, ends + characteristicType.littleOctets),
            ATTOperation(.readByTypeResponse, [UInt8(entry.count)] + entry),
        ]
    }

    /// What can be done with the characteristic, as far as the event shows.
    ///
    /// Source: Bluetooth Core, Vol 3 Part G 3.3.1.1.
    private var properties: UInt8 {
        switch kind {
        case .read: 0x02
        case .write: 0x08
        case .notify: 0x10
        case .indicate: 0x20
        case .connect, .disconnect: 0
        }
    }

    private func subscription(at handle: UInt16) -> [ATTOperation] {
        let configurationType: UInt16 = 0x2902
        let ends = handle.littleOctets + handle.littleOctets
        let wanted: UInt16 = kind == .notify ? 1 : 2
        return [
            ATTOperation(.findInformationRequest, ends),
            ATTOperation(
                .findInformationResponse,
                [1] + handle.littleOctets + configurationType.littleOctets),
            ATTOperation(.writeRequest, handle.littleOctets + wanted.littleOctets),
            ATTOperation(.writeResponse),
        ]
    }

    /// The operations that bring the event's value.
    func operations(at handle: UInt16) -> [ATTOperation] {
        let place = handle.littleOctets
        return switch kind {
        case .read: [ATTOperation(.readRequest, place), ATTOperation(.readResponse, value)]
        case .write: [ATTOperation(.writeRequest, place + value), ATTOperation(.writeResponse)]
        case .notify: [ATTOperation(.notification, place + value)]
        case .indicate: [ATTOperation(.indication, place + value), ATTOperation(.confirmation)]
        case .connect, .disconnect: []
        }
    }
}
