import Measurements

extension SceneDevice {
    /// How a host asks a device for its attributes, and then for notifications.
    ///
    /// 16-bit services are asked for by group type, others by their UUID; declarations by type.
    func discovery(from start: Int64) -> [SceneStep] {
        var exchanges: [(request: [UInt8], response: [UInt8])] = []
        if mtu > 23 {
            exchanges.append(([0x02] + UInt16(517).octets, [0x03] + UInt16(mtu).octets))
        }
        for service in services { exchanges.append(find(service)) }
        exchanges.append(
            ([0x10, 0xF0, 0xFF, 0xFF, 0xFF, 0x00, 0x28], [0x01, 0x10, 0xF0, 0xFF, 0x0A]))
        for service in services {
            exchanges += service.characteristics.map { declaration($0, in: service) }
            exchanges += service.characteristics.map { types($0) }
            exchanges += service.characteristics.map { subscription($0) }
        }
        return exchanges.enumerated().flatMap { place, exchange in
            let time = start + Int64(place) * 20_000
            return [client(exchange.request, time), sensor(exchange.response, time + 10_000)]
        }
    }

    private func find(_ service: Service) -> ([UInt8], [UInt8]) {
        let range = service.first.octets + service.last.octets
        guard let short = service.uuid.short else {
            return (
                [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28] + service.uuid.octets, [0x07] + range
            )
        }
        return (
            [0x10] + service.first.octets + [0xFF, 0xFF, 0x00, 0x28],
            [0x11, 0x06] + range + short.octets
        )
    }

    private func declaration(_ one: Characteristic, in service: Service) -> ([UInt8], [UInt8]) {
        let entry = one.declaration.octets + [0x3A] + one.value.octets + one.uuid.octets
        return (
            [0x08] + one.declaration.octets + service.last.octets + [0x03, 0x28],
            [0x09, UInt8(entry.count)] + entry
        )
    }

    private func types(_ one: Characteristic) -> ([UInt8], [UInt8]) {
        (
            [0x04] + one.configuration.octets + one.configuration.octets,
            [0x05, 0x01] + one.configuration.octets + [0x02, 0x29]
        )
    }

    private func subscription(_ one: Characteristic) -> ([UInt8], [UInt8]) {
        ([0x12] + one.configuration.octets + [0x03, 0x00], [0x13])
    }
}

extension BluetoothUUID {
    /// 2 or 16 octets, as Bluetooth sends them.
    var octets: [UInt8] {
        if let short { return short.octets }
        return (hexOctets(description.utf8.filter { $0 != UInt8(ascii: "-") }) ?? []).reversed()
    }
}

extension DeviceAddress {
    /// The octets as Bluetooth sends them.
    var octets: [UInt8] {
        stride(from: 0, to: 48, by: 8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }
}
