import JSON
import Testing

@testable import healthctl

@Suite struct AccountTests {
    private func value(_ text: String) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.value(of: Array(text.utf8))
    }

    @Test func aDeletionNamesReadingsSamplesAndTypes() throws {
        let account = try value(
            #"{"class":"deleted","readings":1,"samples":1234,"types":{"heartRate":1200,"batteryLevel":34}}"#
        )
        #expect(
            DeleteCommand.text(account)
                == "1 reading with 1,234 samples (heartRate 1,200, batteryLevel 34)")
    }

    @Test func aMetricHasALine() throws {
        let metrics = try value(#"{"class":"metrics","uptime":12,"rate":0.5}"#)
        #expect(
            MetricsCommand.text(metrics, isColored: false)
                == "METRIC  VALUE\nuptime     12\nrate      0.5\n")
    }

    @Test func rightsAreToldByTypeBelowTheUsers() throws {
        let objects = try [
            #"{"class":"access","user":"1000","right":"read","why":"group health"}"#,
            #"{"class":"access","type":"heartRate","read":"authorized","write":"notDetermined","why":"w"}"#,
        ].map(value)
        #expect(
            AccessCommand.text(objects, isColored: false) == """
                user 1000 has right read: group health

                TYPE       READ        WRITE           WHY
                heartRate  authorized  not determined  w

                """)
    }

    @Test func aReadingIsExplainedFromItsOctetsOn() throws {
        let account = try value(
            #"{"class":"explain","id":"5.0","seq":5,"device":"d","characteristic":"2a19","octets":"61","received":"2026-11-29T22:00:00.000+01:00","stamp":null,"ordinal":0,"timeQuality":"received","why":["Because."],"decoded":{},"samples":[]}"#
        )
        let text = ExplainCommand.text(account, isColored: false)
        #expect(text.hasPrefix("id              5.0\n"))
        #expect(text.contains("\noctets          61\n"))
        #expect(!text.contains("device's time"))
        #expect(text.contains("\nWhy:\n  Because.\n"))
        #expect(text.contains("97"))
    }
}
