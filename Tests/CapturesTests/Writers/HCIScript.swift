import Captures
import Measurements

/// A capture of one host (H4), written step by step, a tenth of a second apart.
struct HCIScript {
    /// The first device's address, unless a step names another.
    static let sensor = DeviceAddress(bits: 0x001C_0501_0203)
    /// When the first step is: 2026-11-24T21:00:00Z.
    static let start: Int64 = 1_795_554_000_000_000

    private(set) var packets: [ContainerPacket] = []
    private var time = start

    /// The file.
    var octets: [UInt8] { BtsnoopWriter.file(packets, datalink: 1002) }

    /// What it gives.
    func reading(
        handles: HandleMap = HandleMap(), device: DeviceAddress? = nil
    ) -> CaptureReading {
        CaptureReading(octets, handles: handles, device: device)
    }

    mutating func packet(_ octets: [UInt8], flags: UInt32) {
        packets.append(ContainerPacket(octets: octets, time: time, flags: flags))
        time += 100_000
    }

    mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        packet([4, code, UInt8(parameters.count)] + parameters, flags: 3)
    }

    mutating func connect(
        _ handle: UInt16 = 0x40, _ address: DeviceAddress = sensor, status: UInt8 = 0,
        addressType: UInt8 = 0
    ) {
        event(
            0x3E,
            [1, status] + handle.octets + [0, addressType] + address.octets + [
                24, 0, 0, 0, 72, 0, 0,
            ])
    }

    mutating func disconnect(_ handle: UInt16 = 0x40) { event(5, [0] + handle.octets + [0x13]) }

    /// A whole operation of the Attribute Protocol.
    mutating func send(_ operation: [UInt8], _ handle: UInt16 = 0x40) {
        fragment(UInt16(operation.count).octets + [4, 0] + operation, handle, isReceived: false)
    }

    mutating func receive(_ operation: [UInt8], _ handle: UInt16 = 0x40) {
        fragment(
            UInt16(operation.count).octets + [4, 0] + operation, handle, boundary: 2,
            isReceived: true)
    }

    mutating func fragment(
        _ octets: [UInt8], _ handle: UInt16 = 0x40, boundary: UInt16 = 0, isReceived: Bool
    ) {
        let word = handle | boundary << 12
        packet(
            [2] + word.octets + UInt16(octets.count).octets + octets, flags: isReceived ? 1 : 0)
    }

    /// The device tells that it has a service over all handles, and one characteristic in it.
    mutating func discover(
        _ service: BluetoothUUID = .pulseOximeterService,
        _ characteristic: BluetoothUUID = .plxContinuousMeasurement, at handle: UInt16 = 0x0C,
        in range: ClosedRange<UInt16> = 1...0xFFFF, _ link: UInt16 = 0x40
    ) {
        let ends = range.lowerBound.octets + range.upperBound.octets
        send([0x10, 1, 0, 0xFF, 0xFF, 0, 0x28], link)
        receive([0x11, UInt8(4 + service.octets.count)] + ends + service.octets, link)
        declare(characteristic, at: handle, link)
    }

    /// The device tells that it has a characteristic.
    mutating func declare(_ uuid: BluetoothUUID, at handle: UInt16, _ link: UInt16 = 0x40) {
        let entry = (handle - 1).octets + [0x10] + handle.octets + uuid.octets
        send([8, 1, 0, 0xFF, 0xFF, 3, 0x28], link)
        receive([9, UInt8(entry.count)] + entry, link)
    }

    mutating func notify(_ value: [UInt8], at handle: UInt16 = 0x0C, _ link: UInt16 = 0x40) {
        receive([0x1B] + handle.octets + value, link)
    }

    mutating func read(_ value: [UInt8], at handle: UInt16 = 0x0C, _ link: UInt16 = 0x40) {
        send([0x0A] + handle.octets, link)
        receive([0x0B] + value, link)
    }
}

/// A packet of an oximeter: 97 %, 72 a minute.
let oximeterValue: [UInt8] = [0, 97, 0, 72, 0]
