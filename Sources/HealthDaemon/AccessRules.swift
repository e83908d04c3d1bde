internal import ControlProtocol
internal import Glibc
internal import Samples

/// Who may read and change what, as the configuration says it.
///
/// Without any rule, whoever can open the socket may read everything. With rules, each user has what
/// the rules that name it or one of its groups grant. Root and the daemon's own user may do all.
struct AccessRules: Equatable, Sendable {
    /// What a rule grants; each includes the ones before it.
    enum Right: String, CaseIterable, Comparable, Sendable {
        /// To read samples.
        case read
        /// To bring readings in.
        case write
        /// To do everything.
        case admin

        static func < (left: Right, right: Right) -> Bool {
            (left == .read && right != .read) || (left == .write && right == .admin)
        }
    }

    /// One line of the section `[access]`.
    struct Rule: Equatable, Sendable {
        /// Whom it names.
        enum Subject: Equatable, Sendable {
            case user(UInt32)
            case group(UInt32)
        }

        let subject: Subject
        let right: Right
        let types: Set<SampleType>
        /// The line as a person wrote it.
        let text: String
    }

    var rules: [Rule] = []

    /// What a caller may do.
    func access(of peer: Peer, daemon: UInt32) -> Access {
        if peer.uid == 0 { return Access(adminBecause: "root may do everything") }
        if peer.uid == daemon {
            return Access(adminBecause: "the user that healthd runs as may do everything")
        }
        guard !rules.isEmpty else { return Access.open }
        return Access(granting: rules.filter { $0.names(peer) })
    }
}

extension AccessRules.Rule {
    fileprivate func names(_ peer: Peer) -> Bool {
        switch subject {
        case .user(let uid): uid == peer.uid
        case .group(let gid): peer.groups.contains(gid)
        }
    }

    /// Takes a line `user NAME = RIGHT [TYPE…]` or `group NAME = RIGHT [TYPE…]` apart.
    ///
    /// - Returns: The rule, or what a line must be.
    static func parse(_ key: String, _ value: String) -> Result<Self, ConfigurationError> {
        let words = key.split(separator: " ").map(String.init)
        let grant = value.split(separator: " ").map(String.init)
        guard words.count == 2, let subject = Subject(kind: words[0], name: words[1]) else {
            return .failure(ConfigurationError(line: nil, unknownSubject(key, words)))
        }
        guard let right = grant.first.flatMap({ AccessRules.Right(rawValue: $0) }) else {
            let text = "`\(key)` grants read, write or admin, and then types; not «\(value)»"
            return .failure(ConfigurationError(line: nil, text))
        }
        var types: Set<SampleType> = []
        for name in grant.dropFirst() {
            guard let type = SampleType(named: name) else {
                let hint = nearest(to: name, in: SampleType.allCases.flatMap(\.aliases))
                let text = "unknown type `\(name)`" + didYouMean(hint, else: "see healthctl types")
                return .failure(ConfigurationError(line: nil, text))
            }
            types.insert(type)
        }
        let all = Set(SampleType.allCases)
        return .success(
            Self(
                subject: subject, right: right, types: types.isEmpty ? all : types,
                text: "\(key) = \(value)"))
    }

    private static func unknownSubject(_ key: String, _ words: [String]) -> String {
        guard words.count == 2, ["user", "group"].contains(words[0]) else {
            return "`\(key)` is not of the form `user NAME` or `group NAME`"
        }
        return "this host has no \(words[0]) `\(words[1])`"
    }
}

extension AccessRules.Rule.Subject {
    fileprivate init?(kind: String, name: String) {
        switch kind {
        case "user":
            guard let entry = getpwnam(name) else { return nil }
            self = .user(entry.pointee.pw_uid)
        case "group":
            guard let entry = getgrnam(name) else { return nil }
            self = .group(entry.pointee.gr_gid)
        default: return nil
        }
    }
}
