/// What a line of a recording says that begins with `#`.
enum GattlogRemark: Equatable {
    /// The IANA name of the zone in force from here on; nil where it is not known any more.
    case zone(String?)
    /// Words for people.
    case other

    /// The longest name of a zone in octets; the longest in use has 30.
    static let longestZone = 64

    /// The remark in a line.
    ///
    /// - Throws: `GattlogDamage` if the recording is of another version or the zone is no name.
    init(_ line: Span<UInt8>) throws(GattlogDamage) {
        let words = Self.words(line)
        switch words.first {
        case "gattlog"?:
            self = .other
            guard words.count > 1, words[1] == "1" || words[1].hasPrefix("1.") else {
                throw GattlogDamage("gattlog: expected version 1, as in # gattlog 1")
            }
        case "Zone:"?: self = .zone(try Self.zone(words.dropFirst()))
        default: self = .other
        }
    }

    private static func zone(_ words: ArraySlice<String>) throws(GattlogDamage) -> String? {
        guard let name = words.first else { return nil }
        guard words.count == 1, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw GattlogDamage("Zone: expected one name such as Europe/Berlin")
        }
        guard name.utf8.count <= longestZone else {
            throw GattlogDamage("Zone: longer than \(longestZone) octets")
        }
        return name
    }

    /// The words behind the `#`s, of which three are enough to see that there are too many.
    private static func words(_ line: Span<UInt8>) -> [String] {
        var octets: [UInt8] = []
        for index in line.indices { octets.append(line[index]) }
        return octets.drop { $0 == UInt8(ascii: "#") }
            .split(maxSplits: 3) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
