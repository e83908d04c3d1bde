internal import Measurements

extension HCITrace {
    /// Takes in an event of the controller: its code, the length of what follows, parameters.
    mutating func take(
        event: Span<UInt8>, _ adapter: UInt16?, _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        guard event.count >= 2, event.count >= 2 + Int(event[1]) else {
            return gatt.account.malformed += 1
        }
        let parameters = event.extracting(2..<2 + Int(event[1]))
        switch event[0] {
        case HCIEventCode.lowEnergy: take(lowEnergy: parameters, adapter, instant, &gatt)
        case HCIEventCode.disconnectionComplete:
            guard parameters.count >= 4, parameters[0] == 0 else { return }
            disconnect(parameters.uint16(at: 1) & 0x0FFF, adapter, instant, &gatt)
        case HCIEventCode.connectionComplete:
            guard parameters.count >= 11, parameters[0] == 0 else { return }
            connectClassic(parameters.uint16(at: 1) & 0x0FFF, adapter, instant, &gatt)
        case HCIEventCode.commandComplete:
            guard parameters.count >= 4, parameters.uint16(at: 1) == hciReset, parameters[3] == 0
            else { return }
            disconnectAll(adapter, instant, &gatt)
        default: break
        }
    }

    private mutating func take(
        lowEnergy event: Span<UInt8>, _ adapter: UInt16?, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        guard !event.isEmpty else { return gatt.account.malformed += 1 }
        switch event[0] {
        case HCIEventCode.leConnectionComplete: connect(event, 19, adapter, instant, &gatt)
        case HCIEventCode.leEnhancedConnectionComplete:
            connect(event, 31, adapter, instant, &gatt)
        case HCIEventCode.leEnhancedConnectionComplete2:
            connect(event, 34, adapter, instant, &gatt)
        case HCIEventCode.leAdvertisingReport: gatt.hear(report: event)
        case HCIEventCode.leExtendedAdvertisingReport: gatt.hear(extendedReport: event)
        default: break
        }
    }

    /// All versions begin alike: status, handle, role, type of address, address.
    ///
    /// Types 0 and 2 are public, 1 and 3 random; 2 and 3 were resolved by the controller.
    /// Source: Bluetooth Core, Vol 4 Part E 7.7.65.1 and 7.7.65.10.
    private mutating func connect(
        _ event: Span<UInt8>, _ length: Int, _ adapter: UInt16?, _ instant: Instant,
        _ gatt: inout GATTTrace
    ) {
        guard event.count >= length else { return gatt.account.malformed += 1 }
        guard event[1] == 0 else { return }
        connect(
            event.uint16(at: 2) & 0x0FFF, adapter, (event.address(at: 6), event[5] & 1 == 1),
            instant, &gatt)
    }
}

extension GATTTrace {
    /// Takes in advertisements: their number, then each with type, type of address, address, data and
    /// strength.
    ///
    /// Source: Bluetooth Core, Vol 4 Part E 7.7.65.2.
    mutating func hear(report event: Span<UInt8>) {
        guard event.count >= 2 else { return account.malformed += 1 }
        var position = 2
        for _ in 0..<event[1] {
            guard position + 9 <= event.count else { return }
            let start = position + 9
            let end = start + Int(event[position + 8])
            guard end < event.count else { return }
            advertisers.hear(
                event.address(at: position + 2), event.extracting(start..<end),
                rssi: strength(event[end]))
            position = end + 1
        }
    }

    /// Takes in advertisements of the extended kind.
    ///
    /// Source: Bluetooth Core, Vol 4 Part E 7.7.65.13.
    mutating func hear(extendedReport event: Span<UInt8>) {
        guard event.count >= 2 else { return account.malformed += 1 }
        var position = 2
        for _ in 0..<event[1] {
            guard position + 24 <= event.count else { return }
            let start = position + 24
            let end = start + Int(event[position + 23])
            guard end <= event.count else { return }
            advertisers.hear(
                event.address(at: position + 3), event.extracting(start..<end),
                rssi: strength(event[position + 13]))
            position = end
        }
    }
}

/// A strength in dBm; nil for the number that says that there is none.
private func strength(_ octet: UInt8) -> Int? {
    octet == 127 ? nil : Int(Int8(bitPattern: octet))
}
