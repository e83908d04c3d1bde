import DaemonHarness
import Foundation
import Testing

@Suite(.enabled(if: AccessPeer.isPermitted, "only root can be somebody else"))
struct AccessTests {
    /// A daemon whose configuration has these lines in its section `[access]`.
    private func daemon(_ rules: [String]) throws -> DaemonUnderTest {
        let directory = try ScratchDirectory()
        let path = try directory.write(
            "[access]\n" + rules.joined(separator: "\n") + "\n", to: "healthd.conf")
        let daemon = try DaemonUnderTest(in: directory, arguments: ["--config", path])
        #expect(try daemon.replay(QueryData.recording).isOK)
        return daemon
    }

    private func verdicts(_ peer: AccessPeer, _ what: String) throws -> Set<String> {
        let reply = try peer.request("access")
        let prefix = "\"\(what)\":\""
        return Set(
            reply.data.compactMap { line in
                line.range(of: prefix).map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
            })
    }

    @Test func withoutRulesAllMayReadAndNobodyElseChanges() throws {
        let peer = try AccessPeer(daemon([]))
        #expect(try peer.request("samples spo2 quality=all")["n"] == "5")
        #expect(try verdicts(peer, "read") == ["authorized"])
        #expect(try verdicts(peer, "write") == ["denied"])
        for request in [
            "replay", "delete 1", "assign device=x subject=y", "record", "backup", "checkpoint",
            "reprocess",
        ] {
            #expect(try peer.request(request).failure == "403 denied")
        }
        #expect(try peer.request("samples spo2 quality=all")["n"] == "5")
    }

    @Test func rootMayDoEverything() throws {
        let reply = try daemon(["user nobody = read spo2"]).request("access")
        #expect(reply.data.first?.contains(#""user":"0","right":"admin""#) == true)
        #expect(reply["n"] == "7")
    }

    @Test func whoIsNotNamedIsNotDetermined() throws {
        let peer = try AccessPeer(daemon(["user daemon = read"]))
        for request in [
            "samples spo2", "latest", "follow", "changes since=start", "explain 1",
            "stats spo2", "series spo2 bucket=1d", "report odi", "report fever",
        ] {
            #expect(try peer.request(request).failure == "403 not-determined")
        }
        #expect(try verdicts(peer, "read") == ["notDetermined"])
        #expect(try verdicts(peer, "right") == ["none"])
        #expect(try peer.request("ping").isOK)
    }

    @Test func aTypeThatIsNotGrantedIsDeniedAndNeverEmpty() throws {
        let peer = try AccessPeer(daemon(["user nobody = read spo2"]))
        #expect(try peer.request("samples spo2 quality=all")["n"] == "5")
        #expect(try peer.request("stats spo2").isOK)
        for request in ["stats hr", "series hr bucket=1d", "report fever"] {
            #expect(try peer.request(request).failure == "403 denied")
        }
        let reply = try peer.request("samples hr")
        #expect(reply.failure == "403 denied")
        #expect(reply.text.contains("user nobody = read spo2"))
        #expect(try peer.request("samples spo2 hr").failure == "403 denied")
        #expect(try peer.request("samples temp").failure == "403 denied")
        #expect(try peer.request("follow hr").failure == "403 denied")
        #expect(try verdicts(peer, "read") == ["authorized", "denied"])
    }

    @Test func withoutNamedTypesThoseThatMayBeReadAreShown() throws {
        let peer = try AccessPeer(daemon(["user nobody = read spo2"]))
        let changes = try peer.request("changes since=start quality=all modality=all")
        #expect(changes.data.count == 6)
        #expect(changes.data.allSatisfy { $0.contains("oxygenSaturation") })
        let latest = try peer.request("latest")
        #expect(latest.data.count == 1)
        #expect(latest.data.allSatisfy { $0.contains("oxygenSaturation") })
    }

    @Test func aPacketIsExplainedToThoseWhoMayReadAllOfIt() throws {
        let daemon = try daemon(["user nobody = read spo2 temp"])
        let peer = try AccessPeer(daemon)
        #expect(try peer.request("explain 1.0").failure == "403 denied")
        #expect(try peer.request("explain 6.0").isOK)
    }

    @Test func aGroupGrantsToItsMembers() throws {
        let daemon = try daemon(["group man = write", "user nobody = read spo2"])
        let outside = try AccessPeer(daemon)
        let inside = try AccessPeer(daemon, groups: [0, 12])
        #expect(try outside.request("samples temp").failure == "403 denied")
        #expect(try inside.request("samples temp modality=all")["n"] == "4")
        #expect(try verdicts(inside, "right") == ["write"])
        inside.send("replay\n" + RecordingText.oximeter(seconds: 2) + "\n")
        #expect(try inside.request(".").isOK)
        #expect(try inside.request("delete 1").failure == "403 denied")
    }

    @Test func anAdministratorMayDoEverything() throws {
        let peer = try AccessPeer(daemon(["user nobody = admin"]))
        #expect(try peer.request("delete 1")["n"] == "1")
        #expect(try peer.request("checkpoint").isOK)
        #expect(try verdicts(peer, "right") == ["admin"])
    }

    @Test func anAdministratorOfOneTypeIsNoneOfAll() throws {
        let peer = try AccessPeer(daemon(["user nobody = admin spo2"]))
        #expect(try peer.request("delete spo2").failure == "403 denied")
        #expect(try peer.request("samples spo2 quality=all")["n"] == "5")
    }
}
