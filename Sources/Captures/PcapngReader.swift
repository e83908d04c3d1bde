/// Reads pcapng: sections in both orders of octets, each with interfaces of their own.
///
/// Source: draft-ietf-opsawg-pcapng.
struct PcapngReader {
    private static let sectionHeader: UInt32 = 0x0A0D_0D0A
    private static let leastLength: UInt32 = 12
    /// The longest block that is looked at, in octets: the longest packet with options beside it.
    private static let longestBlock: UInt32 = 524_288
    /// Interfaces that one section may have; sniffers and computers have a handful.
    private static let interfaceLimit = 1024

    private var order: OctetOrder?
    private var interfaces: [PcapngInterface] = []
    private var skipping = 0
    private var blocks = 0
    private var lastTime: Int64 = 0

    /// A reader at the start of a file.
    init() {}

    /// Hands all packets that are whole to the trace.
    ///
    /// - Returns: How many octets are done with.
    /// - Throws: `CaptureDamage` where the rest cannot be read.
    mutating func read(
        _ octets: Span<UInt8>, into trace: inout Trace
    ) throws(CaptureDamage) -> Int {
        var position = skip(octets.count)
        while octets.count - position >= Int(Self.leastLength) {
            let rest = octets.extracting(position..<octets.count)
            let length = try blockLength(rest)
            if length > Self.longestBlock {
                try checkSkippable(rest, length)
                skipping = Int(length)
                position += skip(rest.count)
            } else {
                guard rest.count >= Int(length) else { break }
                try take(rest.extracting(0..<Int(length)), into: &trace)
                position += Int(length)
            }
        }
        return position
    }

    /// Whether the file may end where the last call of `read` has ended.
    var isBetweenBlocks: Bool { skipping == 0 }

    private mutating func skip(_ count: Int) -> Int {
        let skipped = min(skipping, count)
        skipping -= skipped
        return skipped
    }

    /// The length of the next block; a section header also tells the order of octets.
    private mutating func blockLength(_ rest: Span<UInt8>) throws(CaptureDamage) -> UInt32 {
        if rest.uint32(at: 0) == Self.sectionHeader {
            switch rest.uint32(at: 8) {
            case 0x1A2B_3C4D: order = .little
            case 0x4D3C_2B1A: order = .big
            default: throw damage("has no order of octets")
            }
        }
        guard let order else { throw damage("is no section header") }
        let length = rest.uint32(at: 4, order)
        guard length >= Self.leastLength, length % 4 == 0 else {
            throw damage("says that it has \(length) octets")
        }
        return length
    }

    private func damage(_ what: String) -> CaptureDamage {
        CaptureDamage("block \(blocks + 1) \(what): the rest cannot be read")
    }

    /// Keys and names of hosts may be long; packets and what describes them may not.
    private func checkSkippable(_ rest: Span<UInt8>, _ length: UInt32) throws(CaptureDamage) {
        switch rest.uint32(at: 0, order ?? .little) {
        case 1, 2, 3, 6, Self.sectionHeader: throw damage("says that it has \(length) octets")
        default: break
        }
    }

    private mutating func take(
        _ block: Span<UInt8>, into trace: inout Trace
    ) throws(CaptureDamage) {
        let order = order ?? .little
        guard block.uint32(at: block.count - 4, order) == block.uint32(at: 4, order) else {
            throw damage("has two lengths")
        }
        switch block.uint32(at: 0, order) {
        case Self.sectionHeader: try beginSection(block, order)
        case 1: try addInterface(block)
        case 2: try packet(block, PcapngPacket(obsolete: block, order), into: &trace)
        case 3: try packet(block, PcapngPacket(simple: block, order), into: &trace)
        case 6: try packet(block, PcapngPacket(enhanced: block, order), into: &trace)
        default: break
        }
        blocks += 1
    }

    private mutating func beginSection(
        _ block: Span<UInt8>, _ order: OctetOrder
    ) throws(CaptureDamage) {
        guard block.count >= 28, block.uint16(at: 12, order) == 1 else {
            throw damage("is a section of a version that is not known")
        }
        interfaces = []
    }

    private mutating func addInterface(_ block: Span<UInt8>) throws(CaptureDamage) {
        guard interfaces.count < Self.interfaceLimit else {
            throw damage("is one interface too many; \(Self.interfaceLimit) may be in a section")
        }
        guard let interface = PcapngInterface(block, order ?? .little) else {
            throw damage("is an interface without its fields")
        }
        interfaces.append(interface)
    }

    private mutating func packet(
        _ block: Span<UInt8>, _ packet: PcapngPacket?, into trace: inout Trace
    ) throws(CaptureDamage) {
        guard let packet else { throw damage("is a packet without its fields") }
        guard packet.interface < interfaces.count else {
            throw damage("is a packet of interface \(packet.interface), which nothing describes")
        }
        let interface = interfaces[packet.interface]
        trace.beginRecord(isCut: packet.isCut)
        guard let link = interface.link else {
            trace.count(unsupported: UnsupportedLinkType(number: interface.linkNumber))
            return
        }
        lastTime = packet.time.map(interface.microseconds) ?? lastTime
        trace.take(
            block.extracting(packet.octets),
            PacketFacts(link: link, microseconds: lastTime, direction: packet.direction))
    }
}
