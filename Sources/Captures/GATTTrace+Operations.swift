internal import Measurements

extension GATTTrace {
    /// Takes in an operation of the Attribute Protocol.
    ///
    /// - Parameters:
    ///   - operation: Its octets, from the opcode on.
    ///   - direction: Whether the device sent it; unknown leaves that to the opcode.
    ///   - conversation: What was said on the link before.
    ///   - instant: When it was sent.
    mutating func take(
        _ operation: Span<UInt8>, _ direction: PacketDirection,
        _ conversation: inout Conversation, at instant: Instant
    ) {
        account.attOperations += 1
        guard !operation.isEmpty, let opcode = ATTOpcode(rawValue: operation[0]) else {
            account.malformed += 1
            return
        }
        switch (opcode.sender, direction) {
        case (.server, .received), (.server, .unknown):
            take(server: operation, opcode, &conversation, at: instant)
        case (.client, .sent), (.client, .unknown):
            take(client: operation, opcode, &conversation)
        case (.server, .sent), (.client, .received): break  // the host's own attributes
        }
    }

    private mutating func take(
        server operation: Span<UInt8>, _ opcode: ATTOpcode, _ conversation: inout Conversation,
        at instant: Instant
    ) {
        switch opcode {
        case .notification: value(.notify, in: operation, conversation, at: instant)
        case .multipleNotification: values(in: operation, conversation, at: instant)
        case .indication:
            if conversation.awaitsConfirmation { account.unconfirmed += 1 }
            conversation.awaitsConfirmation = true
            value(.indicate, in: operation, conversation, at: instant)
        default: answer(operation, opcode, &conversation, at: instant)
        }
    }

    private mutating func value(
        _ kind: GATTEvent.Kind, in operation: Span<UInt8>, _ conversation: Conversation,
        at instant: Instant
    ) {
        guard operation.count >= 3 else {
            account.malformed += 1
            return
        }
        value(
            kind, operation.uint16(at: 1), operation.extracting(3..<operation.count), conversation,
            at: instant)
    }

    private mutating func value(
        _ kind: GATTEvent.Kind, _ handle: UInt16, _ octets: Span<UInt8>,
        _ conversation: Conversation, at instant: Instant
    ) {
        if let known = repeated.find(conversation.device, handle, kind) {
            value(again: known, octets, at: instant)
        } else {
            value(kind, handle, octets.octets, conversation, at: instant)
        }
    }

    /// Handle, length and value, several times.
    private mutating func values(
        in operation: Span<UInt8>, _ conversation: Conversation, at instant: Instant
    ) {
        var position = 1
        while position + 4 <= operation.count {
            let start = position + 4
            let end = start + Int(operation.uint16(at: position + 2))
            guard end <= operation.count else { break }
            value(
                .notify, operation.uint16(at: position), operation.extracting(start..<end),
                conversation, at: instant)
            position = end
        }
        if position != operation.count { account.malformed += 1 }
    }

    /// Commands and confirmations stand beside the request that may be open.
    private mutating func take(
        client operation: Span<UInt8>, _ opcode: ATTOpcode, _ conversation: inout Conversation
    ) {
        switch opcode {
        case .confirmation: conversation.awaitsConfirmation = false
        case .writeCommand, .signedWriteCommand: break
        default:
            let request = Conversation.Request(operation, opcode)
            if request == nil { account.malformed += 1 }
            if !continuesRead(request, conversation) { flush(&conversation) }
            noteSubscription(request, conversation.device)
            conversation.request = request ?? .other
        }
    }

    private func continuesRead(
        _ request: Conversation.Request?, _ conversation: Conversation
    ) -> Bool {
        guard case .readBlob(let handle, let offset)? = request, let begun = conversation.begun
        else { return false }
        return begun.handle == handle && begun.value.count == offset
    }

    /// Makes an event of a value that had come in part, and has no more behind it.
    mutating func flush(_ conversation: inout Conversation) {
        guard let begun = conversation.begun else { return }
        conversation.begun = nil
        value(.read, begun.handle, begun.value, conversation, at: begun.at)
    }

    /// A client configuration stands behind the value that it is for.
    private mutating func noteSubscription(_ request: Conversation.Request?, _ device: Int) {
        guard case .write(let handle, let octets)? = request, octets.count == 2, octets[1] == 0,
            (1...3).contains(octets[0]), handle > 1, room > 0
        else { return }
        if devices[device].subscribed.insert(handle - 1).inserted { room -= 1 }
    }
}

extension Conversation.Request {
    /// The request in an operation of a client; nil if its octets do not keep to the protocol.
    init?(_ operation: Span<UInt8>, _ opcode: ATTOpcode) {
        let count = operation.count
        switch opcode {
        case .exchangeMTURequest where count >= 3:
            self = .exchangeMTU(Int(operation.uint16(at: 1)))
        case .findInformationRequest: self = .findInformation
        case .findByTypeValueRequest where count >= 7:
            let isServices = operation.uint16(at: 5) == 0x2800
            self = .findServices(isServices ? operation.uuid(in: 7..<count) : nil)
        case .readByTypeRequest where count == 7 || count == 21:
            guard let uuid = operation.uuid(in: 5..<count) else { return nil }
            self = .readByType(uuid)
        case .readByGroupTypeRequest where count == 7 || count == 21:
            guard let uuid = operation.uuid(in: 5..<count) else { return nil }
            self = .readByGroupType(uuid)
        case .readRequest where count >= 3: self = .read(operation.uint16(at: 1))
        case .readBlobRequest where count >= 5:
            self = .readBlob(operation.uint16(at: 1), offset: Int(operation.uint16(at: 3)))
        case .readMultipleVariableRequest:
            self = .readMultipleVariable(
                stride(from: 1, to: count - 1, by: 2).map { operation.uint16(at: $0) })
        case .writeRequest where count >= 3:
            self = .write(operation.uint16(at: 1), operation.octets(3..<count))
        case .readMultipleRequest, .prepareWriteRequest, .executeWriteRequest: self = .other
        default: return nil
        }
    }
}
