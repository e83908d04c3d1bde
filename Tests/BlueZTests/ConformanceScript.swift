import BlueZ
import DBus
import Measurements

/// A sensor of one health service, as bluetoothd shows it, with a supervisor that cares for it.
struct ProfileSensor {
    /// A characteristic: its number, what can be done with it, and what it holds.
    typealias Offer = (number: String, flags: [String], value: [UInt8])

    var script = BusScript()
    private var paths: [String: String] = [:]

    /// A bonded sensor that sleeps; the characteristics get their handles in the order given.
    init(_ services: [(number: String, offers: [Offer])]) {
        script.addHost()
        script.addSensor(hasObjects: false)
        var handle = 10
        for service in services {
            let path = "\(BusScript.device)/service00\(handle)"
            script.objects[path] = [BusScript.service1: [BusScript.uuid(service.number)]]
            for offer in service.offers {
                handle += 1
                add(offer, below: path, handle)
            }
            handle += 1
        }
        script.start()
    }

    private mutating func add(_ offer: Offer, below service: String, _ handle: Int) {
        let path = "\(service)/char00\(handle)"
        paths[offer.number] = paths[offer.number] ?? path
        script.objects[path] = [
            BusScript.characteristic1: [BusScript.uuid(offer.number), BusScript.flags(offer.flags)]
        ]
        script.values[path] = offer.value
    }

    /// The sensor wakes, and everything that healthd does then is done.
    mutating func wake() {
        script.connected()
        script.resolved()
        script.pass(2_000)
    }

    /// The sensor sends a value of this characteristic.
    mutating func send(_ number: String, _ octets: [UInt8]) {
        script.value(path(number), octets)
    }

    func path(_ number: String) -> String { paths[number] ?? "" }

    /// The numbers of the characteristics that were armed so far.
    func armed() -> Set<String> { numbers(script.actions.paths(of: "StartNotify")) }

    /// The numbers of the characteristics that were read so far.
    func read() -> Set<String> { numbers(script.actions.paths(of: "ReadValue")) }

    private func numbers(_ called: [String]) -> Set<String> {
        Set(paths.filter { called.contains($0.value) }.map(\.key))
    }

    /// What went through the door of this characteristic, in order.
    func events(_ number: String) -> [GATTEvent] {
        script.actions.events.filter { $0.characteristic == BluetoothUUID(number) }
    }

    /// The octets that were written to this characteristic, in order.
    func writes(_ number: String) -> [[UInt8]] {
        script.actions.calls(of: "WriteValue").filter { $0.path == path(number) }
            .compactMap { $0.arguments.first?.bytes }
    }
}

extension ProfileSensor {
    /// Device Information as the profiles want it.
    static let deviceInformation: (number: String, offers: [Offer]) = (
        "180a",
        [
            ("2a29", ["read"], Array("Maker".utf8)), ("2a24", ["read"], Array("Model".utf8)),
            ("2a23", ["read"], [1, 2, 3, 4, 5, 6, 7, 8]),
        ]
    )

    static let thermometer: (number: String, offers: [Offer]) = (
        "1809",
        [
            ("2a1c", ["indicate"], []), ("2a1d", ["read"], [2]), ("2a1e", ["notify"], []),
            ("2a21", ["read", "write", "indicate"], [60, 0]),
        ]
    )

    static let oximeter: (number: String, offers: [Offer]) = (
        "1822",
        [
            ("2a60", ["read", "indicate"], [0x04, 0x00]), ("2a5e", ["indicate"], []),
            ("2a5f", ["notify"], []), ("2a52", ["write", "indicate"], []),
        ]
    )

    static let strap: (number: String, offers: [Offer]) = (
        "180d",
        [("2a37", ["notify"], []), ("2a38", ["read"], [99]), ("2a39", ["write"], [])]
    )
}
