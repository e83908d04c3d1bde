import DaemonHarness

/// A recording with something of everything that queries tell apart.
enum QueryData {
    static let thermometer = "54:6C:0E:9B:22:F1"

    /// Four packets of an oximeter and four of a thermometer, a minute apart.
    static let recording = [
        oximeter("0061004800", minute: 0),  // 97 %, 72
        oximeter("00c2f34900", minute: 1),  // 96.2 %, 73
        oximeter("0058004a00", minute: 2),  // 88 %, 74
        oximeter("00ff07ff07", minute: 3),  // not a number
        oximeter("0165004b0061004c00", minute: 4),  // 101 %, out of range; fast 97 %, 76
        temperature("00710e00fe", minute: 5),  // 36.97 Cel
        temperature("01d70300ff", minute: 6),  // 98.3 [degF]
        intermediate("00720100ff", minute: 7),  // 37.0 Cel on the way
        temperature("04770100ff02", minute: 8),  // 37.5 Cel, body
    ].joined(separator: "\n")

    static func time(_ minute: Int) -> String { "2026-11-29T22:0\(minute):00.000+00:00" }

    private static func oximeter(_ value: String, minute: Int) -> String {
        RecordingText.notify("2a5f", value, at: time(minute))
    }

    private static func temperature(_ value: String, minute: Int) -> String {
        RecordingText.notify("2a1c", value, at: time(minute), device: thermometer)
    }

    private static func intermediate(_ value: String, minute: Int) -> String {
        RecordingText.notify("2a1e", value, at: time(minute), device: thermometer)
    }
}
