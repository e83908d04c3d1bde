internal import BlueZ
internal import ControlProtocol
internal import JSON
internal import Measurements

/// Something that an operator does with a sensor, over one connection: until it is done, or cannot be.
struct Conversation: Sendable {
    /// The number by which the collector knows the operator; a later conversation has another.
    let id: OperatorID
    /// When the client is told next that it still goes on.
    var heartbeat: MonotonicTime

    /// How often the client is told that it still goes on, in ms.
    static let heartbeatInterval: Int64 = 15_000

    /// A conversation that begins now.
    init(_ id: OperatorID) {
        self.id = id
        heartbeat = .now.advanced(by: Self.heartbeatInterval)
    }
}

extension OperatorRequest {
    /// What `pair`, `forget` and `set-clock` ask for.
    ///
    /// - Throws: `bad-value` or `range` for what is no address or no window.
    init(_ request: Request) throws(ProtocolError) {
        switch request.verb {
        case "forget": self = .forget(try Self.address(request.arguments.first ?? ""))
        case "set-clock": self = .setClock(try Self.address(request.arguments.first ?? ""))
        default:
            var wish = PairingWish()
            wish.address = try request.arguments.first.map { (text) throws(ProtocolError) in
                try Self.address(text)
            }
            wish.window = try Self.window(request) ?? wish.window
            wish.answersYes = try YesNo.value(request, "yes")
            self = .pair(wish)
        }
    }

    private static func address(_ text: String) throws(ProtocolError) -> DeviceAddress {
        guard let address = DeviceAddress(text) else {
            throw ProtocolError(
                .badValue, "an address is written as 00:1C:05:01:02:03, not `\(text)`")
        }
        return address
    }

    /// A shorter window is over before a sensor is found; a longer one would be forgotten.
    private static let windows: ClosedRange<Int64> = 10_000...600_000

    private static func window(_ request: Request) throws(ProtocolError) -> Int64? {
        guard let text = request["window"] else { return nil }
        let window: Int64?
        do throws(TimeExpressionError) {
            window = try ZonedDuration(text).fixedMilliseconds
        } catch {
            throw ProtocolError(.badTime, error.description).with("key", "window")
        }
        guard let window, windows.contains(window) else {
            throw ProtocolError(.range, "`window=` is from 10s to 10m").with("key", "window")
        }
        return window
    }
}

extension OperatorMessage {
    /// The line that tells it; nil for an end that failed.
    var line: [UInt8]? {
        var json = JSONWriter()
        switch self {
        case .candidate(let candidate): candidate.write(to: &json)
        case .ask(let question): question.write(to: &json)
        case .progress(let step, let text): Self.write(step, text, to: &json)
        case .done(let text): Self.write("done", text, to: &json)
        case .failed: return nil
        }
        json.endLine()
        return json.octets
    }

    private static func write(_ step: String, _ text: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("class", "progress")
            json.member("step", step)
            json.member("text", text)
        }
    }
}

extension Candidate {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("class", "candidate")
            json.member("device", address.description)
            if let name { json.member("name", writing: { appendJSONString(name, to: &$0) }) }
            json.member("services", services.map(\.description))
            if let rssi { json.member("rssi", rssi) }
            json.member("paired", isPaired)
        }
    }
}

extension Question {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("class", "ask")
            json.member("kind", kind.rawValue)
            json.member("text", text)
            if let number { json.member("number", number) }
            json.member("patience", patience / 1000)
        }
    }
}

extension OperatorMessage.Failure {
    /// The word for programs.
    var symbol: ProtocolError.Symbol {
        switch self {
        case .noAdapter: .noAdapter
        case .bluetoothdAbsent: .bluetoothdAbsent
        case .noSuchDevice: .noSuchDevice
        case .busy: .busy
        case .timedOut: .timedOut
        case .refused: .refused
        case .cancelled: .cancelled
        case .failed: .failed
        }
    }
}
