import ControlProtocol
import Foundation
import Testing

@testable import healthctl

/// A socket that sends a text to the first who connects, and closes when that one has asked.
private final class ScriptedDaemon: Sendable {
    let path: String
    private let listener: Int32

    init(saying text: String) throws {
        path = "/tmp/healthctl-\(UUID().uuidString)"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [listener] in
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(listener, 1) == 0)
        Thread.detachNewThread { [listener] in Self.serve(listener, Array(text.utf8)) }
    }

    deinit {
        close(listener)
        unlink(path)
    }

    private static func serve(_ listener: Int32, _ text: [UInt8]) {
        let client = accept(listener, nil, nil)
        _ = text.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
        var request: [UInt8] = Array(repeating: 0, count: 4096)
        _ = read(client, &request, request.count)
        close(client)
    }
}

@Suite struct ConnectionTests {
    private static let greeting = "HEALTHD 1.0 server=x epoch=e anchor=e:1 tz=UTC\n"

    private func failure(_ body: () throws -> Void) throws -> Failure {
        try #require(#expect(throws: Failure.self) { try body() })
    }

    private func failure(afterGreeting text: String) throws -> Failure {
        let daemon = try ScriptedDaemon(saying: Self.greeting + text)
        return try failure {
            var connection = try Connection.opened(daemon.path)
            try connection.send(Request(verb: "ping"))
            while try connection.nextLine() != nil {}
        }
    }

    @Test func aReplyIsReadToItsEnd() throws {
        let text = "# interval=[,)\r\n{}\n2026\nOK n=2 more=0\n# later\n"
        let daemon = try ScriptedDaemon(saying: Self.greeting + text)
        var connection = try Connection.opened(daemon.path)
        try connection.send(Request(verb: "ping"))
        var count = 0
        while try connection.nextLine() != nil { count += 1 }
        #expect(count == 3)
        #expect(connection.details == ["n": "2", "more": "0"])
    }

    @Test(arguments: [(400, "syntax", 64), (404, "no-such-type", 66), (503, "starting", 75)])
    func theDaemonsFailureHasItsTextAndCode(_ code: Int, _ symbol: String, _ exit: Int32) throws {
        let failure = try failure(afterGreeting: "{}\nERR \(code) \(symbol) key=x : the reason\n")
        #expect(failure == Failure("the reason", exitCode: exit))
    }

    @Test func aReplyWithoutAnEndIsAFailure() throws {
        #expect(try failure(afterGreeting: "{}\n{\"cut\":") == Unreachable.hangUp)
    }

    @Test func aFullDaemonSaysSoInsteadOfAGreeting() throws {
        let daemon = try ScriptedDaemon(saying: "ERR 429 too-many-connections : too many\n")
        let failure = try failure { _ = try Connection.opened(daemon.path).number }
        #expect(failure == Failure("too many", exitCode: 75))
    }

    @Test func anotherProgramIsNotTakenForHealthd() throws {
        let daemon = try ScriptedDaemon(saying: "220 smtp ready\n")
        let failure = try failure { _ = try Connection.opened(daemon.path).number }
        #expect(failure.exitCode == 69)
        #expect(failure.message.hasSuffix("does not answer as healthd does"))
    }

    @Test func aMissingSocketIsAFailure() throws {
        let failure = try failure { _ = try Connection.opened("/tmp/healthctl-none").number }
        #expect(failure == Unreachable.failure(path: "/tmp/healthctl-none", SystemError(ENOENT)))
    }

    @Test func aPathThatIsTooLongIsAFailure() throws {
        let path = "/" + String(repeating: "x", count: 107)
        let failure = try failure { _ = try Connection.opened(path).number }
        #expect(failure.message.contains("at most 107 octets"))
    }
}

@Suite struct SessionTests {
    private func line(_ words: String...) throws -> String {
        let session = try Session(Invocation(words))
        return try session.request(arguments: session.invocation.arguments).line
    }

    @Test func optionsBecomeKeys() throws {
        #expect(
            try line("samples", "spo2", "-S", "yesterday 22:00", "--where", "value<90", "--utc")
                == "samples spo2 start=\"yesterday 22:00\" where=value<90 tz=UTC")
        #expect(try line("latest", "hr", "--tz", "Asia/Tokyo") == "latest hr tz=Asia/Tokyo")
    }

    @Test func theZoneIsSentOnlyWhereTheDaemonTakesIt() throws {
        #expect(try line("types") == "types")
        #expect(try line("status", "--utc") == "status tz=UTC")
    }

    @Test func aLineEndInAValueStaysInTheValue() throws {
        #expect(
            try line("latest", "--device", "a\nquit", "--utc")
                == "latest device=\"a\\nquit\" tz=UTC")
    }

    @Test func twoZonesExcludeEachOther() {
        #expect(throws: Failure.usage("--tz and --utc exclude each other")) {
            try line("status", "--utc", "--tz", "UTC")
        }
    }

    @Test func aColourThatThereIsNotIsRefused() {
        #expect(throws: Failure.self) { try Session(Invocation(["types", "--color", "red"])) }
        #expect(throws: Never.self) { try Session(Invocation(["types", "--color=always"])) }
    }
}
