internal import Measurements

extension GATTTrace {
    /// Takes in a server's answer to the request that is open.
    mutating func answer(
        _ operation: Span<UInt8>, _ opcode: ATTOpcode, _ conversation: inout Conversation,
        at instant: Instant
    ) {
        repeated.forget()
        let request = conversation.request
        conversation.request = nil
        switch (opcode, request) {
        case (.errorResponse, _): flush(&conversation)
        case (.findInformationResponse, _): types(in: operation, conversation.device)
        case (.exchangeMTUResponse, .exchangeMTU(let client)?) where operation.count >= 3:
            conversation.mtu = max(23, min(client, Int(operation.uint16(at: 1))))
        case (.findByTypeValueResponse, .findServices(let uuid)?):
            services(in: operation, uuid, conversation.device)
        case (.readByTypeResponse, .readByType(let uuid)?):
            attributes(in: operation, uuid, conversation, at: instant)
        case (.readByGroupTypeResponse, .readByGroupType(let uuid)?):
            groups(in: operation, uuid, conversation.device)
        case (.readByGroupTypeResponse, nil):
            groups(in: operation, .primaryService, conversation.device)
        case (.readResponse, .read(let handle)?):
            begin(handle, operation.octets(1..<operation.count), &conversation, at: instant)
        case (.readBlobResponse, .readBlob(let handle, let offset)?):
            go(on: handle, offset, operation, &conversation, at: instant)
        case (.readMultipleVariableResponse, .readMultipleVariable(let handles)?):
            values(of: handles, in: operation, conversation, at: instant)
        case (.writeResponse, .write(let handle, let octets)?):
            written(handle, octets, conversation, at: instant)
        case (_, .other?): break
        default: account.unpaired += 1
        }
    }

    /// Values that fill the response wait for the next request, which may ask for more of them.
    private mutating func begin(
        _ handle: UInt16, _ octets: [UInt8], _ conversation: inout Conversation,
        at instant: Instant
    ) {
        guard conversation.mayContinue(octets.count) else {
            return value(.read, handle, octets, conversation, at: instant)
        }
        conversation.begun = Conversation.BegunRead(handle: handle, value: octets, at: instant)
    }

    /// The longest attribute has 512 octets. Source: Bluetooth Core, Vol 3 Part F 3.2.9.
    private mutating func go(
        on handle: UInt16, _ offset: Int, _ operation: Span<UInt8>,
        _ conversation: inout Conversation, at instant: Instant
    ) {
        if conversation.begun == nil, offset == 0 {
            conversation.begun = Conversation.BegunRead(handle: handle, value: [], at: instant)
        }
        guard var begun = conversation.begun, begun.handle == handle, begun.value.count == offset
        else { return }
        begun.value += operation.octets(1..<operation.count).prefix(512 - begun.value.count)
        begun.at = instant
        conversation.begun = begun
        let mayContinue = conversation.mayContinue(operation.count - 1)
        if !mayContinue || begun.value.count >= 512 { flush(&conversation) }
    }

    /// Length and value, in the order of the request.
    private mutating func values(
        of handles: [UInt16], in operation: Span<UInt8>, _ conversation: Conversation,
        at instant: Instant
    ) {
        var position = 1
        for handle in handles where position + 2 <= operation.count {
            let start = position + 2
            let end = start + Int(operation.uint16(at: position))
            guard end <= operation.count else { return account.malformed += 1 }
            value(
                .read, handle, operation.octets(start..<end), conversation, at: instant)
            position = end
        }
    }

    /// Only writes that change what later values mean become events.
    private mutating func written(
        _ handle: UInt16, _ octets: [UInt8], _ conversation: Conversation, at instant: Instant
    ) {
        let known =
            devices[conversation.device].table.characteristic(at: handle)
            ?? handles.characteristic(at: handle)
        switch known?.uuid {
        case .recordAccessControlPoint?, .dateTime?, .currentTime?:
            value(.write, handle, octets, conversation, at: instant)
        default: break
        }
    }
}

extension GATTTrace {
    /// Handles with the types of their attributes, of 2 octets (format 1) or 16 (format 2).
    private mutating func types(in operation: Span<UInt8>, _ device: Int) {
        guard operation.count >= 2 else { return account.malformed += 1 }
        let length = operation[1] == 1 ? 4 : 18
        for start in entries(of: length, in: operation, from: 2) {
            guard let uuid = operation.uuid(in: start + 2..<start + length) else { continue }
            devices[device].table.add(type: uuid, at: operation.uint16(at: start), &room)
        }
    }

    /// First and last handles of services of one UUID.
    private mutating func services(
        in operation: Span<UInt8>, _ uuid: BluetoothUUID?, _ device: Int
    ) {
        guard let uuid else { return }
        for start in entries(of: 4, in: operation, from: 1) {
            add(uuid, operation.uint16(at: start), operation.uint16(at: start + 2), device)
        }
    }

    /// First and last handles of services with their UUIDs.
    private mutating func groups(
        in operation: Span<UInt8>, _ type: BluetoothUUID, _ device: Int
    ) {
        guard type == .primaryService || type == .secondaryService else { return }
        guard operation.count >= 2, operation[1] == 6 || operation[1] == 20 else {
            return account.malformed += 1
        }
        let length = Int(operation[1])
        for start in entries(of: length, in: operation, from: 2) {
            guard let uuid = operation.uuid(in: start + 4..<start + length) else { continue }
            add(uuid, operation.uint16(at: start), operation.uint16(at: start + 2), device)
        }
    }

    private mutating func add(
        _ uuid: BluetoothUUID, _ first: UInt16, _ last: UInt16, _ device: Int
    ) {
        guard first > 0, first <= last else { return account.malformed += 1 }
        devices[device].table.add(service: uuid, first...last)
    }

    /// Handles of attributes of one type with their values: declarations, or values themselves.
    private mutating func attributes(
        in operation: Span<UInt8>, _ type: BluetoothUUID, _ conversation: Conversation,
        at instant: Instant
    ) {
        guard operation.count >= 2, operation[1] >= 2 else { return account.malformed += 1 }
        let length = Int(operation[1])
        for start in entries(of: length, in: operation, from: 2) {
            let handle = operation.uint16(at: start)
            if type == .characteristicDeclaration {
                declare(operation.extracting(start..<start + length), conversation.device)
            } else if type.short.map({ !(0x2800...0x29FF).contains($0) }) ?? true {
                devices[conversation.device].table.add(readType: type, at: handle, &room)
                value(
                    .read, handle, operation.octets(start + 2..<start + length), conversation,
                    at: instant)
            }
        }
    }

    /// A declaration: its handle, properties, the handle of the value, the UUID.
    private mutating func declare(_ entry: Span<UInt8>, _ device: Int) {
        guard entry.count == 7 || entry.count == 21, let uuid = entry.uuid(in: 5..<entry.count)
        else { return account.malformed += 1 }
        devices[device].table.add(characteristic: uuid, at: entry.uint16(at: 3), &room)
    }

    /// Where whole entries of one length begin.
    private func entries(of length: Int, in operation: Span<UInt8>, from start: Int) -> StrideTo<
        Int
    > {
        stride(from: start, to: operation.count - length + 1, by: length)
    }
}
