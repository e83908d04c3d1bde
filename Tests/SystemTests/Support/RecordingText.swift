import Foundation

/// Lines of recordings, made from what varies in them.
package enum RecordingText {
    /// The address of the sensor where none is named.
    package static let device = "00:1C:05:01:02:03"

    /// A notification, at a time with an offset.
    package static func notify(
        _ characteristic: String, _ value: String, at time: String, device: String = device
    ) -> String {
        "{\"at\":\"\(time)\",\"event\":\"notify\",\"device\":\"\(device)\","
            + "\"service\":\"1822\",\"characteristic\":\"\(characteristic)\",\"value\":\"\(value)\"}"
    }

    /// A connection or its end.
    package static func link(_ event: String, at time: String, device: String = device) -> String {
        "{\"at\":\"\(time)\",\"event\":\"\(event)\",\"device\":\"\(device)\"}"
    }

    /// One packet of SpO2 and pulse a second, with values that depend on the second.
    ///
    /// Of `2a5f` they are a stream, which is sealed; spot checks, of `2a5e`, stay rows.
    package static func oximeter(
        seconds: Int, from start: Int = 1_700_000_000, device: String = device,
        characteristic: String = "2a5f"
    ) -> String {
        (start..<start + seconds).map { second in
            let saturation = hexadecimal(90 + second % 10)
            let pulse = hexadecimal(60 + second % 40)
            return notify(
                characteristic, "00\(saturation)00\(pulse)00", at: time(second), device: device)
        }.joined(separator: "\n")
    }

    /// Seconds since 1970 as a time in UTC.
    package static func time(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    /// The seconds since 1970 of the host's clock.
    package static var now: Int { Int(Date().timeIntervalSince1970) }

    private static func hexadecimal(_ octet: Int) -> String {
        String(octet + 0x100, radix: 16).suffix(2).description
    }
}
