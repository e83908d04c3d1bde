import JSON

/// What `healthctl top` shows: a line a sensor and type, the sensor's own cells on its first.
struct TopScreen {
    private static let columns = [
        TextTable.Column("DEVICE"), TextTable.Column("STATE"), TextTable.Column("SIGNAL", .right),
        TextTable.Column("BATTERY", .right), TextTable.Column("TYPE"),
        TextTable.Column("VALUE", .point), TextTable.Column("UNIT"), TextTable.Column("TREND"),
        TextTable.Column("AGE"),
    ]

    private var trends: [String: Trend] = [:]

    /// Nothing was seen yet.
    init() {}

    /// The lines for the newest samples of each device.
    ///
    /// - Parameters:
    ///   - devices: The devices, each with its newest samples.
    ///   - title: What stands above them.
    ///   - now: A clock that never steps, in ms.
    ///   - isColored: Whether what is to be noticed has a colour.
    /// - Returns: The title, an empty line and the table.
    mutating func lines(
        _ devices: [(device: JSONValue, samples: [JSONValue])], title: String, at now: Int,
        isColored: Bool
    ) -> [String] {
        var rows: [[TextTable.Cell]] = []
        for (device, samples) in devices { rows += self.rows(device, samples, at: now) }
        let table = rows.isEmpty ? "" : TextTable.text(Self.columns, rows, isColored: isColored)
        let lines = table.split(separator: "\n").map(String.init)
        return [printable(title), ""] + (rows.isEmpty ? [Self.nothing] : lines)
    }

    private static let nothing = "no devices; `healthctl doctor` tells what is missing"

    private mutating func rows(
        _ device: JSONValue, _ samples: [JSONValue], at now: Int
    ) -> [[TextTable.Cell]] {
        let shown = samples.filter { $0.text("type") != "batteryLevel" }
        let values = shown.map { cells(of: $0, at: now) }
        let own = Self.cells(of: device)
        let blank = own.map { _ in TextTable.Cell("") }
        guard let first = values.first else {
            return [
                own + Array(repeating: TextTable.Cell(""), count: Self.columns.count - own.count)
            ]
        }
        return [own + first] + values.dropFirst().map { blank + $0 }
    }

    private static func cells(of device: JSONValue) -> [TextTable.Cell] {
        let name = device.text("name")
        return [
            TextTable.Cell(name.isEmpty ? device.text("device") : name),
            DevicesCommand.state(device),
            TextTable.Cell(device["rssi"]?.digits.map { "\($0) dBm" } ?? ""),
            TextTable.Cell(device["battery"]?.digits.map { "\($0) %" } ?? ""),
        ]
    }

    private mutating func cells(of sample: JSONValue, at now: Int) -> [TextTable.Cell] {
        let isStale = sample["stale"]?.bool ?? false
        let quality = TextTable.Style(quality: sample.text("quality"))
        let age = sample.seconds("age").map(healthctl.age) ?? ""
        let value = sample.text("value")
        return [
            TextTable.Cell(sample.text("type")),
            TextTable.Cell(
                value.isEmpty ? sample["absent"]?.string ?? "-" : value,
                isStale && quality == .plain ? .faint : quality),
            TextTable.Cell(sign(ofUnit: sample.text("unit"))),
            TextTable.Cell(direction(sample, isStale, at: now).word),
            TextTable.Cell(isStale ? "\(age), stale" : age, isStale ? .doubtful : .good),
        ]
    }

    /// A stale value goes nowhere.
    private mutating func direction(
        _ sample: JSONValue, _ isStale: Bool, at now: Int
    ) -> Trend.Direction {
        let key = "\(sample.text("device")) \(sample.text("type"))"
        guard !isStale, let value = Double(sample.text("value")) else {
            trends[key] = nil
            return .unknown
        }
        trends[key, default: Trend()].note(value, id: sample.text("id"), at: now)
        return trends[key]?.direction ?? .unknown
    }
}
