internal import Measurements
internal import Samples

/// What the small tables hold: devices with their assignments, and streams.
struct CatalogueContents {
    /// The devices, by their numbers.
    let devices: [Device]
    /// The streams, by device and number.
    let streams: [Stream]

    /// Reads the tables.
    init(_ database: borrowing Database) throws(StorageError) {
        devices = try Self.devices(database)
        streams = try Self.streams(database, devices)
    }

    private static func devices(
        _ database: borrowing Database
    ) throws(StorageError) -> [Device] {
        let columns = DeviceColumn.allCases.map(\.rawValue).joined(separator: ", ")
        let statement = try database.prepare(
            "SELECT id, address, kind, \(columns) FROM device ORDER BY id")
        let assignments = try assignments(database)
        var devices: [Device] = []
        while try statement.step() {
            devices.append(device(statement, assignments))
        }
        return devices
    }

    private static func device(
        _ row: borrowing Statement, _ assignments: [Int64: [Device.Assignment]]
    ) -> Device {
        var texts: [DeviceColumn: String] = [:]
        var numbers: [DeviceColumn: Int] = [:]
        for (place, column) in DeviceColumn.allCases.enumerated() {
            let index = Int32(place + 3)
            if column.isNumber {
                numbers[column] = row.optionalInt64(index).map { Int($0) }
            } else {
                texts[column] = row.text(index)
            }
        }
        let id = row.int64(0)
        return Device(
            id: id, address: row.text(1) ?? "",
            kind: row.text(2).flatMap { SourceDevice.Kind(rawValue: $0) } ?? .ble, texts: texts,
            numbers: numbers,
            assignments: assignments[id] ?? [])
    }

    private static func assignments(
        _ database: borrowing Database
    ) throws(StorageError) -> [Int64: [Device.Assignment]] {
        let statement = try database.prepare(
            "SELECT device, t0, t1, subject FROM assignment ORDER BY rowid")
        var result: [Int64: [Device.Assignment]] = [:]
        while try statement.step() {
            let span = Device.Assignment(
                start: statement.int64(1), end: statement.int64(2),
                subject: statement.text(3) ?? Device.defaultSubject)
            result[statement.int64(0), default: []].append(span)
        }
        return result
    }

    private static func streams(
        _ database: borrowing Database, _ devices: [Device]
    ) throws(StorageError) -> [Stream] {
        let devices = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0) })
        let statement = try database.prepare(
            "SELECT id, device, characteristic, instance, types FROM stream ORDER BY device, id")
        var streams: [Stream] = []
        while try statement.step() {
            guard let device = devices[statement.int64(1)],
                let characteristic = MeasurementCharacteristic(name: statement.text(2) ?? "")
            else { continue }
            streams.append(
                Stream(
                    id: statement.int64(0), device: device, characteristic: characteristic,
                    instance: Int(statement.int64(3)), typeBits: statement.int64(4)))
        }
        return streams
    }
}

extension DeviceColumn {
    fileprivate var isNumber: Bool {
        switch self {
        case .temperatureType, .bodyLocation, .measurementInterval: true
        case .name, .addressType, .manufacturer, .model, .serial, .firmware, .hardware,
            .software, .systemID, .pnpID, .regulatory, .plxFeatures:
            false
        }
    }
}
