import DBus
import Measurements
import Testing

@testable import BlueZ

@Suite struct PairingWordsTests {
    private static let address = DeviceAddress(bits: 1)

    private static let failures: [PairingFailure] =
        [
            .busy, .bluetoothdAbsent, .noAdapter, .adaptersOff, .adapterLost, .notPermitted,
            .bluetoothdLost(isBonded: false), .bluetoothdLost(isBonded: true),
            .cancelled(isBonded: false), .cancelled(isBonded: true),
        ].map(PairingFailure.environment)
        + [.refused("why"), .notHeard(address), .nothingHeard, .notChosen]
        .map(PairingFailure.search)
        + [
            .notKept("why"), .wrongNumber, .numbersDiffer, .notTyped, .saidNo, .nobodyAnswered,
            .calledOff, .otherPairing, .timedOut, .windowOver, .notInPairingMode("why"),
            .keyMissing(address),
        ].map(PairingFailure.bond)
        + [
            .vanished, .noLink("why"), .noServices("why"),
            .privateProtocol("its own", isBonded: false),
            .privateProtocol("its own", isBonded: true), .noHealthService(isBonded: false),
            .noHealthService(isBonded: true), .removed, .noReading(address),
            .noReadingUnbonded("why"),
        ].map(PairingFailure.link)

    @Test func eachFailureHasWordsOfItsOwn() {
        let texts = Self.failures.map(\.text)
        #expect(Set(texts).count == texts.count)
    }

    @Test func eachFailureIsAWholeSentence() {
        for text in Self.failures.map(\.text) {
            #expect(text.first?.isUppercase == true)
            #expect(!text.contains("  ") && text.count > 30)
        }
    }

    @Test(
        arguments: [
            ("2a5f", "0061003e00", "SpO2 97 %, pulse 62 /min"),
            ("2a5f", "006100ff07", "SpO2 97 %"), ("2a5f", "00ff07ff07", nil),
            ("2a5e", "00610048000", nil), ("2a5e", "0061004800", "SpO2 97 %, pulse 72 /min"),
            ("2a1c", "006c0100ff", "36.4 °C"), ("2a1e", "01ce0300ff", "97.4 °F"),
            ("2a1c", "00ffff7f00", nil), ("2a37", "0048", "heart rate 72 /min"),
            ("2a37", "0000", nil),
        ] as [(String, String, String?)])
    func aReadingIsSaidInOneSentence(uuid: String, hex: String, sentence: String?) throws {
        let uuid = try #require(BluetoothUUID(uuid))
        guard let octets = hexOctets(hex.utf8) else { return #expect(sentence == nil) }
        #expect(PairingReading(uuid, octets)?.sentence == sentence)
    }

    @Test func whatIsNoMeasurementIsNoReading() {
        #expect(PairingReading(.batteryLevel, [100]) == nil)
        #expect(PairingReading(.plxContinuousMeasurement, [0, 97]) == nil)
    }

    @Test(
        "D5: each error of bluetoothd has its meaning, and a new one is told word by word",
        arguments: [
            ("org.bluez.Error.Failed", "br-connection-key-missing", PairingError.keyMissing),
            ("org.bluez.Error.Failed", "br-connection-canceled", .attemptCanceled),
            ("org.bluez.Error.Failed", "le-connection-adapter-not-powered", .adapterOff),
            ("org.bluez.Error.Failed", "Operation already in progress", .inProgress),
            ("org.bluez.Error.InProgress", "In Progress", .inProgress),
            ("org.bluez.Error.DoesNotExist", "", .gone),
            (
                "org.bluez.Error.ConnectionAttemptFailed", "Page Timeout",
                .transient("org.bluez.Error.ConnectionAttemptFailed: Page Timeout")
            ),
            ("com.example.New", "", .transient("com.example.New")),
        ])
    func anErrorMeansWhatBluetoothdMeansByIt(name: String, text: String, error: PairingError) {
        #expect(PairingError(BusError(name: name, text: text)) == error)
    }
}
