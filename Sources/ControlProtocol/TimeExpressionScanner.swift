/// Reads the parts of times and durations one after another.
struct TimeExpressionScanner {
    private var rest: ArraySlice<UInt8>

    /// A scanner that stands before the first octet.
    init(_ text: some Collection<UInt8>) {
        rest = Array(text)[...]
    }

    /// True if everything was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads one given octet, if it is next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `count` digits, at most 9; nil if they are not all there.
    mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + value($1) }
    }

    /// Reads all digits that follow; what is too large becomes `Int64.max`, no digit gives nil.
    mutating func number() -> Int64? {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        guard !digits.isEmpty else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    }

    /// Reads the digits behind a decimal point as milliseconds, finer ones are cut.
    ///
    /// - Returns: 0 without a point, nil for a point without digits.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        guard !digits.isEmpty else { return nil }
        let places = digits.prefix(3) + repeatElement(UInt8(ascii: "0"), count: 2)
        return places.prefix(3).reduce(0) { $0 * 10 + value($1) }
    }

    /// Reads an offset, `z` or `+01:00`, in seconds east of UTC; nil if there is none.
    mutating func offset() -> Int? {
        if skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = digits(2), hours < 24, skip(":"),
            let minutes = digits(2), minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    /// Reads all ASCII letters that follow.
    mutating func letters() -> String {
        let letters = rest.prefix {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(Self.lowercase($0))
        }
        rest = rest.dropFirst(letters.count)
        return String(decoding: letters, as: UTF8.self)
    }
}

extension TimeExpressionScanner {
    /// True for the ASCII digits.
    static func isDigit(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet)
    }

    /// The small letter for a large one of ASCII, any other octet as it is.
    static func lowercase(_ octet: UInt8) -> UInt8 {
        let isLarge = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
        return isLarge ? octet | 0x20 : octet
    }
}

private func value(_ digit: UInt8) -> Int {
    Int(digit) - Int(UInt8(ascii: "0"))
}
