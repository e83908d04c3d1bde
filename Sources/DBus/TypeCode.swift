/// The type codes of D-Bus, in ASCII.
///
/// Source: D-Bus Specification, "Summary of types".
enum TypeCode: UInt8 {
    /// `y`
    case byte = 0x79
    /// `b`
    case boolean = 0x62
    /// `n`
    case int16 = 0x6E
    /// `q`
    case uint16 = 0x71
    /// `i`
    case int32 = 0x69
    /// `u`
    case uint32 = 0x75
    /// `x`
    case int64 = 0x78
    /// `t`
    case uint64 = 0x74
    /// `d`
    case double = 0x64
    /// `s`
    case string = 0x73
    /// `o`
    case objectPath = 0x6F
    /// `g`
    case signature = 0x67
    /// `a`
    case array = 0x61
    /// `r`, which stands for both parentheses.
    case structure = 0x72
    /// `e`, which stands for both braces.
    case dictionaryEntry = 0x65
    /// `v`
    case variant = 0x76
    /// `h`
    case unixDescriptor = 0x68

    /// The code as libdbus takes it.
    var number: Int32 { Int32(rawValue) }

    /// The code that libdbus says; nil at the end of a container.
    init?(number: Int32) {
        guard let octet = UInt8(exactly: number) else { return nil }
        self.init(rawValue: octet)
    }
}
