extension BusMessage {
    /// The message as libdbus sends it; nil if it breaks a rule of D-Bus.
    var handle: MessageHandle? {
        guard isSendable, let handle = MessageHandle(header: self) else { return nil }
        var place = WritingPlace(handle)
        guard place.append(body) else { return nil }
        return handle
    }
}

extension WritingPlace {
    /// Appends values; false if memory does not suffice.
    fileprivate mutating func append(_ values: [BusValue]) -> Bool {
        for value in values {
            guard append(value) else { return false }
        }
        return true
    }

    private mutating func append(_ value: BusValue) -> Bool {
        switch value {
        case .byte(let number): append(number, .byte)
        case .boolean(let isTrue): append(UInt32(isTrue ? 1 : 0), .boolean)
        case .int16(let number): append(number, .int16)
        case .uint16(let number): append(number, .uint16)
        case .int32(let number): append(number, .int32)
        case .uint32(let number): append(number, .uint32)
        case .int64(let number): append(number, .int64)
        case .uint64(let number): append(number, .uint64)
        case .double(let number): append(number, .double)
        case .string(let text): append(text, .string)
        case .objectPath(let text): append(text, .objectPath)
        case .signature(let text): append(text, .signature)
        case .octets(let octets): append(.array, of: "y") { $0.append(octets) }
        case .array(let element, let values): append(.array, of: element) { $0.append(values) }
        case .dictionary(let key, let value, let entries):
            append(.array, of: "{\(key)\(value)}") { $0.append(entries) }
        case .structure(let fields): append(.structure, of: nil) { $0.append(fields) }
        case .variant(let value): append(.variant, of: value.signature) { $0.append(value) }
        }
    }

    private mutating func append(_ entries: [BusValue.Entry]) -> Bool {
        for entry in entries {
            let isDone = append(.dictionaryEntry, of: nil) {
                $0.append(entry.key) && $0.append(entry.value)
            }
            guard isDone else { return false }
        }
        return true
    }
}
