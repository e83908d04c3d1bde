import DaemonHarness
import Foundation

/// A record of the feed as a client reads it.
struct FollowRecord: Decodable, Equatable {
    var kind: String
    var id: String
    var seq: Int
    var type: String
    var start: String
    var subject: String?

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case id, seq, type, start, subject
    }

    /// The record that a line holds.
    init(_ line: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
    }

    /// What a test compares: kind, id and seq.
    var text: String { "\(kind) \(id) \(seq)" }
}

extension LineReply {
    /// All records of a reply, each in short.
    var records: [String] {
        get throws { try data.map { try FollowRecord($0).text } }
    }
}

extension DaemonUnderTest {
    /// The name of its store, as the greeting says it.
    var epoch: String {
        get throws {
            let words = try connect().greeting.split(separator: " ")
            guard let epoch = words.first(where: { $0.hasPrefix("epoch=") }) else {
                throw HarnessError("no epoch in \(words)")
            }
            return String(epoch.dropFirst(6))
        }
    }
}

/// A client that follows, goes away and comes back, and keeps every record that it has finished.
///
/// A seq is finished when a record of a greater one comes, or a heartbeat; what is not is left out and
/// comes again.
struct ResumingFollower {
    /// All lines of finished seqs.
    private(set) var lines: [String] = []
    /// Behind the last finished seq.
    private(set) var anchor: String
    private let epoch: String
    private var unfinished: [String] = []
    private var unfinishedSeq = 0

    /// A follower that has seen nothing of a store.
    init(epoch: String) {
        self.epoch = epoch
        anchor = "\(epoch):0"
    }

    /// What asks for what it has not seen.
    var request: String { "follow quality=all modality=all heartbeat=1 since=\(anchor)\n" }

    /// Forgets what it has of a seq that is not finished.
    mutating func disconnect() {
        (unfinished, unfinishedSeq) = ([], 0)
    }

    /// Takes one line in.
    mutating func take(_ line: String) throws {
        if let place = line.range(of: " anchor="), !line.hasPrefix("{") {
            finish()
            let rest = line[place.upperBound...]
            anchor = String(rest.prefix { $0 != " " })
        }
        guard line.hasPrefix("{") else { return }
        let seq = try FollowRecord(line).seq
        if seq != unfinishedSeq { finish() }
        unfinishedSeq = seq
        unfinished.append(line)
    }

    private mutating func finish() {
        guard !unfinished.isEmpty else { return }
        lines += unfinished
        anchor = "\(epoch):\(unfinishedSeq)"
        unfinished = []
    }
}
