import Measurements
import Samples
import Testing

@testable import ControlProtocol

@Suite struct SampleRowWriterTests {
    /// Rows as they follow from the columns alone, each by itself.
    private func naiveRow(_ line: SampleLine, _ zone: Zone) -> String {
        let times = [line.start, line.end].map { $0.text(offset: zone.offset(at: $0)) }
        let columns =
            times + [
                line.type.rawValue, line.value?.description ?? "", line.unit.rawValue, line.device,
                line.subject, line.site ?? "", line.modality.rawValue, line.quality.rawValue,
                line.timeQuality.name, line.source, "\(line.first).\(line.index)", "\(line.seq)",
            ]
        return columns.joined(separator: "\t") + "\n"
    }

    private func line(at milliseconds: Int64, lasting: Int64 = 0) -> SampleLine {
        SampleLine(
            first: 7, index: 0, seq: 8, type: .oxygenSaturation,
            start: Instant(milliseconds: milliseconds),
            end: Instant(milliseconds: milliseconds + lasting), value: DecimalNumber(97),
            absent: nil, unit: .percent, device: "00:1C:05:01:02:03", subject: "me", site: nil,
            modality: .continuous, quality: .ok, timeQuality: .received, source: "replay",
            status: .none, isAmbiguous: false)
    }

    private func expectNaiveRows(_ lines: [SampleLine], _ zone: Zone) {
        var writer = SampleRowWriter(zone: zone)
        for line in lines {
            var row: [UInt8] = []
            writer.append(line, to: &row)
            #expect(String(decoding: row, as: UTF8.self) == naiveRow(line, zone))
        }
    }

    /// Berlin's summer time of 2026 ends at 01:00 UTC; Amsterdam left its own mean time, 19 min 32 s
    /// before Greenwich, in 1937 and Paris its, at 23:50:39 UTC, in 1911.
    @Test(arguments: [
        ("UTC", 1_767_225_600_000), ("Europe/Berlin", 1_792_890_000_000),
        ("Asia/Kathmandu", 0), ("America/St_Johns", -1), ("Europe/Paris", -1_855_958_961_000),
        ("Europe/Amsterdam", -1_025_741_972_000),
    ])
    func timesAroundATransitionAreThoseOfEachAlone(name: String, center: Int64) throws {
        let zone = try #require(Zone(named: name))
        let steps: [Int64] = [0, 1, 999, 1000, 38_000, 59_999, 60_000, 61_001, 3_600_000]
        let times = (steps + steps.map { -$0 }).flatMap { [center + $0, center - 1, center] }
        expectNaiveRows(times.map { line(at: $0) }, zone)
        expectNaiveRows(times.map { line(at: $0, lasting: 61_000) }, zone)
    }

    @Test func whatChangesFromRowToRowIsWrittenAnew() throws {
        var lines: [SampleLine] = []
        let changes: [(inout SampleLine) -> Void] = [
            { $0.first = 123_456 }, { $0.index = 17 }, { $0.seq = 1 << 40 },
            { $0.type = .heartRate }, { $0.value = DecimalNumber("36.60") }, { $0.value = nil },
            { $0.unit = .perMinute }, { $0.device = "EC:21:E5:D8:40:1B" }, { $0.subject = "ada" },
            { $0.site = "ear" }, { $0.site = nil }, { $0.modality = .strap },
            { $0.quality = .questionable }, { $0.timeQuality = .mapped }, { $0.source = "ble" },
        ]
        for change in changes {
            lines.append(lines.last ?? line(at: 0))
            change(&lines[lines.count - 1])
        }
        expectNaiveRows(lines + lines.reversed(), .utc)
    }
}
