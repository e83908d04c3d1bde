internal import Measurements

/// The data of one link in both directions, from fragments to operations.
struct LinkData {
    private var conversation: Conversation
    private var sent = L2CAPReassembly()
    private var received = L2CAPReassembly()

    /// The data of a link on which nothing was sent yet.
    init(_ conversation: Conversation) {
        self.conversation = conversation
    }

    /// The direction that waits for a further fragment; unknown if none or both do.
    var openDirection: PacketDirection {
        switch (sent.isOpen, received.isOpen) {
        case (true, false): .sent
        case (false, true): .received
        case (true, true), (false, false): .unknown
        }
    }

    /// Takes in a fragment.
    mutating func take(
        _ fragment: Span<UInt8>, isFirst: Bool, _ direction: PacketDirection,
        _ instant: Instant, _ gatt: inout GATTTrace
    ) {
        let result: L2CAPReassembly.Result
        switch direction {
        case .sent: result = sent.take(fragment, isFirst: isFirst, &gatt.account)
        case .received: result = received.take(fragment, isFirst: isFirst, &gatt.account)
        case .unknown: result = .broken
        }
        switch result {
        case .whole(let range):
            gatt.take(fragment.extracting(range), direction, &conversation, at: instant)
        case .completed:
            let packet = direction == .sent ? sent.packet : received.packet
            gatt.take(packet.span, direction, &conversation, at: instant)
        case .nothing: break
        case .broken: gatt.account.brokenPackets += 1
        }
    }

    /// Takes in that the link went down.
    mutating func disconnect(_ instant: Instant, _ gatt: inout GATTTrace) {
        gatt.disconnect(&conversation, at: instant)
    }

    /// Takes in that the capture has ended.
    mutating func finish(_ gatt: inout GATTTrace) { gatt.finish(&conversation) }
}

extension L2CAPReassembly {
    fileprivate mutating func take(
        _ fragment: Span<UInt8>, isFirst: Bool, _ account: inout CaptureAccount
    ) -> Result {
        guard isFirst else { return go(on: fragment) }
        if isOpen { account.brokenPackets += 1 }
        return begin(fragment)
    }
}
