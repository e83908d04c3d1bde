import Measurements
import Testing

@testable import healthctl

/// Charts, how much time a column stands for, and what they are made of.
@Suite struct ChartTests {
    private func columns(_ bands: [(Int, Int)?]) -> [Chart.Column?] {
        bands.map { band in
            band.map { Chart.Column(least: DecimalNumber($0), greatest: DecimalNumber($1)) }
        }
    }

    @Test func aBandReachesFromTheLeastToTheGreatestValue() throws {
        let chart = try #require(
            Chart(columns([(90, 97), (90, 90), nil, (97, 97), (94, 95)]), height: 4, .unicode))
        #expect(
            chart.lines == [
                "97 │█  ▀ ",
                "   │█   █",
                "   │█    ",
                "90 │█▄   ",
                "   └── ──",
            ])
    }

    @Test func withoutBlockCharactersARowIsALine() throws {
        let chart = try #require(Chart(columns([(1, 4), nil, (2, 3), (1, 1)]), height: 4, .ascii))
        #expect(chart.lines == ["4 |#   ", "  |# # ", "  |# # ", "1 |#  #", "  +- --"])
    }

    @Test func oneValueAloneIsDrawnAtTheTop() throws {
        let value = DecimalNumber(mantissa: 365, exponent: -1)
        let chart = try #require(
            Chart([Chart.Column(least: value, greatest: value)], height: 2, .ascii))
        #expect(chart.lines == ["36.5 |#", "     | ", "     +-"])
    }

    @Test func valuesWithDifferentDecimalsAreComparedByWhatTheyAre() throws {
        let chart = try #require(
            Chart(
                [
                    Chart.Column(
                        least: DecimalNumber(mantissa: 3650, exponent: -2),
                        greatest: DecimalNumber(38)),
                    Chart.Column(
                        least: DecimalNumber(mantissa: 365, exponent: -1),
                        greatest: DecimalNumber(mantissa: 380, exponent: -1)),
                ], height: 3, .ascii))
        #expect(chart.lines[1] == "      |##")
    }

    @Test func withoutValuesThereIsNoChart() {
        #expect(Chart([nil, nil], height: 4, .unicode) == nil)
        #expect(Chart([], height: 4, .unicode) == nil)
    }

    @Test(
        arguments: [
            (32_400, 71, "10m"), (60, 71, "1s"), (86_400, 71, "30m"), (604_800, 71, "3h"),
            (31_536_000, 71, "6d"), (630_720_000, 71, "106d"), (0, 10, "1s"),
        ] as [(Int64, Int, String)])
    func aColumnStandsForATimeThatPeopleCountIn(seconds: Int64, width: Int, name: String) {
        let start = Instant(milliseconds: 1_700_000_000_000)
        let step = PlotStep(
            of: start...start.advanced(byMilliseconds: seconds * 1000), columns: width)
        #expect(step.name == name)
    }

    @Test func aSeriesOfRowsBecomesColumnsWithGaps() throws {
        var series = PlotSeries()
        let rows = [
            "2026-11-29T22:00:00.000+01:00\t2026-11-29T22:10:00.000+01:00\t60\t0\t90\t97",
            "2026-11-29T22:10:00.000+01:00\t2026-11-29T22:20:00.000+01:00\t0\t0\t\t",
        ]
        let header = "# interval=[-,-) tz=Europe/Berlin type=oxygenSaturation unit=% excluded=0"
        series.take(.remark(Array(header.utf8)[...]))
        for row in rows { series.take(.row(Array(row.utf8)[...])) }
        #expect(series.columns == columns([(90, 97), nil]))
        #expect(series.count == 60)
        #expect(series.ends == "2026-11-29 22:00:00 until 2026-11-29 22:20:00")
    }

    @Test func aSeriesOfSumsStandsOnZero() throws {
        var series = PlotSeries()
        let hour = "2026-11-29T22:00:00.000+01:00\t2026-11-29T23:00:00.000+01:00\t"
        for row in [hour + "2\t0\t812", hour + "0\t0\t"] { series.take(.row(Array(row.utf8)[...])) }
        #expect(series.columns == columns([(0, 812), nil]))
        #expect(series.count == 2)
    }
}
