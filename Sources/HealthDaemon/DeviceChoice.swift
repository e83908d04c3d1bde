internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The device and the subject that a request names, looked up in the store.
struct DeviceChoice {
    private let device: Int64?

    /// Finds the device of a request by its address or else its name.
    ///
    /// - Throws: `no-such-device`, `no-such-subject`, or `conflict` for a name that several have.
    init(_ request: SampleRequest, _ store: StoreReader) throws(AnswerError) {
        guard request.device != nil || request.query.subject != nil else {
            device = nil
            return
        }
        let devices = try asking { () throws(StorageError) in try store.devices() }
        if let subject = request.query.subject { try Self.check(subject, devices) }
        device = try request.device.map { (name) throws(AnswerError) in
            try Self.find(name, Self.preferred(devices, request.query.origin), request.names)
        }
    }

    /// Whether a device is the one that was named, or none was.
    func includes(_ other: Device) -> Bool { device == nil || device == other.id }

    /// Puts the device into a query.
    func apply(to query: inout SampleQuery) {
        query.device = device
    }

    /// The devices with those first that samples of an origin come from: an exported sensor that was
    /// imported again has the address of the sensor.
    private static func preferred(
        _ devices: [Device], _ origin: GATTEvent.Origin?
    ) -> [Device] {
        let kind: SourceDevice.Kind = origin == .import ? .imported : .ble
        return devices.filter { $0.kind == kind } + devices.filter { $0.kind != kind }
    }

    /// The store's number of the device of an address or else a name.
    static func find(
        _ name: String, _ devices: [Device], _ names: SensorNames
    ) throws(AnswerError) -> Int64 {
        let address = DeviceAddress(name)?.description ?? name
        if let device = devices.first(where: { $0.address == address }) { return device.id }
        let named = devices.filter { names.name(of: $0) == name || $0.name == name }
        guard named.count < 2 else {
            let addresses = named.map(\.address).joined(separator: ", ")
            throw .request(
                ProtocolError(
                    .conflict, "several devices are called «\(name)»; name one of \(addresses)"))
        }
        guard let device = named.first else {
            let hint = nearest(
                to: name, in: devices.flatMap { [$0.address, names.name(of: $0) ?? $0.address] })
            throw .request(
                ProtocolError(
                    .noSuchDevice,
                    "no readings of a device `\(name)`"
                        + didYouMean(hint, else: "`devices` lists those there are")
                ).with("device", name))
        }
        return device.id
    }

    private static func check(_ subject: String, _ devices: [Device]) throws(AnswerError) {
        let known = devices.reduce(into: Set([Device.defaultSubject])) {
            $0.formUnion($1.subjects)
        }
        guard !known.contains(subject) else { return }
        let hint = nearest(to: subject, in: known.sorted())
        throw .request(
            ProtocolError(
                .noSuchSubject,
                "no readings of a subject `\(subject)`"
                    + didYouMean(hint, else: "there are " + known.sorted().joined(separator: ", "))
            ).with("subject", subject))
    }
}
