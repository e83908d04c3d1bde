import ControlProtocol
import JSON

/// `healthctl devices`: the devices, how they fare, and when they were heard.
enum DevicesCommand {
    private static let columns = [
        TextTable.Column("ADDRESS"), TextTable.Column("NAME"), TextTable.Column("STATE"),
        TextTable.Column("SIGNAL", .right), TextTable.Column("MANUFACTURER"),
        TextTable.Column("MODEL"), TextTable.Column("SERIAL"), TextTable.Column("FIRMWARE"),
        TextTable.Column("SUBJECT"), TextTable.Column("BATTERY", .right),
        TextTable.Column("LAST READING"), TextTable.Column("AGE"),
    ]

    /// Prints the devices.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let (devices, count) = try fetchObjects(try session.request(), &session)
        if !devices.isEmpty {
            let table = TextTable.text(columns, devices.map(row), isColored: session.isColored)
            try session.output.write(table)
        }
        guard count == 0 else { return ExitCode.success }
        session.remark("no devices; `healthctl status` tells why there is no reading")
        return session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }

    /// The cells of one device.
    static func row(_ device: JSONValue) -> [TextTable.Cell] {
        let (names, texts) = (
            ["device", "name"].map { TextTable.Cell(device.text($0)) },
            ["manufacturer", "model", "serial", "firmware", "subject"]
                .map { TextTable.Cell(device.text($0)) }
        )
        let signal = device["rssi"]?.digits.map { "\($0) dBm" } ?? ""
        let battery = device["battery"]?.digits.map { "\($0) %" } ?? ""
        let isStale = device["stale"]?.bool ?? false
        let age = device.seconds("age").map(healthctl.age) ?? ""
        return names + [state(device), TextTable.Cell(signal)] + texts + [
            TextTable.Cell(battery), TextTable.Cell(shortTime(device.text("lastReading"))),
            TextTable.Cell(isStale ? "\(age), stale" : age, isStale ? .doubtful : .good),
        ]
    }

    /// How a sensor fares; empty for a device of which there are only recordings.
    static func state(_ device: JSONValue) -> TextTable.Cell {
        let state = device.text("state")
        let style: TextTable.Style =
            switch state {
            case "live", "connected", "armed": .good
            case "failing": .bad
            case "disabled": .faint
            default: .doubtful
            }
        return TextTable.Cell(state, style)
    }
}
