import DaemonHarness
import Foundation
import Testing

@Suite struct ReplayOptionTests {
    @Test func aDryRunStoresNothing() throws {
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay(QueryData.recording, options: "dry-run=yes")
        #expect(reply.count("stored") == 9)
        #expect(reply.data.last?.contains(#""dryRun":true"#) == true)
        #expect(reply.end == "OK seq=0")
        #expect(try daemon.request("samples spo2 temp").end == "OK n=0 more=0")
        #expect(try daemon.request("devices").end == "OK n=0")
    }

    @Test(arguments: ["", "first half", "all", "all, with a damaged line and repeats"])
    func aDryRunPredictsWhatTheReplayDoes(known: String) throws {
        let daemon = try DaemonUnderTest()
        let lines = QueryData.recording.split(separator: "\n")
        let half = lines.prefix(4).joined(separator: "\n")
        let repeated = QueryData.recording + "\n{}\n" + QueryData.recording + "\n" + half
        if known == "first half" { try daemon.replay(half) }
        if known == "all" { try daemon.replay(QueryData.recording) }
        let recording = known.contains("repeats") ? repeated : QueryData.recording
        let predicted = try daemon.replay(recording, options: "dry-run=yes subject=ada")
        let done = try daemon.replay(recording, options: "subject=ada")
        let told = predicted.data.map { $0.replacingOccurrences(of: #","dryRun":true"#, with: "") }
        #expect(told == done.data)
        #expect(predicted.data != done.data)
    }

    @Test func theSubjectOfALaterReplayWins() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording, options: "subject=ada")
        #expect(try daemon.request("samples spo2 subject=ada")["n"] == "3")
        let reply = try daemon.replay(QueryData.recording, options: "subject=\"Ben Nevis\"")
        #expect(reply.count("duplicate") == 9)
        #expect(try daemon.request("samples spo2 subject=\"Ben Nevis\"")["n"] == "3")
        #expect(try daemon.request("samples spo2 subject=ada")["n"] == "0")
    }

    @Test func aSubjectOwnsOnlyTheSpanOfTheRecording() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 10, from: 1_700_000_000))
        try daemon.replay(
            RecordingText.oximeter(seconds: 3, from: 1_700_000_003), options: "subject=ada")
        let reply = try daemon.request("samples spo2 format=tsv")
        #expect(
            reply.column("subject")
                == ["me", "me", "me", "ada", "ada", "ada", "me", "me", "me", "me"])
    }

    @Test func theNinthReplayAtOnceIsRefused() throws {
        let daemon = try DaemonUnderTest()
        let clients = try (0..<8).map { _ in try daemon.connect() }
        for client in clients {
            try client.send("replay\n")
            #expect(try client.line() == "# send")
        }
        let ninth = try daemon.connect()
        #expect(try ninth.request("replay").failure == "409 busy")
        try clients[0].send(".\n")
        #expect(try clients[0].reply().isOK)
        #expect(try ninth.request("replay\n.").isOK)
    }

    @Test func replaysAtOnceDoNotMix() throws {
        let daemon = try DaemonUnderTest()
        let devices = ["00:1C:05:00:00:01", "00:1C:05:00:00:02", "00:1C:05:00:00:03"]
        let clients = try devices.map { _ in try daemon.connect() }
        let recordings = devices.map {
            RecordingText.oximeter(seconds: 60, device: $0).split(separator: "\n")
        }
        for client in clients { try client.send("replay\n") }
        for line in 0..<60 {
            for (client, recording) in zip(clients, recordings) {
                let middle = recording[line].index(recording[line].startIndex, offsetBy: 70)
                try client.send(String(recording[line][..<middle]))
                try client.send(String(recording[line][middle...]) + "\n")
            }
        }
        for client in clients { try client.send(".\n") }
        for (client, device) in zip(clients, devices) {
            #expect(try client.reply().count("stored") == 60)
            #expect(try daemon.request("samples spo2 device=\(device)")["n"] == "60")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func aReplayIsForAdministrators() throws {
        let daemon = try DaemonUnderTest()
        chmod(daemon.socket, 0o666)
        chmod(daemon.directory.path, 0o755)
        let program = daemon.directory.path("healthctl")
        // A copy made by this process would be busy while another test starts a program.
        try ChildProcess(["cp", BuiltProgram.healthctl.path, program]).wait()
        let recording = try daemon.directory.write(QueryData.recording, to: "r.gattlog")
        chmod(recording, 0o644)
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program]
        let socket = ["HEALTHD_SOCKET": daemon.socket]
        let replay = try ChildProcess(nobody + ["replay", recording], environment: socket)
        #expect(try replay.wait() == .exit(77))
        #expect(replay.errors.contains("administrators"))
        let question = try ChildProcess(nobody + ["samples", "spo2"], environment: socket)
        #expect(try question.wait() == .exit(0))
        #expect(try daemon.request("samples spo2")["n"] == "0")
    }
}
