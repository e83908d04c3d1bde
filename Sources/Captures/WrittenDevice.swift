internal import Measurements

/// A link of a capture that is written.
struct WrittenLink: Equatable, Sendable {
    /// The controller's number for it.
    let handle: UInt16
    /// The number of the adapter.
    let adapter: UInt16
}

/// What a capture that is written has said of a device.
struct WrittenDevice: Sendable {
    /// The link that is up.
    private(set) var link: WrittenLink?
    /// The handles of which this link has told what they are.
    var discovered: Set<UInt16> = []
    private var handles: [Key: UInt16] = [:]

    /// Characteristics of one device, each in a service of its own: as many as `Capture` follows.
    private static let limit = 128
    /// The handle of the first service; those before it are the profile's own.
    private static let firstHandle = 0x10

    private struct Key: Hashable {
        let uuid: BluetoothUUID
        let instance: Int
    }

    /// A device of which nothing was said.
    init() {}

    /// Takes in that a link came up.
    mutating func begin(_ link: WrittenLink) {
        self.link = link
        discovered = []
    }

    /// Takes in that the link went down, and says which it was.
    mutating func end() -> WrittenLink? {
        defer { link = nil }
        return link
    }

    /// The handles of the instances up to the one of an event, which is the last; nil if there are too
    /// many characteristics.
    ///
    /// Instances are counted by handle, so those before it get theirs, and are told, first.
    mutating func handles(upTo event: GATTEvent) -> [UInt16]? {
        guard let uuid = event.characteristic else { return nil }
        var found: [UInt16] = []
        for instance in 0...max(0, event.instance) {
            guard let handle = handle(of: Key(uuid: uuid, instance: instance)) else { return nil }
            found.append(handle)
        }
        return found
    }

    private mutating func handle(of key: Key) -> UInt16? {
        if let known = handles[key] { return known }
        guard handles.count < Self.limit else { return nil }
        let handle = UInt16(Self.firstHandle + 4 * handles.count + 2)
        handles[key] = handle
        return handle
    }
}

extension RemoteDevice {
    /// 0 for a public address, 1 for a random one.
    var addressTypeNumber: UInt8 { addressType == "random" ? 1 : 0 }

    /// The parameters of an LE Extended Advertising Report with flags and name.
    ///
    /// Source: Bluetooth Core, Vol 4 Part E 7.7.65.13.
    var advertisingReport: [UInt8] {
        let strength = rssi.flatMap { Int8(exactly: $0) }.map { UInt8(bitPattern: $0) } ?? 127
        // Legacy, connectable and scannable, on the primary channels with 1 Mb/s; no periodic one.
        let head = [HCIEventCode.leExtendedAdvertisingReport, 1, 0x13, 0, addressTypeNumber]
        let middle: [UInt8] = [1, 0, 0xFF, 127, strength, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let data: [UInt8] = [2, 1, 6] + nameField
        return head + address.littleOctets + middle + [UInt8(data.count)] + data
    }

    /// What is longer than a report can be is cut, and then called shortened (8, not 9).
    private var nameField: [UInt8] {
        guard let name else { return [] }
        let longest = 220
        let isWhole = name.utf8.count <= longest
        var text = Array(name.utf8.prefix(longest))
        while !isWhole, String(validating: text, as: UTF8.self) == nil, !text.isEmpty {
            text.removeLast()
        }
        return [UInt8(text.count + 1), isWhole ? 9 : 8] + text
    }
}
