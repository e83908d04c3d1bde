/// The version of healthd and healthctl, which come together.
package enum Release {
    /// The version, as semver.org writes it.
    package static let version = "0.1.0"
}

/// The lines that begin and end replies.
package enum Reply {
    /// The protocol's version in the greeting.
    package static let version = "1.0"

    /// The first line on a connection.
    package static func greeting(
        server: String, epoch: String, newest: Int64, zone: String
    ) -> String {
        "HEALTHD \(version) server=\(quoted(server)) epoch=\(epoch) anchor=\(epoch):\(newest)"
            + " tz=\(quoted(zone))"
    }

    /// The last line of a reply that succeeded.
    package static func ok(
        tag: String?, _ details: [(key: String, value: String)] = []
    ) -> String {
        "OK" + suffix(tag, details)
    }

    /// The last line of a reply that failed.
    package static func failure(tag: String?, _ error: ProtocolError) -> String {
        let details = error.details.map { (key: $0.key, value: $0.value) }
        let text = error.text.split(separator: "\n").joined(separator: " ")
        return "ERR \(error.symbol.code) \(error.symbol.rawValue)"
            + suffix(tag, details) + " : \(text)"
    }

    private static func suffix(
        _ tag: String?, _ details: [(key: String, value: String)]
    ) -> String {
        (tag.map { " @\($0)" } ?? "")
            + details.map { " \($0.key)=\(quoted($0.value))" }.joined()
    }
}

/// The end of a reply as a client reads it.
package enum ReplyEnd: Equatable, Sendable {
    /// It succeeded; the details by key.
    case ok([String: String])
    /// It failed.
    case failure(code: Int, symbol: String, text: String)

    /// What a line says that begins with `OK` or `ERR`; nil for any other line.
    package init?(_ line: String) {
        if line == "OK" || line.hasPrefix("OK ") {
            self = .ok(Self.details(line.dropFirst(2)))
            return
        }
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
        guard parts.count >= 3, parts[0] == "ERR", let code = Int(parts[1]) else { return nil }
        let rest = parts.count == 4 ? String(parts[3]) : ""
        self = .failure(code: code, symbol: String(parts[2]), text: Self.text(rest))
    }

    private static func details(_ text: some StringProtocol) -> [String: String] {
        do throws(ProtocolError) {
            let request = try Request(Array("ok \(text)".utf8))
            return Dictionary(request.options.map { ($0.key, $0.value) }) { first, _ in first }
        } catch {
            return [:]
        }
    }

    /// What stands behind the colon that follows the details.
    private static func text(_ rest: String) -> String {
        if rest.hasPrefix(": ") { return String(rest.dropFirst(2)) }
        var isQuoted = false
        let octets = Array(rest.utf8)
        for (place, octet) in octets.enumerated() {
            if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, octets[place...].starts(with: Array(" : ".utf8)) {
                return String(decoding: octets[(place + 3)...], as: UTF8.self)
            }
        }
        return rest
    }
}
