package import Measurements

/// What a capture held: everything is counted, whatever became of it.
package struct CaptureAccount: Equatable, Sendable {
    /// Records of the file.
    package var records = 0
    /// Records that the recorder has shortened.
    package var cutRecords = 0
    /// Records that the recorder says it has lost.
    package var droppedRecords = 0
    /// Records whose octets do not keep to their protocol.
    package var malformed = 0
    /// Packets of link types that cannot be read, by type.
    package var unsupported: [UnsupportedLinkType: Int] = [:]

    /// Links to sensors that came up.
    package var links = 0
    /// Operations of the Attribute Protocol, in either direction.
    package var attOperations = 0
    /// Operations on links whose beginning is missing, so that nobody knows the device.
    package var operationsOfUnknownDevices = 0
    /// Events that were made of them, beside those of links.
    package var events = 0
    /// Values of characteristics that hold readings, by characteristic, in the order of their coming.
    package var readings: [Count] = []
    /// Values of other characteristics that a sensor sent by itself.
    package var others = 0
    /// Values that a sensor sent by itself, of handles that are not known, by device and handle.
    package var unmapped: [UnmappedHandle] = []
    /// Indications that nobody confirmed.
    package var unconfirmed = 0
    /// Responses without the request that they belong to.
    package var unpaired = 0

    /// Packets of the air whose checksum is wrong.
    package var badChecksums = 0
    /// Packets of the air that are encrypted.
    package var encrypted = 0
    /// Packets of the air that were sent once more.
    package var retransmissions = 0
    /// Fragments without their beginning, or beginnings without their end.
    package var brokenPackets = 0
    /// Links, devices or handles beyond the limits.
    package var beyondLimits = 0

    /// Times that are strange.
    package var clockFaults = 0

    /// How many values of a characteristic there were.
    package struct Count: Equatable, Sendable {
        /// The characteristic.
        package let characteristic: BluetoothUUID
        /// The number of its values.
        package var count: Int
    }

    /// A handle that nothing told about.
    package struct UnmappedHandle: Equatable, Sendable {
        /// The device.
        package let device: DeviceAddress
        /// The handle.
        package let handle: UInt16
        /// The number of its values.
        package var count: Int
    }

    /// Handles that are kept one by one; the others only count among `others`.
    private static let unmappedLimit = 64

    /// An account of nothing.
    package init() {}

    /// The number of readings of all characteristics.
    package var readingCount: Int { readings.reduce(0) { $0 + $1.count } }

    /// Counts a value; only those of other characteristics that came by themselves count as others.
    ///
    /// - Returns: The place of its characteristic in `readings`; nil if it is not there.
    @discardableResult
    mutating func count(_ kind: GATTEvent.Kind, of characteristic: BluetoothUUID) -> Int? {
        guard kind != .write, let place = place(of: characteristic) else {
            events += 1
            if kind != .write, kind != .read { others += 1 }
            return nil
        }
        count(again: place)
        return place
    }

    /// Counts a value that came by itself and whose place in `readings` is known, or that has none.
    mutating func count(again reading: Int?) {
        events += 1
        if let reading { readings[reading].count += 1 } else { others += 1 }
    }

    private mutating func place(of characteristic: BluetoothUUID) -> Int? {
        if let place = readings.firstIndex(where: { $0.characteristic == characteristic }) {
            return place
        }
        guard Self.measured.contains(characteristic) else { return nil }
        readings.append(Count(characteristic: characteristic, count: 0))
        return readings.count - 1
    }

    /// Counts a value of a handle that is not known.
    mutating func count(unmapped handle: UInt16, of device: DeviceAddress) {
        others += 1
        if let place = unmapped.firstIndex(where: { $0.handle == handle && $0.device == device }) {
            unmapped[place].count += 1
        } else if unmapped.count < Self.unmappedLimit {
            unmapped.append(UnmappedHandle(device: device, handle: handle, count: 1))
        }
    }

    /// The characteristics that hold readings.
    private static let measured: [BluetoothUUID] = [
        .plxContinuousMeasurement, .plxSpotCheckMeasurement, .temperatureMeasurement,
        .intermediateTemperature, .heartRateMeasurement, .batteryLevel,
    ]
}
