internal import Measurements

extension Instant {
    /// The instant that a file's text names: RFC 3339, also with a blank before the offset and without
    /// a colon in it, as in `2020-12-01 09:00:00 +0900`.
    init?(fileTime text: some StringProtocol) {
        var octets = Array(text.utf8)
        guard octets.count >= 6 else { return nil }
        let sign = octets.count - 5
        if octets[sign] == UInt8(ascii: "+") || octets[sign] == UInt8(ascii: "-") {
            octets.insert(UInt8(ascii: ":"), at: octets.count - 2)
            if octets[sign - 1] == UInt8(ascii: " ") { octets.remove(at: sign - 1) }
        }
        self.init(rfc3339: octets)
    }
}
