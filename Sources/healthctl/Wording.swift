/// The text without control characters, which a device may have sent to disturb a terminal.
func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        result.append(isControl(scalar) ? "\u{FFFD}" : scalar)
    }
    return String(result)
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
}

/// A whole number with a comma before each three digits: `1,234`.
func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
        if place > 0, (digits.count - place) % 3 == 0 { text += "," }
        text.append(digit)
    }
    return text
}

/// A number of things: `1 line`, `1,234 lines`.
func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? "\(one)s")"
}

/// A length of time in its largest whole unit: `4 s`, `3 min`, `5 h`, `12 d`.
func lengthOfTime(seconds: Int) -> String {
    switch max(seconds, 0) {
    case let seconds where seconds < 120: "\(seconds) s"
    case let seconds where seconds < 7200: "\(seconds / 60) min"
    case let seconds where seconds < 172_800: "\(seconds / 3600) h"
    case let seconds: "\(grouped(seconds / 86_400)) d"
    }
}

/// How long ago something was: `4 s ago`; of the future, `in 3 d`.
func age(seconds: Int) -> String {
    let length = lengthOfTime(seconds: Int(clamping: seconds.magnitude))
    return seconds < 0 ? "in \(length)" : "\(length) ago"
}

/// A number of octets: `512 octets`, `1.4 MB`.
func size(octets: Int) -> String {
    guard octets >= 1000 else { return count(octets, "octet") }
    var (tenths, unit) = (octets / 100, 0)
    while tenths >= 10_000, unit < 3 { (tenths, unit) = (tenths / 1000, unit + 1) }
    return "\(grouped(tenths / 10)).\(tenths % 10) \(["kB", "MB", "GB", "TB"][unit])"
}

/// Words of a name in camel case, apart: `unknownCharacteristic` is `unknown characteristic`.
func words(ofName name: String) -> String {
    var text = ""
    for character in name {
        text += character.isUppercase ? " \(character.lowercased())" : String(character)
    }
    return text
}

/// A unit as a person writes it; the UCUM code where that is the usual sign too.
func sign(ofUnit unit: String) -> String {
    switch unit {
    case "Cel": "°C"
    case "[degF]": "°F"
    case "{count}": ""
    case "fraction": ""
    default: unit
    }
}
