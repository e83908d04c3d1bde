import Foundation

import Measurements

/// The octets that hexadecimal digits stand for, with or without blanks.
func octets(_ hex: String) -> [UInt8] {
    hexOctets(hex.utf8.filter { $0 != UInt8(ascii: " ") }) ?? []
}

/// What decoding throws; nil if it does not throw.
func reason(_ decode: () throws(MalformedValue) -> Void) -> MalformedValue? {
    do {
        try decode()
        return nil
    } catch {
        return error
    }
}

/// The octets of `Vectors/vectors.jsonl`, with what they are to be read as.
struct Vector: Sendable {
    let name: DecodableName
    let octets: [UInt8]

    static let all: [Vector] = {
        guard let url = Bundle.module.url(forResource: "Vectors/vectors", withExtension: "jsonl"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { Vector(line: $0) }
    }()

    private init?(line: Substring) {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let object = object as? [String: Any], let hex = object["hex"] as? String,
            let name = (object["characteristic"] as? String).flatMap({ DecodableName($0) })
        else { return nil }
        self.name = name
        self.octets = hexOctets(hex.utf8) ?? []
    }
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
