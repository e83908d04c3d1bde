import DaemonHarness
import Foundation
import Testing

@Suite(.enabled(if: AccessPeer.isPermitted, "only root can be somebody else"))
struct ReloadTests {
    private let directory: ScratchDirectory
    private let daemon: DaemonUnderTest

    init() throws {
        directory = try ScratchDirectory()
        let path = try directory.write(
            "[access]\nuser nobody = read spo2\n", to: "healthd.conf")
        daemon = try DaemonUnderTest(in: directory, arguments: ["--config", path])
        #expect(try daemon.replay(QueryData.recording).isOK)
    }

    /// Writes a configuration and has it read; waits until a word about it is in the log.
    private func reload(_ text: String, _ word: String) throws {
        let before = daemon.process.errors.count
        try directory.write(text, to: "healthd.conf")
        daemon.process.send(SIGHUP)
        try waitUntil { daemon.process.errors.dropFirst(before).contains(word) }
    }

    @Test func rightsChangeAtOnceAndConnectionsStay() throws {
        let peer = try AccessPeer(daemon)
        #expect(try peer.request("samples hr").failure == "403 denied")
        try reload("[access]\nuser nobody = read hr\n", "read again")
        #expect(try peer.request("samples hr quality=all")["n"] == "5")
        #expect(try peer.request("samples spo2").failure == "403 denied")
        try reload("[access]\nuser daemon = read\n", "read again")
        #expect(try peer.request("samples hr").failure == "403 not-determined")
        try reload("", "read again")
        #expect(try peer.request("samples hr spo2 quality=all")["n"] == "10")
    }

    @Test func whoLosesARightFollowsNoMore() throws {
        let peer = try AccessPeer(daemon)
        let root = try daemon.connect()
        try root.send("follow spo2\n")
        _ = try root.line()
        peer.send("@f follow spo2\n")
        while try !peer.line().hasPrefix("# hb ") {}
        try reload("[access]\nuser nobody = read hr\n", "read again")
        #expect(try peer.line().hasPrefix("ERR 403 denied @f "))
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 1)).isOK)
        #expect(try root.line()?.hasPrefix("{") == true)
        #expect(try peer.request("samples hr quality=all")["n"] == "6")
    }

    @Test func whoKeepsItsRightsFollowsOn() throws {
        let peer = try AccessPeer(daemon)
        peer.send("follow spo2\n")
        while try !peer.line().hasPrefix("# hb ") {}
        try reload("[access]\nuser nobody = read spo2 hr\n", "read again")
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 1)).isOK)
        #expect(try peer.line().hasPrefix(#"{"class":"add""#))
    }

    @Test(arguments: [
        ("[access]\n\nuser nobody = everything\n", ":3: "),
        ("[access]\nuser whoisthis = read\n", ":2: this host has no user"),
        ("[daemon]\nsorce = none\n", ":2: "),
        ("no section at all\n", ":1: "),
    ])
    func aWrongConfigurationChangesNothing(text: String, place: String) throws {
        let peer = try AccessPeer(daemon)
        try reload(text, "healthd.conf\(place)")
        #expect(try peer.request("samples spo2 quality=all")["n"] == "5")
        #expect(try peer.request("samples hr").failure == "403 denied")
    }

    @Test func aConfigurationThatIsGoneChangesNothing() throws {
        let before = daemon.process.errors.count
        unlink(directory.path("healthd.conf"))
        daemon.process.send(SIGHUP)
        try waitUntil { daemon.process.errors.dropFirst(before).contains("cannot read") }
        #expect(try AccessPeer(daemon).request("samples hr").failure == "403 denied")
    }
}
