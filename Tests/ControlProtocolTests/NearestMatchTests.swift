import ControlProtocol
import Testing

/// Which word was most likely meant.
@Suite struct NearestMatchTests {
    private static let words = [
        "since", "until", "samples", "status", "oxygenSaturation", "bodyTemperature",
    ]

    @Test(arguments: [
        ("sinc", "since"), ("sicne", "since"), ("snice", "since"), ("sinse", "since"),
        ("sampels", "samples"), ("sample", "samples"), ("statsu", "status"), ("SINCE", "since"),
        ("oxygen", "oxygenSaturation"), ("body", "bodyTemperature"),
    ])
    func aSlipIsUnderstood(written: String, meant: String) {
        #expect(nearest(to: written, in: Self.words) == meant)
    }

    @Test(arguments: ["", "x", "xyz", "nicse", "temperature-of-the-body", "ecnis"])
    func whatIsNotNearIsNotGuessed(written: String) {
        #expect(nearest(to: written, in: Self.words) == nil)
    }

    @Test func aWordOfAnyLengthCostsLittle() {
        #expect(nearest(to: String(repeating: "a", count: 1 << 20), in: Self.words) == nil)
    }
}
