internal import Measurements
internal import Samples

/// Finds imported samples that a sensor of this store has sent itself.
///
/// An export names the sensor; brought back into the store that it is from, it must add nothing.
final class SensorSamples {
    private let findStreams: Statement
    private let findReadings: Statement
    private let blocks: BlockReader
    private var streams: [String: [Stream]] = [:]

    /// A stream of a sensor.
    private struct Stream {
        let id: Int64
        let characteristic: MeasurementCharacteristic
    }

    /// Sensors whose streams are remembered; beyond, all are looked up again.
    private static let sensorLimit = 1024

    init(_ database: borrowing Database, _ blocks: BlockReader) throws(StorageError) {
        self.blocks = blocks
        findStreams = try database.prepare(
            """
            SELECT stream.id, characteristic FROM stream JOIN device ON device.id = stream.device
            WHERE address = ? AND kind = 'ble'
            """)
        findReadings = try database.prepare(
            "SELECT octets FROM reading WHERE stream = ? AND coalesce(start, at) = ?")
    }

    /// Whether a sensor of an imported source's address has sent the same sample at the same time.
    func contains(
        _ reading: NewReading, at: Instant, from source: SourceDevice
    ) throws(StorageError) -> Bool {
        guard case .imported(let address) = source, reading.characteristic == .sample else {
            return false
        }
        guard let wanted = DecodedPacket.samples(of: reading.octets, .sample).first else {
            return false
        }
        for stream in try streams(of: address)
        where stream.characteristic.types.contains(wanted.type) {
            for packet in try packets(of: stream, at: at) {
                let samples = DecodedPacket.samples(of: packet, stream.characteristic)
                if samples.contains(where: { $0.isSame(as: wanted) }) { return true }
            }
        }
        return false
    }

    /// The packets of one time, as rows and in blocks.
    private func packets(
        of stream: Stream, at: Instant
    ) throws(StorageError) -> [[UInt8]] {
        try findReadings.bind(1, stream.id)
        try findReadings.bind(2, at.milliseconds)
        defer { findReadings.reset() }
        var packets: [[UInt8]] = []
        while try findReadings.step() { packets.append(findReadings.octets(0)) }
        guard stream.characteristic.isStreaming else { return packets }
        for row in try blocks.parts(of: stream.id, Quarter(containing: at))
        where row.times.contains(at.milliseconds) {
            guard let block = try blocks.decoded(row) else { continue }
            for index in block.places(at: at.milliseconds) {
                packets.append(Array(block.columns.packet(index)))
            }
        }
        return packets
    }

    /// Forgets which streams there are.
    func forget() { streams = [:] }

    private func streams(
        of address: String
    ) throws(StorageError) -> [Stream] {
        if let known = streams[address] { return known }
        if streams.count >= Self.sensorLimit { streams = [:] }
        var found: [Stream] = []
        try findStreams.bind(1, address)
        defer { findStreams.reset() }
        while try findStreams.step() {
            guard let name = findStreams.text(1),
                let characteristic = MeasurementCharacteristic(name: name)
            else { continue }
            found.append(Stream(id: findStreams.int64(0), characteristic: characteristic))
        }
        streams[address] = found
        return found
    }
}

extension Sample {
    /// Whether an imported sample is this one, in its own unit or in the usual one.
    fileprivate func isSame(as imported: Sample) -> Bool {
        guard type == imported.type, modality == imported.modality else { return false }
        guard let value, let other = imported.value else { return absent == imported.absent }
        return unit.convert(value, to: imported.unit) == other
    }
}
