internal import ControlProtocol

/// Whole numbers in requests.
enum WholeNumber {
    /// The value of a key that counts something, from 1; nil if it is missing.
    static func positive(_ request: Request, _ key: String) throws(ProtocolError) -> Int? {
        guard let text = request[key] else { return nil }
        guard let number = Int(text), number > 0 else {
            throw ProtocolError(
                .badValue, "`\(key)=` is a whole number from 1, not `\(text)`"
            ).with("key", key)
        }
        return number
    }
}
