internal import Measurements

/// The vendors' own services that health sensors offer in place of the standard ones.
enum PrivateProtocol {
    /// What the first of these services is called that is known; nil if none is.
    static func name(among services: [BluetoothUUID]) -> String? {
        known.first { services.contains($0.service) }?.name
    }

    private static let known: [(service: BluetoothUUID, name: String)] = [
        ("46a970e0-0d5f-11e2-8b5e-0002a5d5c51b", "Nonin's own protocol"),
        ("00001523-1212-efde-1523-785feabcd123", "the protocol of Taidoc and FORA"),
        ("cdeacb80-5235-4c07-8846-93a37ee6b86d", "the protocol of Jumper and PLS-01BT"),
        ("49535343-fe7d-4ae5-8fa9-9fafd205e455", "the protocol of Berry oximeters"),
        ("14839ac4-7d7e-415c-9a42-167340cf2339", "Viatom's own protocol"),
        ("6e400001-b5a3-f393-e0a9-e50e24dcca9e", "a serial protocol over Bluetooth"),
        ("fff0", "a vendor's own protocol (FFF0)"),
        ("ffe0", "a vendor's own protocol (FFE0)"),
    ].compactMap { text, name in BluetoothUUID(text).map { ($0, name) } }
}
