internal import Measurements
internal import Samples

/// Readings of one stream and one quarter-hour, column by column, in the order of their seqs.
///
/// They have no time but that of their reception, no stamp, and were never moved.
package struct BlockColumns: Equatable, Sendable {
    /// The store's number of their stream.
    let stream: Int64
    /// The numbers in commit order.
    private(set) var seqs: [Int64] = []
    /// When the host had them, in ms since 1970.
    private(set) var times: [Int64] = []
    /// How many equal readings came before each in its run.
    private(set) var ordinals: [Int] = []
    /// Time quality, origin and marks.
    private(set) var flags: [UInt8] = []
    /// Where the octets of each begin, and where the last ones end.
    private(set) var bounds: [Int] = [0]
    /// The octets of all packets, one behind the other.
    private(set) var octets: [UInt8] = []

    /// Columns without a reading.
    init(stream: Int64) {
        self.stream = stream
    }

    /// Columns of the given contents; `bounds` has one more entry than the others.
    init(
        stream: Int64, seqs: [Int64], times: [Int64], ordinals: [Int], flags: [UInt8],
        bounds: [Int], octets: [UInt8]
    ) {
        self.stream = stream
        (self.seqs, self.times, self.ordinals, self.flags) = (seqs, times, ordinals, flags)
        (self.bounds, self.octets) = (bounds, octets)
    }

    /// How many readings there are.
    var count: Int { seqs.count }

    /// Appends a reading that `BlockLimits` allow.
    mutating func append(_ reading: Reading) {
        seqs.append(reading.seq)
        times.append(reading.at.milliseconds)
        ordinals.append(reading.ordinal)
        flags.append(UInt8(truncatingIfNeeded: reading.flags.rawValue))
        octets += reading.octets
        bounds.append(octets.count)
    }

    /// The number of octets of a packet.
    func length(_ index: Int) -> Int { bounds[index + 1] - bounds[index] }

    /// The octets of a packet.
    func packet(_ index: Int) -> ArraySlice<UInt8> { octets[bounds[index]..<bounds[index + 1]] }

    /// A reading as it was before it was sealed.
    func reading(_ index: Int) -> Reading {
        Reading(
            seq: seqs[index], stream: stream, at: Instant(milliseconds: times[index]),
            ordinal: ordinals[index], flags: ReadingFlags(rawValue: Int(flags[index])),
            octets: Array(packet(index)))
    }

    /// The place of a reading; nil if it is not here.
    func index(ofSeq seq: Int64) -> Int? {
        var (low, high) = (0, seqs.count)
        while low < high {
            let middle = (low + high) / 2
            if seqs[middle] < seq { low = middle + 1 } else { high = middle }
        }
        return low < seqs.count && seqs[low] == seq ? low : nil
    }

    /// The columns without some of their readings.
    func removing(_ seqs: Set<Int64>) -> BlockColumns {
        var rest = BlockColumns(stream: stream)
        for index in 0..<count where !seqs.contains(self.seqs[index]) {
            rest.append(reading(index))
        }
        return rest
    }

    /// The places in the order of time; readings of one time in the order of their seqs.
    var indicesByTime: [Int] {
        let isOrdered = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
        guard !isOrdered else { return Array(0..<count) }
        return (0..<count).sorted { (times[$0], $0) < (times[$1], $1) }
    }
}

/// What can be sealed into a block.
enum BlockLimits {
    /// Readings of one part: sealing it takes less than the writer may stay away.
    static let readings = 4096
    /// From the first seq of a part to its last: a seq is found in a few blocks at most.
    static let seqs: Int64 = 65_536
    /// Octets of one packet: the longest value that a characteristic can have.
    ///
    /// Source: Bluetooth Core Specification, Vol 3, Part F, 3.2.9.
    static let packet = 512
    /// Ordinals that are told apart: as many equal readings as are kept of one time.
    static let ordinals = 65_536

    /// Seqs that a part may begin with, so that the last one is a number too.
    static let firstSeqs = 1...Int64.max - seqs
    /// Quarters that instants can lie in.
    static let quarters =
        Quarter(
            containing: Instant.range.lowerBound)...Quarter(
            containing: Instant.range.upperBound)

    /// Whether a reading may go into a block.
    ///
    /// Those with a stamp, a start or an end of their own are few, and found by indices that blocks do
    /// not have; those that were moved are found by their first seq.
    static func allow(_ reading: Reading) -> Bool {
        reading.start == nil && reading.end == nil && reading.stamp == nil
            && reading.first == nil && reading.octets.count <= packet
            && (0..<ordinals).contains(reading.ordinal)
            && UInt8(exactly: reading.flags.rawValue) != nil && firstSeqs.contains(reading.seq)
            && Instant.range.contains(reading.at)
    }
}
