import JSON
import Testing

@testable import healthctl

@Suite struct ReplayAccountTests {
    private func account(_ json: String...) throws -> (ReplayAccount, [String?]) {
        var parser = JSONParser()
        var account = ReplayAccount(name: "night.gattlog")
        var told: [String?] = []
        for text in json { told.append(account.take(try parser.value(of: Array(text.utf8)))) }
        return (account, told)
    }

    private let full = """
        {"class":"replay","lines":1234,"readings":1200,"stored":1198,"duplicate":2,"skipped":3,\
        "undecodable":1,"samples":4790,"skippedBecause":{"damaged":1,"unknownCharacteristic":2}}
        """

    @Test func everythingIsAccountedFor() throws {
        let (account, _) = try account(full)
        #expect(
            account.text(isDryRun: false) == """
                night.gattlog: 1,234 lines, 1,200 readings: 1,198 stored, 2 duplicate; \
                3 skipped (1 damaged, 2 unknown characteristic); 1 undecodable; 4,790 samples
                """)
    }

    @Test func whatThereIsNotIsNotSaid() throws {
        let (account, _) = try account(
            #"{"class":"replay","lines":1,"readings":1,"stored":1,"samples":4}"#)
        #expect(
            account.text(isDryRun: false) == "night.gattlog: 1 line, 1 reading: 1 stored; 4 samples"
        )
        #expect(account.text(isDryRun: true).hasPrefix("night.gattlog (dry run): 1 line"))
        #expect(account.text(isDryRun: true).contains(": 1 new"))
    }

    @Test func damagedLinesAreNamedAndTheRestIsCounted() throws {
        let damaged = #"{"class":"damaged","line":17,"why":"no JSON"}"#
        let (account, told) = try account(
            damaged, #"{"class":"replay","skippedBecause":{"damaged":151}}"#)
        #expect(told == ["night.gattlog:17: no JSON", nil])
        #expect(account.damaged == 151)
        #expect(account.untold == 150)
    }

    @Test func aRemarkOnALineDoesNotMakeItDamaged() throws {
        let remark = #"{"class":"damaged","line":1,"why":"unknown zone"}"#
        let (account, _) = try account(remark, #"{"class":"replay","skipped":0}"#)
        #expect(account.damaged == 0)
        #expect(account.untold == 0)
    }

    @Test func progressIsTheNewestThatWasTold() {
        var account = ReplayAccount(name: "x")
        for line in ["# lines=500 stored=499", "# working", "# lines=1000 stored=998 new=1"] {
            account.take(remark: Array(line.utf8)[...])
        }
        #expect(account.progress == ReplayAccount.Progress(lines: 1000, stored: 998))
    }
}

@Suite struct ReplayProgressTests {
    private let done = ReplayAccount.Progress(lines: 1500, stored: 1499)

    private func progress(size: Int?, isTerminal: Bool) -> ReplayProgress {
        ReplayProgress(name: "/data/night.gattlog", size: size, isTerminal: isTerminal, start: 100)
    }

    @Test func nothingIsSaidInTheFirstSecond() {
        var progress = progress(size: 100, isTerminal: true)
        #expect(progress.text(octets: 50, done, at: 1099) == nil)
        #expect(progress.end() == "")
    }

    @Test func aTerminalShowsABarAndWipesIt() {
        var progress = progress(size: 200, isTerminal: true)
        #expect(
            progress.text(octets: 100, done, at: 1100)
                == "\r\u{1B}[Knight.gattlog [##########----------] 50 %  1,500 lines, 1,499 stored")
        #expect(progress.text(octets: 100, done, at: 1299) == nil)
        #expect(progress.text(octets: 100, done, at: 1300) != nil)
        #expect(progress.end() == "\r\u{1B}[K")
    }

    @Test func elsewhereThereIsALineASecond() {
        var progress = progress(size: 200, isTerminal: false)
        #expect(
            progress.text(octets: 500, done, at: 1100)
                == "/data/night.gattlog: 100 %, 1,500 lines, 1,499 stored\n")
        #expect(progress.text(octets: 500, done, at: 2099) == nil)
        #expect(progress.text(octets: 500, done, at: 2100) != nil)
        #expect(progress.end() == "")
    }

    @Test func aConversionCountsInItsOwnWords() {
        var progress = progress(size: 200, isTerminal: true)
        #expect(progress.text(octets: 10, at: 1099, "7 records") == nil)
        #expect(
            progress.text(octets: 10, at: 1100, "7 records")
                == "\r\u{1B}[Knight.gattlog [#-------------------] 5 %  7 records")
    }

    @Test(arguments: [nil, 0]) func anUnknownSizeHasNoShare(_ size: Int?) {
        var progress = progress(size: size, isTerminal: false)
        #expect(
            progress.text(octets: 9, done, at: 5000)
                == "/data/night.gattlog: 1,500 lines, 1,499 stored\n")
    }
}
