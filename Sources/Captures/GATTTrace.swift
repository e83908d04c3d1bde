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

    private var items: [CaptureItem] = []
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
    mutating func takeItems() -> [CaptureItem] {
        let taken = items
        items = []
        items.reserveCapacity(taken.count)
        return taken
    }

    /// Tells something about the capture.
    mutating func tell(_ remark: CaptureRemark) { items.append(.remark(remark)) }

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

    private mutating func emit(_ event: consuming GATTEvent) { items.append(.event(event)) }
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

extension GATTTrace {
    /// Makes an event of a value, if it is known what its handle is.
    mutating func value(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ value: [UInt8], _ conversation: Conversation,
        at instant: Instant
    ) {
        let place = conversation.device
        guard let found = characteristic(kind, handle, value, place) else { return }
        var device = RemoteDevice(devices[place].address)
        if kind == .read, found.uuid == .deviceName {
            devices[place].name = deviceName(value[...])
            device.name = devices[place].name
        }
        account.count(kind, of: found.uuid)
        emit(
            GATTEvent(
                kind, origin: .import, device: device, service: found.service,
                characteristic: found.uuid, instance: found.instance, value: value, at: instant,
                isGuess: found.isGuess))
    }

    private mutating func characteristic(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ value: [UInt8], _ place: Int
    ) -> TracedCharacteristic? {
        if let known = devices[place].table.characteristic(at: handle) {
            if let mapped = handles[handle], mapped != known.uuid { overrule(handle, known, place) }
            return known
        }
        if let mapped = handles.characteristic(at: handle) { return mapped }
        guard kind == .notify || kind == .indicate else { return nil }
        let isDescriptor = devices[place].table.isDescriptor(handle)
        if !isDescriptor, let guess = guess(kind, handle, value, place) { return guess }
        account.count(unmapped: handle, of: devices[place].address)
        return nil
    }

    private mutating func overrule(_ handle: UInt16, _ known: TracedCharacteristic, _ place: Int) {
        guard devices[place].overruled.insert(handle).inserted else { return }
        tell(.mapOverruled(handle: handle, by: known.uuid, devices[place].address))
    }

    /// A guess holds until a value does not look like it; then nothing is guessed of the handle again.
    private mutating func guess(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ value: [UInt8], _ place: Int
    ) -> TracedCharacteristic? {
        let address = devices[place].address
        let isSubscribed = devices[place].subscribed.contains(handle)
        switch devices[place].guesses[handle] {
        case .refused: return nil
        case .taken(let uuid, let instance):
            if HandleGuess.fits(value, uuid, kind) {
                return TracedCharacteristic(
                    uuid: uuid, service: homeService(of: uuid), instance: instance, isGuess: true)
            }
            devices[place].guesses[handle] = .refused
            tell(.guessWithdrawn(uuid, handle: handle, address))
            return nil
        case nil:
            guard let uuid = HandleGuess.only(value, kind, isSubscribed: isSubscribed), room > 0
            else { return nil }
            room -= 1
            let instance = devices[place].guesses.values.count { $0.uuid == uuid }
            devices[place].guesses[handle] = .taken(uuid, instance: instance)
            tell(.guessed(uuid, handle: handle, address))
            return guess(kind, handle, value, place)
        }
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
