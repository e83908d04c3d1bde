import Measurements
import Simulation

/// What the command line asks for.
struct Options {
    /// Why the command line cannot be followed.
    struct Refusal: Error {
        /// The reason in plain words.
        let why: String
    }

    /// The sensor.
    private(set) var sensor = SimulatedSensor.oximeter
    /// What the make-believe depends on.
    private(set) var seed: UInt64 = 1
    /// When the recording begins.
    private(set) var start = Instant(milliseconds: 1_795_989_600_000)
    /// The longest time that the recording may take, in milliseconds.
    private(set) var duration: Int64 = 3_600_000
    /// The most events that the recording may have.
    private(set) var lines = Int.max

    /// How to call the program.
    static let usage = """
        usage: gattlog-generator [oximeter|thermometer|strap] [--seed N] [--start RFC3339]
                                 [--days N | --hours N | --lines N]
        """

    /// The options in a command line without the program's name.
    init(_ arguments: [String]) throws(Refusal) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if let sensor = SimulatedSensor(rawValue: argument) {
                self.sensor = sensor
            } else {
                guard let value = rest.popFirst() else { throw Refusal(why: "\(argument)?") }
                try set(argument, value)
            }
        }
    }

    private mutating func set(_ option: String, _ value: String) throws(Refusal) {
        switch option {
        case "--seed": seed = UInt64(try Self.number(value))
        case "--days": duration = Int64(try Self.number(value)) * 86_400_000
        case "--hours": duration = Int64(try Self.number(value)) * 3_600_000
        case "--lines":
            lines = try Self.number(value)
            duration = .max
        case "--start":
            guard let start = Instant(rfc3339: Array(value.utf8)) else {
                throw Refusal(why: "\(value) is no time such as 2026-11-29T22:00:00Z")
            }
            self.start = start
        default: throw Refusal(why: "\(option)?")
        }
    }

    private static func number(_ text: String) throws(Refusal) -> Int {
        guard let number = Int(text), (0...1_000_000_000).contains(number) else {
            throw Refusal(why: "\(text) is no number from 0 to 1000000000")
        }
        return number
    }
}
