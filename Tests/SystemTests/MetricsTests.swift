import DaemonHarness
import Foundation
import Testing

@Suite struct MetricsTests {
    private func metrics(_ daemon: DaemonUnderTest) throws -> [String: Int] {
        let reply = try daemon.request("metrics")
        try #require(reply.isOK && reply.data.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(reply.data[0].utf8))
        var members = try #require(object as? [String: Any])
        #expect(members.removeValue(forKey: "class") as? String == "metrics")
        return members.compactMapValues { $0 as? Int }
    }

    @Test func theyCountWhatHappens() throws {
        let daemon = try DaemonUnderTest()
        let before = try metrics(daemon)
        try daemon.replay(QueryData.recording + "\nbroken")
        try daemon.replay(QueryData.recording)
        let client = try daemon.connect()
        try client.send("follow\n")
        _ = try client.line()
        let after = try metrics(daemon)
        #expect(before["stored"] == 0)
        #expect(after["stored"] == 9)
        #expect(after["duplicate"] == 9)
        #expect(after["seq"] == 9)
        #expect(after["followers"] == 1)
        #expect(after["connections"] == 2)
        #expect(after["failures"] == 0)
        #expect((after["requests"] ?? 0) - (before["requests"] ?? 0) == 4)
        #expect((after["durableCommits"] ?? 0) >= (before["durableCommits"] ?? 0) + 2)
        #expect((after["residentMemory"] ?? 0) > 1_000_000)
        #expect((after["storeSize"] ?? 0) > 4096)
    }

    @Test func everyMemberIsANumber() throws {
        let daemon = try DaemonUnderTest()
        let text = try daemon.request("metrics").data[0]
        #expect(try metrics(daemon).count == text.components(separatedBy: "\":").count - 2)
    }
}
