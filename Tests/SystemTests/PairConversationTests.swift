import DaemonHarness
import Foundation
import Synchronization
import Testing

/// What `healthctl pair` and `forget` say to a daemon, with the daemon's part played by a script.
@Suite struct PairConversationTests {
    private static let candidate =
        #"{"class":"candidate","device":"00:1C:05:01:02:03","name":"N","services":["1822"],"rssi":-60}"#

    /// Runs healthctl against a daemon that says these lines; `>` waits for a line of the client's.
    private func run(
        _ words: [String], typing input: String = "", against script: [String]
    ) throws -> (client: ChildProcess, end: ChildProcess.End, heard: [String]) {
        let files = try ScratchDirectory()
        let server = try ScriptedSocket(files.path("s"), script)
        let client = try ChildProcess(
            [BuiltProgram.healthctl.path] + words, environment: ["HEALTHD_SOCKET": files.path("s")],
            input: try files.write(input, to: "input"), in: files)
        let end = try client.wait()
        return (client, end, try server.heard())
    }

    @Test func aSensorIsChosenByItsNumberAndTheSensorsNumberIsTyped() throws {
        let (client, end, heard) = try run(
            ["pair", "--window", "1m"], typing: "1\n012345\n",
            against: [
                ">", Self.candidate, #"{"class":"ask","kind":"choose","text":"Which?"}"#, ">",
                #"{"class":"progress","step":"pair","text":"pairing"}"#,
                #"{"class":"ask","kind":"passkey","text":"The number that it shows"}"#, ">",
                #"{"class":"progress","step":"done","text":"N works: SpO2 97 %."}"#, "OK",
            ])
        #expect(end == .exit(0))
        #expect(heard == ["pair window=1m", "answer 00:1C:05:01:02:03", "answer 012345"])
        #expect(
            client.output
                == "1. 00:1C:05:01:02:03  N  pulse oximeter  -60 dBm\nN works: SpO2 97 %.\n")
        #expect(client.errors == "Which?: pairing\nThe number that it shows: ")
    }

    @Test func withoutATerminalAQuestionEndsItInPlainWords() throws {
        let (client, end, heard) = try run(
            ["pair", "00:1C:05:01:02:03", "--yes"],
            against: [">", #"{"class":"ask","kind":"passkey","text":"The number"}"#, ">"])
        #expect(end == .exit(2))
        #expect(heard == ["pair 00:1C:05:01:02:03 yes=yes"])
        #expect(client.errors.contains("there is no terminal to answer on"))
    }

    @Test func aFailureOfTheDaemonsIsTheEnd() throws {
        let (client, end, _) = try run(
            ["pair"], against: [">", "ERR 503 no-adapter : there is no adapter"])
        #expect(end == .exit(75))
        #expect(client.errors == "healthctl: there is no adapter\n")
        #expect(client.output == "")
    }

    @Test func programsGetEveryLineAsItIs() throws {
        let done = #"{"class":"progress","step":"done","text":"N works."}"#
        let (client, end, _) = try run(
            ["pair", "-o", "json"], against: [">", Self.candidate, "# hb t=x", done, "OK"])
        #expect(end == .exit(0))
        #expect(client.output == "\(Self.candidate)\n\(done)\n")
    }

    @Test func aPairingIsNotRemovedUnasked() throws {
        let (client, end, heard) = try run(["forget", "00:1C:05:01:02:03"], against: [])
        #expect(end == .exit(2))
        #expect(heard == [])
        #expect(client.errors.contains("--yes removes unasked"))
    }

    @Test func aSensorIsForgottenByItsName() throws {
        let (_, end, heard) = try run(
            ["forget", "N", "--yes"],
            against: [
                ">", #"{"class":"device","device":"00:1C:05:01:02:03","name":"N"}"#, "OK n=1",
                "reconnect", ">", #"{"class":"progress","step":"done","text":"Forgotten."}"#, "OK",
            ])
        #expect(end == .exit(0))
        #expect(heard == ["devices", "forget 00:1C:05:01:02:03"])
    }
}

/// A socket on which a daemon's part is played.
private final class ScriptedSocket: Sendable {
    private let listener: Int32
    private let script: [String]
    private let done = DispatchSemaphore(value: 0)
    private let lines = Mutex<[String]>([])

    init(_ path: String, _ script: [String]) throws {
        self.script = script
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(listener, 4) == 0 else {
            throw HarnessError.system("listen \(path)")
        }
        Thread.detachNewThread { [self] in
            play()
            done.signal()
        }
    }

    deinit { close(listener) }

    /// What the client has said, once everything is played.
    func heard() throws -> [String] {
        shutdown(listener, Int32(SHUT_RDWR))
        done.wait()
        return lines.withLock(\.self)
    }

    private func play() {
        var rest = script[...]
        repeat {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            say("HEALTHD 1.0 server=x epoch=e anchor=e:1 tz=UTC", to: client)
            while let step = rest.popFirst(), step != "reconnect" {
                guard step == ">" else {
                    say(step, to: client)
                    continue
                }
                guard let line = hear(client) else { break }
                lines.withLock { $0.append(line) }
            }
            close(client)
        } while !rest.isEmpty
    }

    private func say(_ line: String, to client: Int32) {
        let octets = Array("\(line)\n".utf8)
        _ = send(client, octets, octets.count, Int32(MSG_NOSIGNAL))
    }

    private func hear(_ client: Int32) -> String? {
        var line: [UInt8] = []
        var octet: UInt8 = 0
        while recv(client, &octet, 1, 0) == 1 {
            if octet == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(octet)
        }
        return nil
    }
}
