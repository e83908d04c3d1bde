import Samples
import Testing

@testable import HealthDaemon

@Suite struct AccessRulesTests {
    private func rule(_ key: String, _ value: String) throws -> AccessRules.Rule {
        try AccessRules.Rule.parse(key, value).get()
    }

    private func access(
        _ rules: [AccessRules.Rule], uid: UInt32 = 65534, groups: Set<UInt32> = []
    ) -> Access {
        AccessRules(rules: rules).access(of: Peer(uid: uid, groups: groups), daemon: 1)
    }

    @Test func aRuleWithoutTypesIsForAll() throws {
        let rule = try rule("user nobody", "read")
        #expect(rule.subject == .user(65534))
        #expect(rule.right == .read)
        #expect(rule.types == Set(SampleType.allCases))
    }

    @Test func aRuleNamesTypesByAnyOfTheirNames() throws {
        let types = try rule("group root", "write spo2 heartRate").types
        #expect(types == [.oxygenSaturation, .heartRate])
    }

    @Test(arguments: [
        ("user nobody", ""), ("user nobody", "all"), ("user nobody", "read nonsense"),
        ("user whoisthis", "read"), ("group whoarethey", "read"), ("nobody", "read"),
        ("users nobody", "read"), ("user a b", "read"),
    ])
    func whatIsNoRuleIsSaid(key: String, value: String) {
        #expect(throws: ConfigurationError.self) { try rule(key, value) }
    }

    @Test func aRightIncludesTheOnesBeforeIt() {
        #expect(AccessRules.Right.read < .write)
        #expect(AccessRules.Right.write < .admin)
        #expect(AccessRules.Right.read < .admin)
        #expect(!(AccessRules.Right.admin < .write))
        #expect(!(AccessRules.Right.read < .read))
    }

    @Test func theStrongestRuleOfATypeCounts() throws {
        let access = access([
            try rule("user nobody", "read"), try rule("user nobody", "write spo2"),
        ])
        #expect(access.write(.oxygenSaturation) == .authorized)
        #expect(access.write(.heartRate) == .denied)
        #expect(access.read(.heartRate) == .authorized)
        #expect(access.reason(.oxygenSaturation) == "granted by «user nobody = write spo2»")
        #expect(!access.mayReplay)
    }

    @Test func rootAndTheDaemonsUserNeedNoRule() throws {
        let rules = [try rule("user nobody", "read spo2")]
        #expect(access(rules, uid: 0).isAdmin)
        #expect(access(rules, uid: 1).isAdmin)
        #expect(!access(rules, uid: 2).isAdmin)
        #expect(access(rules, uid: 2).read(.heartRate) == .notDetermined)
    }

    @Test func lessIsWhatMayNotBeDoneAnyMore() throws {
        let narrow = access([try rule("user nobody", "read spo2")])
        let wide = access([try rule("user nobody", "read")])
        let admin = access([try rule("user nobody", "admin")])
        #expect(narrow.isLess(than: wide))
        #expect(wide.isLess(than: admin))
        #expect(!wide.isLess(than: narrow))
        #expect(!wide.isLess(than: wide))
        #expect(access([try rule("user daemon", "read")]).isLess(than: narrow))
    }
}
