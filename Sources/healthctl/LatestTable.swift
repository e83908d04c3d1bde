import JSON

/// The table of the newest samples.
enum LatestTable {
    private static let columns = [
        TextTable.Column("TYPE"), TextTable.Column("VALUE", .point), TextTable.Column("UNIT"),
        TextTable.Column("TIME"), TextTable.Column("AGE"), TextTable.Column("QUALITY"),
        TextTable.Column("DEVICE"), TextTable.Column("ADDRESS"),
        TextTable.Column("BATTERY", .right),
    ]

    /// The table with its headings; empty without samples.
    static func text(_ samples: [JSONValue], _ isColored: Bool) -> String {
        samples.isEmpty ? "" : TextTable.text(columns, samples.map(row), isColored: isColored)
    }

    private static func row(_ sample: JSONValue) -> [TextTable.Cell] {
        let isStale = sample["stale"]?.bool ?? false
        let quality = TextTable.Style(quality: sample.text("quality"))
        return [
            TextTable.Cell(sample.text("type")),
            TextTable.Cell(value(sample), isStale && quality == .plain ? .faint : quality),
            TextTable.Cell(sign(ofUnit: sample.text("unit"))),
            TextTable.Cell(shortTime(sample.text("start"))),
            TextTable.Cell(age(sample, isStale), isStale ? .doubtful : .good),
            TextTable.Cell(qualityInWords(sample), quality),
            TextTable.Cell(sample.text("deviceName")),
            TextTable.Cell(sample.text("device"), .faint),
            TextTable.Cell(sample["battery"]?.digits.map { "\($0) %" } ?? ""),
        ]
    }

    private static func value(_ sample: JSONValue) -> String {
        let value = sample.text("value")
        return value.isEmpty ? sample["absent"]?.string ?? "-" : value
    }

    private static func age(_ sample: JSONValue, _ isStale: Bool) -> String {
        let age = sample.seconds("age").map(healthctl.age) ?? ""
        return isStale ? age + ", stale" : age
    }

    private static func qualityInWords(_ sample: JSONValue) -> String {
        let quality = sample.text("quality")
        return quality == "ok" ? "" : words(ofName: quality)
    }
}
