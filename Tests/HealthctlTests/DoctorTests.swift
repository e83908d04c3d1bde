import JSON
import Testing

@testable import healthctl

/// What doctor concludes from what the daemon and the host say.
@Suite struct DoctorTests {
    private let socket = SocketFile(
        path: "/run/healthd/healthd.sock", isThere: true, isOpen: true, group: "healthd",
        isListed: true, user: "anna")

    private func host(
        socket: SocketFile? = nil, bluetoothd: String? = "5.66", units: [String: String] = [:],
        blocked: [String] = [], isClockSynchronised: Bool = true, free: Int = 9_000_000_000
    ) -> HostReport {
        HostReport(
            socket: socket ?? self.socket, bluetoothdVersion: bluetoothd, configuration: nil,
            units: units, adapters: ["hci0"], blocked: blocked,
            isClockSynchronised: isClockSynchronised, space: (free, 10_000_000_000))
    }

    private func objects(_ lines: String...) throws -> [JSONValue] {
        var parser = JSONParser()
        return try lines.map { try parser.value(of: Array($0.utf8)) }
    }

    private func daemon(_ findings: String...) throws -> DaemonReport {
        var parser = JSONParser()
        var report = DaemonReport()
        report.answers["status"] = try objects(
            #"{"server":"healthd/1","source":"bluez","store":{"path":"/v/h.db","size":5,"state":"ok"},"adapters":[{"adapter":"hci0","address":"00:AA:01:00:00:01","powered":true}],"sensors":1,"sensorsLive":1}"#
        )
        report.answers["access"] = try objects(#"{"type":"bodyTemperature","read":"authorized"}"#)
        report.answers["why"] = try findings.map { try parser.value(of: Array($0.utf8)) }
        return report
    }

    private func finding(_ code: String, _ level: String = "fail") -> String {
        #"{"code":"\#(code)","level":"\#(level)","device":null,"text":"T","evidence":"E","next":"N"}"#
    }

    private func levels(_ checks: [DoctorCheck]) -> [String] {
        checks.filter { $0.level != .ok }.map { "\($0.level) \($0.subject)" }
    }

    @Test func whereAllIsWellEverySubjectIsOk() throws {
        let checks = DoctorChecks(try daemon(), host()).all
        #expect(checks.map(\.subject) == DoctorCheck.Subject.allCases)
        // Which healthd there is beside the tests is not asked here.
        #expect(levels(checks) == ["warn configuration"])
    }

    @Test(arguments: [
        ("bluetoothd-absent", DoctorCheck.Subject.bluetoothd), ("bus-closed", .bluetoothd),
        ("no-adapter", .controller), ("adapter-off", .controller),
        ("adapter-blocked", .rfkill), ("adapter-blocked-hard", .rfkill),
        ("searched-by-others", .scanners), ("host-clock", .clock), ("store-full", .store),
        ("bond-lost", .bonds), ("not-paired", .bonds), ("flapping", .sensors),
        ("no-sensor", .sensors),
    ])
    func whatHealthdHasFoundIsToldUnderItsSubject(
        code: String, subject: DoctorCheck.Subject
    ) throws {
        let checks = DoctorChecks(try daemon(finding(code)), host()).all
        let check = try #require(checks.first { $0.subject == subject })
        #expect(check == DoctorCheck(subject, .fail, "T", evidence: "E", next: "N"))
        #expect(checks.count { $0.subject == subject } == 1)
    }

    @Test func aFindingThatAllIsWellIsNoTrouble() throws {
        let checks = DoctorChecks(try daemon(finding("live", "ok")), host()).all
        #expect(checks.last?.text == "1 sensor, 1 sending now")
    }

    @Test(arguments: [
        (true, "log out and in again"), (false, "sudo adduser anna healthd, then log in again"),
    ])
    func whoMayNotOpenTheSocketIsToldHow(isListed: Bool, next: String) throws {
        var report = DaemonReport()
        report.failure = Failure("cannot reach healthd", exitCode: 69)
        let closed = SocketFile(
            path: "/s", isThere: true, isOpen: false, group: "healthd", isListed: isListed,
            user: "anna")
        let checks = DoctorChecks(report, host(socket: closed)).all
        #expect(levels(checks).prefix(2) == ["fail daemon", "fail socket"])
        #expect(checks[1].next == next)
        #expect(!checks.contains { $0.subject == .store })
    }

    @Test func aDaemonThatDoesNotRunIsToldWithWhatSystemdSays() throws {
        var report = DaemonReport()
        report.failure = Failure("cannot reach healthd", exitCode: 69)
        let checks = DoctorChecks(report, host(units: ["healthd": "failed"])).all
        #expect(checks[0].evidence == "`systemctl is-active healthd` says: failed")
        #expect(checks[0].next.contains("systemctl enable --now healthd"))
    }

    @Test(arguments: [
        (250_000_000, DoctorCheck.Level.ok), (150_000_000, .warn), (10_000_000, .fail),
    ])
    func littleRoomIsToldInTime(free: Int, level: DoctorCheck.Level) throws {
        let checks = DoctorChecks(try daemon(), host(free: free)).all
        #expect(checks.first { $0.subject == .disk }?.level == level)
    }

    @Test(arguments: [
        (
            #"{"octetsPerYear":14000000,"free":9000000000,"daysUntilFull":200000}"#, "ok",
            "; the store grows by about 14.0 MB a year"
        ),
        (
            #"{"octetsPerYear":50000000000,"free":9000000000,"daysUntilFull":66}"#, "warn",
            "; the store grows by about 50.0 GB a year, full in 66 d"
        ),
        (#"{"octetsPerYear":null,"free":9000000000,"daysUntilFull":null}"#, "ok", " are free"),
    ])
    func theDisksCheckSaysHowLongItLasts(growth: String, level: String, end: String) throws {
        var report = try daemon()
        report.answers["status"] = try objects(
            #"{"store":{"path":"/v/h.db","size":5,"state":"ok","growth":\#(growth)}}"#)
        let check = DoctorChecks(report, host()).all.first { $0.subject == .disk }
        #expect(check?.level.rawValue == level)
        #expect(check?.text.hasSuffix(end) == true, "\(check?.text ?? "no check")")
    }

    @Test func theHostsOwnTroublesAreTold() throws {
        let checks = DoctorChecks(
            try daemon(),
            host(
                bluetoothd: nil, blocked: ["hci0, by software"], isClockSynchronised: false)
        ).all
        #expect(
            levels(checks).suffix(3) == ["warn clock", "fail bluetoothd", "fail rfkill"])
    }

    @Test(arguments: [
        ("5.50", false, "from 5.65"), ("5.66", true, "(from 5.83)"),
        ("5.82", true, "does not say why"), ("5.83", true, "it says why a link ended"),
        ("6.1", true, "stops calling"),
    ])
    func aVersionOfBluetoothdSaysWhatFollows(version: String, isKnown: Bool, note: String) {
        #expect(BluetoothdVersion(version).isKnown == isKnown)
        #expect(BluetoothdVersion(version).notes.contains(note))
    }

    @Test func aSubjectWithMoreThanOneTroubleHasALineForEach() throws {
        let two = try daemon(finding("bond-lost"), finding("not-paired", "warn"))
        #expect(
            levels(DoctorChecks(two, host()).all)
                == ["warn configuration", "fail bonds", "warn bonds"])
    }
}

/// What a report holds of names and addresses.
@Suite struct RedactionTests {
    @Test func namesAndTheTellingHalvesOfAddressesAreTakenOut() {
        var redaction = Redaction(["Anna's finger", "anna", "", "me"])
        let text = redaction.applied(
            to:
                "Anna's finger of anna at 00:1C:05:01:02:03, dev_00_1C_05_01_02_03, 00:1c:05:01:02:04"
        )
        #expect(!text.lowercased().contains("anna"))
        #expect(text.hasSuffix("at 00:1C:05:xx:xx:1, dev_00:1C:05:xx:xx:1, 00:1C:05:xx:xx:2"))
    }

    @Test(arguments: [
        ("Li", "\"subject\": \"Li\"; Li: Linux lists Li", "\"NAME-1\"; NAME-1: Linux lists NAME-1"),
        ("Tim", "Tim has the time of Tim's band", "NAME-1 has the time of NAME-1's band"),
        ("王芳", "王芳的手环 of 王芳", "NAME-1的手环 of NAME-1"), ("é", "caf é, é", "caf NAME-1, NAME-1"),
        ("Otto", "Ottos and Otto", "NAME-1s and NAME-1"),
    ])
    func shortNamesAreTakenOutWhereTheyAreNames(name: String, text: String, end: String) {
        var redaction = Redaction([name])
        #expect(redaction.applied(to: text).hasSuffix(end))
    }

    @Test func wordsOfHealthdsOwnStay() {
        var redaction = Redaction(["root", "healthd", "me"])
        let text = "healthd runs as root: the same, home"
        #expect(redaction.applied(to: text) == text)
    }
}
