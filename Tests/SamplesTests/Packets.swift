import Measurements
import Samples
import Testing

/// The SFLOAT word of a number.
func sfloat(_ mantissa: Int, _ exponent: Int = 0) -> UInt16 {
    UInt16(truncatingIfNeeded: mantissa & 0xFFF | (exponent & 0xF) << 12)
}

/// The low octets of a number, the lowest first.
func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// A pair of SpO2 and pulse rate, as SFLOAT words.
typealias Pair = (spo2: UInt16, pulse: UInt16)

/// A PLX Continuous Measurement.
func plxContinuous(
    _ normal: Pair = (97, 60), fast: Pair? = nil, slow: Pair? = nil, status: Int? = nil,
    sensor: Int? = nil, amplitude: UInt16? = nil
) -> [UInt8] {
    let present = [fast != nil, slow != nil, status != nil, sensor != nil, amplitude != nil]
    let flags = present.enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
    var octets = [UInt8(flags)]
    for pair in [normal, fast, slow].compactMap({ $0 }) {
        octets += littleEndian(Int(pair.spo2), 2) + littleEndian(Int(pair.pulse), 2)
    }
    return octets + (status.map { littleEndian($0, 2) } ?? [])
        + (sensor.map { littleEndian($0, 3) } ?? [])
        + (amplitude.map { littleEndian(Int($0), 2) } ?? [])
}

/// A PLX Spot-Check Measurement of 97 % and 60/min.
func plxSpotCheck(
    stamp: [UInt8]? = nil, status: Int? = nil, isClockNotSet: Bool = false
) -> [UInt8] {
    let flags = (stamp == nil ? 0 : 1) | (status == nil ? 0 : 2) | (isClockNotSet ? 16 : 0)
    return [UInt8(flags), 97, 0, 60, 0] + (stamp ?? []) + (status.map { littleEndian($0, 2) } ?? [])
}

/// A Temperature Measurement.
func thermometer(
    _ mantissa: Int, _ exponent: Int, fahrenheit: Bool = false, stamp: [UInt8]? = nil,
    type: UInt8? = nil
) -> [UInt8] {
    let flags = (fahrenheit ? 1 : 0) | (stamp == nil ? 0 : 2) | (type == nil ? 0 : 4)
    return [UInt8(flags)] + littleEndian(mantissa, 3) + littleEndian(exponent, 1) + (stamp ?? [])
        + (type.map { [$0] } ?? [])
}

/// A Heart Rate Measurement with a rate of 16 bits.
func strap(
    _ rate: Int = 60, contact: SensorContact = .unsupported, intervals: [UInt16] = []
) -> [UInt8] {
    let contactBits =
        switch contact {
        case .unsupported: 0
        case .notDetected: 4
        case .detected: 6
        }
    let flags = 1 | contactBits | (intervals.isEmpty ? 0 : 16)
    return [UInt8(flags)] + littleEndian(rate, 2)
        + intervals.flatMap { littleEndian(Int($0), 2) }
}

/// A Date Time.
func dateTime(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
) -> [UInt8] {
    littleEndian(year, 2) + [month, day, hour, minute, second].map { UInt8($0) }
}

/// The samples of a packet.
func samples(
    _ characteristic: MeasurementCharacteristic, _ octets: [UInt8]
) throws -> [Sample] {
    try DecodedPacket(octets, of: characteristic).samples
}

/// The octets written in hexadecimal digits.
func octets(_ text: String) throws -> [UInt8] {
    try #require(hexOctets(text.utf8))
}
