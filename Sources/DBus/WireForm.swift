extension BusMessage {
    /// The message that octets begin with, and how many octets it has.
    ///
    /// - Parameter octets: What went over a bus, such as a monitor keeps.
    /// - Returns: nil if they begin no whole message, or one that cannot be represented.
    package static func first(in octets: ArraySlice<UInt8>) -> (message: BusMessage, length: Int)? {
        guard let length = MessageHandle.length(ofFirstIn: octets), length <= octets.count,
            let handle = MessageHandle(wire: octets.prefix(length))
        else { return nil }
        do throws(UnrepresentableMessage) {
            return (try MessageReader.message(handle), length)
        } catch {
            return nil
        }
    }
}
