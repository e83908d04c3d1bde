package import Measurements

/// Something about a capture that its reader should know.
package enum CaptureRemark: Equatable, Sendable {
    /// The time of a record is strange.
    case clock(ClockFault, record: Int)
    /// The recorder says that it lost packets before a record.
    case dropped(Int, record: Int)
    /// Packets of an interface cannot be read.
    case unsupported(UnsupportedLinkType)
    /// Values of a handle are taken for those of a characteristic because they look like it.
    case guessed(BluetoothUUID, handle: UInt16, DeviceAddress)
    /// A value of such a handle does not look like it; from here on its values are left out.
    case guessWithdrawn(BluetoothUUID, handle: UInt16, DeviceAddress)
    /// A handle that was mapped by hand is another characteristic by what the device told.
    case mapOverruled(handle: UInt16, by: BluetoothUUID, DeviceAddress)
}

extension CaptureRemark: CustomStringConvertible {
    /// The remark in plain words.
    package var description: String {
        switch self {
        case .clock(let fault, let record): "record \(record): \(fault)"
        case .dropped(let count, let record):
            "record \(record): \(count) before it are missing, says the recorder"
        case .unsupported(let link): "link type \(link)"
        case .guessed(let uuid, let handle, let device):
            "\(device): handle \(hex(handle)) is taken for \(name(uuid)), for its values look like "
                + "it; --map \(hex(handle))=UUID decides"
        case .guessWithdrawn(let uuid, let handle, let device):
            "\(device): handle \(hex(handle)) is not \(name(uuid)) after all; what looked like it "
                + "is marked as a guess"
        case .mapOverruled(let handle, let uuid, let device):
            "\(device): handle \(hex(handle)) is \(name(uuid)), as the device says, not what --map "
                + "says"
        }
    }
}

extension ClockFault: CustomStringConvertible {
    /// The fault in plain words.
    package var description: String {
        switch self {
        case .unset(let instant):
            "the recorder's clock was not set, it says \(instant.text().prefix(10))"
        case .back(let distance): "the clock jumps back by \(length(distance))"
        case .forward(let distance): "the clock jumps forward by \(length(distance))"
        case .fraction: "the fraction of its second is beyond a second"
        case .beyondRange: "its time is beyond the year 9999 or before 0"
        }
    }
}

/// A handle as BlueZ and Wireshark write it: `0x0010`.
package func hex(_ handle: UInt16) -> String {
    "0x" + hexText([UInt8(handle >> 8), UInt8(handle & 0xFF)])
}

/// `2a5f (PLX Continuous Measurement)`, or the UUID alone.
private func name(_ uuid: BluetoothUUID) -> String {
    DecodableName(uuid).map { "\(uuid) (\($0.title))" } ?? "\(uuid)"
}

private func length(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    if seconds >= 172_800 { return "\(seconds / 86_400) days" }
    if seconds >= 7200 { return "\(seconds / 3600) h" }
    return seconds >= 120 ? "\(seconds / 60) min" : "\(seconds) s"
}
