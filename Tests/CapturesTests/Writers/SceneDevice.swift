import Measurements

/// A device of a scene: its attributes, made of what the events name.
struct SceneDevice {
    struct Characteristic {
        let uuid: BluetoothUUID
        let instance: Int
        let declaration: UInt16
        var value: UInt16 { declaration + 1 }
        var configuration: UInt16 { declaration + 2 }
    }

    struct Service {
        let uuid: BluetoothUUID
        let first: UInt16
        var last: UInt16
        var characteristics: [Characteristic]
    }

    let address: DeviceAddress
    let isRandom: Bool
    /// The longest operation that both agree on.
    let mtu: Int
    private(set) var services: [Service] = []

    /// The device that has what the events name: services by first mention, one more for each instance.
    init(events: [GATTEvent]) {
        address = events[0].device.address
        isRandom = events[0].device.addressType == "random"
        mtu = events[0].device.name == "EarTemp" ? 247 : 23
        var handle: UInt16 = 1
        for (service, instance, uuids) in Self.layout(events) {
            var made = Service(uuid: service, first: handle, last: handle, characteristics: [])
            handle += 1
            for uuid in uuids {
                made.characteristics.append(
                    Characteristic(uuid: uuid, instance: instance, declaration: handle))
                handle += 3
            }
            made.last = handle - 1
            services.append(made)
            handle += 4  // devices leave gaps
        }
    }

    private static func layout(
        _ events: [GATTEvent]
    ) -> [(BluetoothUUID, Int, [BluetoothUUID])] {
        var layout: [(BluetoothUUID, Int, [BluetoothUUID])] = []
        for event in events {
            guard let service = event.service, let uuid = event.characteristic else { continue }
            let place = layout.firstIndex { $0.0 == service && $0.1 == event.instance }
            if let place {
                if !layout[place].2.contains(uuid) { layout[place].2.append(uuid) }
            } else {
                layout.append((service, event.instance, [uuid]))
            }
        }
        return layout
    }

    func characteristic(_ event: GATTEvent) -> Characteristic {
        for service in services where service.uuid == event.service {
            for found in service.characteristics
            where found.uuid == event.characteristic && found.instance == event.instance {
                return found
            }
        }
        preconditionFailure("a scene without its own characteristic")
    }
}

extension SceneDevice {
    /// What an event looks like on its link; requests stand 12 ms before their answers.
    func steps(of event: GATTEvent, discovers: Bool) -> [SceneStep] {
        let time = event.at.milliseconds * 1000
        switch event.kind {
        case .connect: return connection(event, time, discovers)
        case .disconnect: return [step(.disconnect, time)]
        case .read: return read(characteristic(event).value, event.value, time)
        case .write:
            return [
                client([0x12] + characteristic(event).value.octets + event.value, time - 12_000),
                sensor([0x13], time),
            ]
        case .notify:
            return [sensor([0x1B] + characteristic(event).value.octets + event.value, time)]
        case .indicate:
            return [
                sensor([0x1D] + characteristic(event).value.octets + event.value, time),
                client([0x1E], time + 20_000),
            ]
        }
    }

    private func connection(
        _ event: GATTEvent, _ time: Int64, _ discovers: Bool
    ) -> [SceneStep] {
        var steps: [SceneStep] = []
        if let rssi = event.device.rssi {
            let heard = SceneStep.Kind.advertisement(
                name: isRandom ? nil : event.device.name, rssi: rssi, isResponse: false)
            let response = SceneStep.Kind.advertisement(
                name: event.device.name, rssi: rssi, isResponse: true)
            steps = [step(heard, time - 90_000), step(response, time - 89_000)]
        }
        return steps + [step(.connect, time)] + (discovers ? discovery(from: time + 20_000) : [])
    }

    /// A value that fills its response is followed by requests for more.
    private func read(_ handle: UInt16, _ value: [UInt8], _ time: Int64) -> [SceneStep] {
        var steps: [SceneStep] = []
        var rest = value[...]
        repeat {
            let offset = UInt16(value.count - rest.count)
            let part = rest.prefix(mtu - 1)
            rest = rest.dropFirst(mtu - 1)
            let isFirst = offset == 0
            steps += [
                client(
                    (isFirst ? [0x0A] : [0x0C]) + handle.octets + (isFirst ? [] : offset.octets), 0),
                sensor([isFirst ? 0x0B : 0x0D] + part, 0),
            ]
        } while !rest.isEmpty || (value.count % (mtu - 1) == 0 && steps.count < 4)
        for place in steps.indices {
            steps[place].time = time - Int64(steps.count - 1 - place) * 12_000
        }
        return steps
    }

    func step(_ kind: SceneStep.Kind, _ time: Int64) -> SceneStep {
        SceneStep(kind: kind, address: address, isRandom: isRandom, time: time)
    }

    func client(_ operation: [UInt8], _ time: Int64) -> SceneStep {
        step(.operation(operation, fromSensor: false), time)
    }

    func sensor(_ operation: [UInt8], _ time: Int64) -> SceneStep {
        step(.operation(operation, fromSensor: true), time)
    }
}

extension UInt16 {
    /// The octets as Bluetooth sends them.
    var octets: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)] }
}
