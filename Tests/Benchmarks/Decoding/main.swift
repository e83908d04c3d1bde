import Glibc
import Measurements
import Samples

/// Decodes the same packets again and again on one core, and says how many a second.
///
/// The seconds are of the processor, so that other programs do not count.
struct DecodingRate {
    /// Packets of one round.
    private static let roundLength = 2_000_000
    /// Rounds, of which the median counts.
    private static let rounds = 5

    private let packets: [[UInt8]]

    init() {
        packets = (0..<1000).map(Self.packet)
    }

    /// A packet of 2A5F with every field there is: 20 octets.
    private static func packet(_ number: Int) -> [UInt8] {
        let saturation = UInt8(88 + number % 12)
        let pulse = UInt8(50 + number % 70)
        let pair: [UInt8] = [saturation, 0, pulse, 0]
        return [0x1F] + pair + pair + pair + [
            0x00, 0x01, 0x00, 0x00, 0x00, UInt8(number % 200), 0xE1,
        ]
    }

    /// Packets a second that `decode` takes; it gives something of each, so that none is skipped.
    func perSecond(_ decode: ([UInt8]) -> Int) -> Int {
        let rates = (0..<Self.rounds).map { _ in round(decode) }
        return rates.sorted()[Self.rounds / 2]
    }

    private func round(_ decode: ([UInt8]) -> Int) -> Int {
        let start = Self.processorSeconds
        var sum = 0
        for _ in 0..<Self.roundLength / packets.count {
            for packet in packets { sum &+= decode(packet) }
        }
        let seconds = Self.processorSeconds - start
        guard sum != 0 else { return 0 }
        return Int(Double(Self.roundLength) / seconds)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

let rate = DecodingRate()

let fields = rate.perSecond { packet in
    do throws(MalformedValue) {
        let measurement = try PLXContinuousMeasurement(decoding: packet)
        return Int(measurement.normal.spo2.number?.mantissa ?? 0) + measurement.trailing
    } catch {
        return 0
    }
}
print("measurements \(fields)")

let samples = rate.perSecond { packet in
    DecodedPacket.samples(of: packet, .plxContinuous).count
}
print("samples \(samples)")
