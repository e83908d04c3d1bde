import ControlProtocol
import JSON

/// `healthctl status`: how the daemon fares, and why there is no reading.
enum StatusCommand {
    /// Prints the status.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let objects = try fetchObjects(try session.request(), &session).objects
        for status in objects { try session.output.write(text(status, session.isColored)) }
        return ExitCode.success
    }

    /// The status for a person: a line a fact, then a paragraph for each reason of silence.
    static func text(_ status: JSONValue, _ isColored: Bool) -> String {
        let rows = facts(status).filter { !$0.cell.text.isEmpty }
        let width = rows.map(\.key.count).max() ?? 0
        let lines = rows.map { row in
            let cell = TextTable([TextTable.Column("")], measuring: [], isColored: isColored)
            let gap = String(repeating: " ", count: width - row.key.count + 2)
            return row.key + gap + cell.line([row.cell]) + "\n"
        }
        let reasons = (status["reasons"]?.array ?? []).map {
            "\n" + WhyCommand.text($0, isColored: isColored)
        }
        return lines.joined() + reasons.joined()
    }

    private struct Fact {
        let key: String
        let cell: TextTable.Cell

        init(_ key: String, _ text: String, _ style: TextTable.Style = .plain) {
            self.key = key
            cell = TextTable.Cell(text, style)
        }
    }

    private static func facts(_ status: JSONValue) -> [Fact] {
        let state = status.text("state")
        return [
            Fact("healthd", state, state == "running" ? .good : .doubtful),
            Fact("version", status.text("server")),
            Fact("started", started(status)),
            Fact("source", status.text("source")),
            Fact("store", store(status["store"] ?? .null)),
            Fact("growth", growth(status["store"]?["growth"] ?? .null)),
            Fact("damaged", damage(status["store"] ?? .null), .bad),
            Fact("readings", counters(status["counters"] ?? .null)),
            Fact("devices", status.text("devices")),
            Fact("adapters", adapters(status["adapters"]?.array ?? [])),
            Fact("sensors", sensors(status)),
            Fact("last reading", lastReading(status)),
        ]
    }

    private static func adapters(_ adapters: [JSONValue]) -> String {
        adapters.map { adapter in
            let isOn = adapter["powered"]?.bool ?? false
            return "\(adapter.text("adapter")) \(adapter.text("address")) \(isOn ? "on" : "off")"
        }.joined(separator: ", ")
    }

    private static func sensors(_ status: JSONValue) -> String {
        guard let sensors = status["sensors"]?.integer else { return "" }
        return "\(sensors), \(status["sensorsLive"]?.integer ?? 0) live"
    }

    private static func started(_ status: JSONValue) -> String {
        let uptime = status.seconds("uptime").map { " (up \(lengthOfTime(seconds: $0)))" } ?? ""
        return shortTime(status.text("started")) + uptime
    }

    private static func store(_ store: JSONValue) -> String {
        let size = store["size"]?.integer.map { healthctl.size(octets: $0) } ?? ""
        return [store.text("path"), size, store.text("state")].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    private static func growth(_ growth: JSONValue) -> String {
        let free = growth["free"]?.integer.map { ", \(healthctl.size(octets: $0)) free" } ?? ""
        return self.growth(growth, "", free)
    }

    /// How fast the store grows, and when its disk is full; empty where nobody knows.
    static func growth(_ growth: JSONValue, _ before: String, _ behind: String = "") -> String {
        guard let year = growth["octetsPerYear"]?.integer, year > 0 else { return "" }
        let days = growth["daysUntilFull"]?.integer.flatMap { $0 < worthTelling ? $0 : nil }
        return "\(before)about \(healthctl.size(octets: year)) a year\(behind)"
            + (days.map { ", full in \(grouped($0)) d" } ?? "")
    }

    /// Days after which nobody has the same disk: ten years.
    private static let worthTelling = 3650

    private static func damage(_ store: JSONValue) -> String {
        guard let readings = store["damagedReadings"]?.integer else { return "" }
        let blocks = store["damagedBlocks"]?.array ?? []
        let first = blocks.first.map { ", the first from \(shortTime($0.text("start"))) on" } ?? ""
        return "\(count(readings, "reading")) cannot be read\(first)"
    }

    private static func counters(_ counters: JSONValue) -> String {
        let parts = (counters.members ?? []).map { name, value in
            "\(value.integer.map(grouped) ?? value.digits ?? "?") \(words(ofName: name))"
        }
        return parts.joined(separator: ", ")
    }

    private static func lastReading(_ status: JSONValue) -> String {
        let time = status.text("lastReading")
        guard !time.isEmpty else { return "none" }
        let age = status.seconds("age").map { " (\(healthctl.age(seconds: $0)))" } ?? ""
        return shortTime(time) + age
    }
}
