/// What came in holds something that is left out here, such as a file descriptor, or too much.
struct UnrepresentableMessage: Error {}

/// Takes messages apart, whose form libdbus has checked.
struct MessageReader {
    private var budget = BusLimits.values

    /// What a message says.
    ///
    /// - Throws: An error if something of it cannot be represented.
    static func message(
        _ source: borrowing MessageHandle
    ) throws(UnrepresentableMessage) -> BusMessage {
        guard var message = source.header else { throw UnrepresentableMessage() }
        var reader = MessageReader()
        message.body = try reader.values(from: ReadingPlace(source))
        return message
    }

    /// All values from a place to the end of its container.
    private mutating func values(
        from start: ReadingPlace
    ) throws(UnrepresentableMessage) -> [BusValue] {
        var values: [BusValue] = []
        var place = start
        while let type = place.type {
            values.append(try value(of: type, at: place))
            place.advance()
        }
        guard place.isAtEnd else { throw UnrepresentableMessage() }
        return values
    }

    private mutating func value(
        of type: TypeCode, at place: ReadingPlace
    ) throws(UnrepresentableMessage) -> BusValue {
        budget -= 1
        guard budget >= 0 else { throw UnrepresentableMessage() }
        switch type {
        case .byte: return .byte(place.number())
        case .boolean: return .boolean((place.number() as UInt32) != 0)
        case .int16: return .int16(place.number())
        case .uint16: return .uint16(place.number())
        case .int32: return .int32(place.number())
        case .uint32: return .uint32(place.number())
        case .int64: return .int64(place.number())
        case .uint64: return .uint64(place.number())
        case .double: return .double(place.number())
        case .string: return .string(place.text)
        case .objectPath: return .objectPath(place.text)
        case .signature: return .signature(place.text)
        case .array: return try array(at: place)
        case .structure: return .structure(try values(from: place.inside))
        case .variant: return .variant(try only(in: place.inside))
        case .dictionaryEntry, .unixDescriptor: throw UnrepresentableMessage()
        }
    }

    private mutating func only(
        in place: ReadingPlace
    ) throws(UnrepresentableMessage) -> BusValue {
        guard let type = place.type else { throw UnrepresentableMessage() }
        return try value(of: type, at: place)
    }

    private mutating func array(
        at place: ReadingPlace
    ) throws(UnrepresentableMessage) -> BusValue {
        switch place.elementType {
        case .byte: .octets(place.octets)
        case .dictionaryEntry: try dictionary(at: place)
        default: .array(of: String(place.signature.dropFirst()), try values(from: place.inside))
        }
    }

    private mutating func dictionary(
        at place: ReadingPlace
    ) throws(UnrepresentableMessage) -> BusValue {
        // a{kv…}: a key is one basic type, hence one letter.
        let types = place.signature.dropFirst(2).dropLast()
        var entries: [BusValue.Entry] = []
        var inner = place.inside
        while inner.type == .dictionaryEntry {
            let parts = try values(from: inner.inside)
            guard parts.count == 2 else { throw UnrepresentableMessage() }
            entries.append(BusValue.Entry(parts[0], parts[1]))
            inner.advance()
        }
        return .dictionary(
            key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
    }
}
