internal import Measurements

/// Names and strengths of the devices that were heard last.
struct Advertisers {
    /// Devices that are remembered: as many as advertise around a clinic within minutes.
    private static let capacity = 512

    /// What was heard of a device.
    struct Heard {
        /// Its name.
        var name: String?
        /// Signal strength in dBm.
        var rssi: Int?
    }

    private var places: [DeviceAddress: Int] = [:]
    private var entries: [(address: DeviceAddress, heard: Heard)] = []
    private var oldest = 0

    /// What was heard of a device; nil if nothing was lately.
    subscript(address: DeviceAddress) -> Heard? { places[address].map { entries[$0].heard } }

    /// Takes in an advertisement or the answer to a scan.
    mutating func hear(_ address: DeviceAddress, _ data: Span<UInt8>, rssi: Int?) {
        let place = place(of: address)
        if let rssi { entries[place].heard.rssi = rssi }
        guard let name = Self.name(in: data, besides: entries[place].heard.name) else { return }
        entries[place].heard.name = name
    }

    private mutating func place(of address: DeviceAddress) -> Int {
        if let place = places[address] { return place }
        var place = entries.count
        if place < Self.capacity {
            entries.append((address, Heard()))
        } else {
            place = oldest
            oldest = (oldest + 1) % Self.capacity
            places[entries[place].address] = nil
            entries[place] = (address, Heard())
        }
        places[address] = place
        return place
    }

    /// The name in advertising data: the whole one, else a shortened one if there is none yet.
    ///
    /// Source: Bluetooth Core, Vol 3 Part C 11; Supplement to the Core, Part A 1.2.
    private static func name(in data: Span<UInt8>, besides known: String?) -> String? {
        var position = 0
        while position + 1 < data.count, data[position] > 0 {
            let end = position + 1 + Int(data[position])
            guard end <= data.count else { return nil }
            let type = data[position + 1]
            if type == 0x09 || (type == 0x08 && known == nil) {
                return isSame(data, position + 2..<end, known)
                    ? nil : deviceName(data.octets(position + 2..<end)[...])
            }
            position = end
        }
        return nil
    }

    /// Whether the octets are the name that is known, which is told hundreds of times.
    private static func isSame(_ data: Span<UInt8>, _ range: Range<Int>, _ known: String?) -> Bool {
        guard let known, known.utf8.count == range.count else { return false }
        return zip(known.utf8, range).allSatisfy { $0 == data[$1] }
    }
}

/// A name without the zeros that some devices pad it with; nil if nothing is left.
///
/// It has at most 248 octets. Source: Bluetooth Core, Vol 3 Part C 3.2.2.
func deviceName(_ octets: ArraySlice<UInt8>) -> String? {
    let name = octets.prefix { $0 != 0 }.prefix(248)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
}
