extension Zone {
    /// The name of the zone that the host's settings ask for.
    ///
    /// - Parameters:
    ///   - environment: The value of the environment variable TZ; nil if it is not set.
    ///   - localtimeLink: What the symbolic link /etc/localtime holds; nil if it is no link.
    /// - Returns: nil if TZ asks for what is no zone of the database, such as a POSIX rule
    ///   (`CET-1CEST`). Without TZ there is always a name: `localtime` for data that has none,
    ///   `UTC` where the host has no zone at all.
    package static func hostName(environment: String?, localtimeLink: String?) -> String? {
        if let environment { return name(inTZ: environment, localtimeLink: localtimeLink) }
        return linkedName(localtimeLink)
    }

    private static func name(inTZ text: String, localtimeLink: String?) -> String? {
        let value = text.hasPrefix(":") ? String(text.dropFirst()) : text
        switch value {
        case "": return "UTC"
        case "/etc/localtime", "localtime": return linkedName(localtimeLink)
        default: return existing(value.hasPrefix("/") ? databaseName(ofPath: value) : value)
        }
    }

    private static func linkedName(_ link: String?) -> String {
        existing(link.flatMap(databaseName)) ?? existing("localtime") ?? "UTC"
    }

    private static func existing(_ name: String?) -> String? {
        name.flatMap(Zone.init(named:))?.name
    }

    /// What follows the directory `zoneinfo` in a path.
    private static func databaseName(ofPath path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let directory = parts.lastIndex(of: "zoneinfo") else { return nil }
        return parts[(directory + 1)...].joined(separator: "/")
    }
}
