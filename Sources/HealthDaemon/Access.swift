internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// Who is at the other end of a connection.
struct Peer: Equatable, Sendable {
    /// The user.
    let uid: UInt32
    /// All of the user's groups.
    let groups: Set<UInt32>
}

/// What a caller may do, and why.
struct Access: Equatable, Sendable {
    /// Whether a caller may read samples of a type.
    enum Verdict: String, Sendable {
        /// A rule, or the lack of any, grants it.
        case authorized
        /// Rules name the caller, and none of them grants it.
        case denied
        /// There are rules, and none of them names the caller.
        case notDetermined
    }

    private let granted: [SampleType: AccessRules.Right]
    private let otherwise: Verdict
    private let reasons: [SampleType: String]
    /// Why the caller has what it has.
    let why: String

    /// Whether the caller may do everything.
    var isAdmin: Bool {
        !granted.isEmpty && granted.values.allSatisfy { $0 == .admin }
            && granted.count == SampleType.allCases.count
    }

    /// What everybody may do where the configuration has no rules.
    static let open = Access(
        all: .read, because: "the configuration has no [access] rules, so that all may read")

    init(adminBecause why: String) {
        self.init(all: .admin, because: why)
    }

    private init(all right: AccessRules.Right, because why: String) {
        granted = Dictionary(uniqueKeysWithValues: SampleType.allCases.map { ($0, right) })
        reasons = [:]
        otherwise = .denied
        self.why = why
    }

    /// What rules grant together.
    init(granting rules: [AccessRules.Rule]) {
        var granted: [SampleType: AccessRules.Right] = [:]
        var reasons: [SampleType: String] = [:]
        for rule in rules {
            for type in rule.types where granted[type].map({ $0 < rule.right }) ?? true {
                granted[type] = rule.right
                reasons[type] = "granted by «\(rule.text)»"
            }
        }
        self.granted = granted
        self.reasons = reasons
        otherwise = rules.isEmpty ? .notDetermined : .denied
        why =
            rules.isEmpty
            ? "no [access] rule names you or one of your groups"
            : rules.map { "«\($0.text)»" }.joined(separator: ", ")
    }

    /// Whether the caller may read a type.
    func read(_ type: SampleType) -> Verdict { granted[type] == nil ? otherwise : .authorized }

    /// Whether the caller may bring readings of a type in.
    func write(_ type: SampleType) -> Verdict {
        granted[type].map { $0 >= .write } ?? false ? .authorized : otherwise
    }

    /// Whether something may not be done any more that might be before.
    func isLess(than before: Access) -> Bool {
        (before.isAdmin && !isAdmin)
            || SampleType.allCases.contains {
                before.read($0) == .authorized && read($0) != .authorized
            }
    }

    /// Why the caller may or may not read a type.
    func reason(_ type: SampleType) -> String {
        reasons[type] ?? (granted[type] != nil || otherwise == .notDetermined ? why : denial(type))
    }

    private func denial(_ type: SampleType) -> String {
        "none of the rules that name you grants \(type.rawValue): \(why)"
    }

    /// Whether the caller may bring recordings in, which can hold every type.
    var mayReplay: Bool { SampleType.allCases.allSatisfy { write($0) == .authorized } }

    /// Refuses the types that may not be read; without named types, leaves those that may.
    ///
    /// - Throws: `denied` or `not-determined`; nothing that is denied is ever shown as empty.
    func readable(
        _ types: [SampleType], wereNamed: Bool
    ) throws(ProtocolError) -> [SampleType] {
        let readable = types.filter { read($0) == .authorized }
        if readable.count == types.count || (!wereNamed && !readable.isEmpty) { return readable }
        let refused = types.first { read($0) != .authorized } ?? .heartRate
        throw ProtocolError(
            read(refused) == .denied ? .denied : .notDetermined,
            "you may not read \(refused.rawValue): \(reason(refused))"
        ).with("type", refused.rawValue)
    }
}

/// The answer to `access`: what the caller may do, type by type.
struct AccessAnswer: Answer {
    private let access: Access
    private let uid: UInt32

    init(_ access: Access, uid: UInt32) {
        self.access = access
        self.uid = uid
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        var json = JSONWriter()
        let mayRead = SampleType.allCases.contains { access.read($0) == .authorized }
        json.object { json in
            json.member("class", "access")
            json.member("user", "\(uid)")
            json.member(
                "right",
                access.isAdmin ? "admin" : access.mayReplay ? "write" : mayRead ? "read" : "none")
            json.member("why", access.why)
        }
        json.endLine()
        for type in SampleType.allCases {
            json.object { json in
                json.member("class", "access")
                json.member("type", type.rawValue)
                json.member("read", access.read(type).rawValue)
                json.member("write", access.write(type).rawValue)
                json.member("why", access.reason(type))
            }
            json.endLine()
        }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(SampleType.allCases.count)")])
    }
}
