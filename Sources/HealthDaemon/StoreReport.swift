internal import ControlProtocol
internal import Glibc
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// What `status` says of the store: its size, how fast it grows, and what of it is damaged.
struct StoreReport {
    private let path: String
    private let state: String
    private let size: Int64
    private let growth: StoreGrowth
    private let damaged: [(block: DamagedBlock, stream: Stream?)]
    private let zone: Zone

    /// Damaged blocks that are told one by one; their readings are counted in any case.
    private static let mostTold = 20

    init(
        _ facts: DaemonFacts, _ writer: Writer, _ store: StoreReader, _ now: Instant, _ zone: Zone
    ) throws(AnswerError) {
        (path, state, self.zone) = (facts.storePath, writer.storeState.name, zone)
        let known = writer.damagedBlocks
        let (size, growth, streams, damaged) = try asking { () throws(StorageError) in
            (
                try store.fileSize(), try store.growth(at: now), try store.streams(),
                try store.present(known)
            )
        }
        (self.size, self.growth) = (size, growth)
        self.damaged = damaged.map { block in
            (block, streams.first { $0.id == block.stream })
        }
    }

    /// Writes it as the member `store`.
    func write(to json: inout JSONWriter) {
        json.object("store") { json in
            json.member("path", path)
            json.member("size", size)
            json.member("state", state)
            json.object("growth", writeGrowth)
            if !damaged.isEmpty { writeDamage(to: &json) }
        }
    }

    private func writeGrowth(to json: inout JSONWriter) {
        json.member("readingsPerDay", growth.readingsPerDay)
        json.member("octetsPerDay", growth.octetsPerDay)
        json.member("octetsPerYear", growth.octetsPerDay * 365)
        let free = Self.freeOctets(path)
        json.member("free", free)
        let isGrowing = growth.octetsPerDay > 0
        json.member("daysUntilFull", isGrowing ? free.map { $0 / growth.octetsPerDay } : nil)
    }

    private func writeDamage(to json: inout JSONWriter) {
        json.member("damagedReadings", damaged.reduce(0) { $0 + $1.block.count })
        json.array("damagedBlocks") { json in
            for (block, stream) in damaged.prefix(Self.mostTold) {
                json.object { json in
                    json.member("device", stream?.device.address)
                    json.member("characteristic", stream?.characteristic.name)
                    json.member("start", block.quarter.start, in: zone)
                    json.member("end", block.quarter.end, in: zone)
                    json.member("readings", block.count)
                }
            }
        }
    }

    /// What the file system of a file has free for everybody, in octets; nil if it does not say.
    private static func freeOctets(_ path: String) -> Int64? {
        var answer = statvfs()
        guard statvfs(path, &answer) == 0 else { return nil }
        return Int64(
            clamping: UInt64(answer.f_bavail).multipliedReportingOverflow(
                by: UInt64(answer.f_frsize)
            ).partialValue)
    }
}
