import Foundation
import Testing

@testable import HealthDaemon

@Suite struct ConnectionTests {
    /// A connection, and the descriptor of its client.
    private func pair() throws -> (Connection, client: Int32) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        return (Connection(1, descriptor: pair[0], peer: Peer(uid: 0, groups: [])), pair[1])
    }

    private func take(_ connection: Connection) -> [String] {
        var lines: [String] = []
        while true {
            switch connection.nextLine() {
            case .none: return lines
            case .tooLong: lines.append("too long")
            case .line(let line): lines.append(String(decoding: line, as: UTF8.self))
            }
        }
    }

    @Test func wholeLinesAreTakenAndAHalfOneIsWaitedFor() throws {
        let (connection, client) = try pair()
        defer { close(client) }
        connection.input.append("one\n\ntw".utf8)
        #expect(take(connection) == ["one", ""])
        #expect(connection.lineDeadline != nil)
        connection.input.append("o\n".utf8)
        #expect(take(connection) == ["two"])
        #expect(connection.lineDeadline == nil)
    }

    @Test(arguments: [1, 100, 8193, 20_000])
    func aLineThatIsTooLongIsToldOnceHoweverItIsCut(size: Int) throws {
        let (connection, client) = try pair()
        defer { close(client) }
        let text = Array((String(repeating: "x", count: 20_000) + "\nnext\n").utf8)
        var lines: [String] = []
        for start in stride(from: 0, to: text.count, by: size) {
            connection.input.append(text[start..<min(start + size, text.count)])
            lines += take(connection)
        }
        #expect(lines == ["too long", "next"])
    }

    @Test func theLastLineNeedsNoLineEnd() throws {
        let (connection, client) = try pair()
        _ = write(client, "ping", 4)
        close(client)
        var buffer = [UInt8](repeating: 0, count: 100)
        connection.receive(into: &buffer)
        #expect(take(connection) == [])
        connection.receive(into: &buffer)
        #expect(connection.isInputEnded)
        #expect(take(connection) == ["ping"])
        #expect(connection.isFinished)
    }

    @Test func whatIsSentEndsTheWaitForTheFirstOctet() throws {
        let (connection, client) = try pair()
        defer { close(client) }
        connection.firstOctetDeadline = .now
        #expect(connection.deadlines.count == 1)
        connection.send(line: "# working")
        #expect(connection.deadlines.isEmpty)
    }

    @Test func aClientThatIsGoneIsFinishedAndNotPolled() throws {
        let (connection, client) = try pair()
        close(client)
        connection.send(line: "news")
        connection.flush()
        #expect(connection.isGone)
        #expect(connection.output.isEmpty)
        #expect(connection.isFinished)
        #expect(connection.poller.fd == -1)
    }

    @Test func aClientThatDoesNotReadKeepsItsOutputWaiting() throws {
        let (connection, client) = try pair()
        defer { close(client) }
        connection.send([UInt8](repeating: 0x20, count: 4_000_000))
        connection.flush()
        #expect(!connection.output.isEmpty)
        #expect(!connection.isGone)
        #expect(connection.poller.events & Int16(POLLOUT) != 0)
    }
}
