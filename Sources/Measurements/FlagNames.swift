/// The names of the bits that are set, lowest first.
///
/// - Parameters:
///   - bits: The flags as they were sent.
///   - first: The bit that the first name belongs to; the bits below have none.
///   - names: The names of that bit and those above it.
/// - Returns: No name for a bit beyond them.
func flagNames(_ bits: UInt32, from first: Int, _ names: [String]) -> [String] {
    guard bits != 0 else { return [] }
    var result: [String] = []
    for (bit, name) in names.enumerated() where bits >> UInt32(first + bit) & 1 == 1 {
        result.append(name)
    }
    return result
}

/// The bit of a flag's name, where the first name belongs to the bit `first`; nil if there is none.
func flagBit(named name: String, from first: Int, _ names: [String]) -> UInt32? {
    names.firstIndex(of: name).map { 1 << UInt32(first + $0) }
}
