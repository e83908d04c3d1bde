internal import Measurements

/// What sensors said over the links of a capture: operations of the Attribute Protocol to events.
///
/// The host is the client, the device at the other end the server. Values that the host itself serves
/// are counted and left alone.
struct GATTTrace {
    /// Everything that was counted.
    var account = CaptureAccount()
    /// The devices that links led to.
    var devices: [TracedDevice] = []
    /// Names and strengths of devices that advertised.
    var advertisers = Advertisers()
    /// Attributes that can still be kept.
    var room = attributeLimit

    /// What has come out since it was taken.
    var output = CaptureOutput()
    /// Handles whose values came since the output was taken.
    var repeated = RepeatedValues()
    private var places: [DeviceAddress: Int] = [:]
    /// What handles are where a device told nothing about them.
    let handles: HandleMap
    private let unknownDevice: DeviceAddress?

    /// Devices that are followed; a recording of a whole clinic has fewer.
    private static let deviceLimit = 1024
    /// Attributes of all devices that are kept: a device has about fifty.
    private static let attributeLimit = 16_384

    /// A trace without links.
    init(handles: HandleMap, deviceOfUnknownLinks device: DeviceAddress?) {
        self.handles = handles
        unknownDevice = device
    }

    /// Gives away what has come out.
    mutating func takeOutput() -> CaptureOutput {
        defer { output = CaptureOutput() }
        repeated.forget()
        return output
    }

    /// Tells something about the capture.
    mutating func tell(_ remark: CaptureRemark) { output.append(.remark(remark)) }

    /// Lets through octets of a recording.
    mutating func pass(_ recording: [UInt8]) { output.append(.recording(recording)) }

    /// Takes in that a link came up.
    ///
    /// - Returns: The conversation on it; nil if there are too many devices.
    mutating func connect(
        _ address: DeviceAddress, isRandom: Bool, adapter: String?, at instant: Instant
    ) -> Conversation? {
        guard let place = place(of: address) else { return nil }
        account.links += 1
        let heard = advertisers[address]
        let device = RemoteDevice(
            address, name: devices[place].name ?? heard?.name,
            addressType: isRandom ? "random" : "public", adapter: adapter, rssi: heard?.rssi)
        emit(GATTEvent(.connect, origin: .import, device: device, at: instant))
        return Conversation(device: place)
    }

    /// The conversation on a link whose beginning is missing; nil if nobody told the device.
    mutating func conversationOfUnknownDevice() -> Conversation? {
        guard let unknownDevice, let place = place(of: unknownDevice) else { return nil }
        return Conversation(device: place)
    }

    /// Takes in that a link went down.
    mutating func disconnect(_ conversation: inout Conversation, at instant: Instant) {
        finish(&conversation)
        let device = RemoteDevice(devices[conversation.device].address)
        emit(GATTEvent(.disconnect, origin: .import, device: device, at: instant))
    }

    /// Takes in that nothing more will be said on a link.
    mutating func finish(_ conversation: inout Conversation) {
        flush(&conversation)
        if conversation.awaitsConfirmation { account.unconfirmed += 1 }
        conversation.awaitsConfirmation = false
    }

    private mutating func place(of address: DeviceAddress) -> Int? {
        if let place = places[address] { return place }
        guard devices.count < Self.deviceLimit else {
            account.beyondLimits += 1
            return nil
        }
        devices.append(TracedDevice(address: address))
        places[address] = devices.count - 1
        return devices.count - 1
    }

    private mutating func emit(_ event: consuming GATTEvent) { output.append(.event(event)) }
}

/// A device as a trace knows it.
struct TracedDevice {
    /// Its address.
    let address: DeviceAddress
    /// What its 2A00 says.
    var name: String?
    /// What it told about its attributes.
    var table = AttributeTable()
    /// What handles were taken for, that it told nothing about.
    var guesses: [UInt16: HandleGuess] = [:]
    /// Handles whose client configuration was written.
    var subscribed: Set<UInt16> = []
    /// Handles for which it was said that the map is overruled.
    var overruled: Set<UInt16> = []

    /// A device of which only the address is known.
    init(address: DeviceAddress) {
        self.address = address
    }
}

extension BluetoothUUID {
    /// Device Name.
    static let deviceName = BluetoothUUID(0x2A00)
    /// Primary Service.
    static let primaryService = BluetoothUUID(0x2800)
    /// Secondary Service.
    static let secondaryService = BluetoothUUID(0x2801)
    /// Characteristic declaration.
    static let characteristicDeclaration = BluetoothUUID(0x2803)
}
