internal import DBus
internal import Measurements

extension Pairing {
    /// How long a sensor that sends without a value is waited for, before that counts as working.
    private static let valueless: Int64 = 20_000
    /// Links in a row that end at once, after which the sensor's half of the bond must be gone.
    private static let shortLinkLimit = 3

    /// The sensor is ours from here on, and only a measurement is missing.
    mutating func test(_ subject: PairingSubject, at now: Int64) -> [Action] {
        var subject = subject
        if subject.pair != .notMade, subject.bondFailure == nil { subject.isBonded = true }
        adopted = subject.device
        subject.phase = .testing(.init(linkedAt: subject.device.isConnected ? now : nil))
        let device = subject.device
        var actions = [Action.adopt(device.address, isNew: !subject.wasPaired)]
        if subject.isBonded, !subject.wasPaired {
            subject.isNoted = true
            actions.append(.note(device.address, .paired, ""))
        }
        actions.append(.tell(.progress(step: "test", text: "take a measurement now")))
        if !device.isConnected, subject.wasPaired {
            subject.connect = .pending
            actions.append(
                call(
                    .connect,
                    .device("Connect", at: device.path, patience: PairingSubject.connecting)))
        }
        state = .pairing(subject)
        if let sentence = subject.reading { return actions + succeed(subject, sentence, now) }
        return actions + advance(subject, at: now)
    }

    /// A sensor may hang up as it likes; only what cannot come right ends the wait.
    mutating func advance(
        _ subject: PairingSubject, _ testing: PairingSubject.Testing, at now: Int64
    ) -> [Action] {
        if subject.isGone { return fail(.link(.removed), at: now) }
        if subject.wasPaired,
            testing.shortLinks >= Self.shortLinkLimit
                || subject.connect == .failed(.keyMissing)
        {
            return fail(.bond(.keyMissing(subject.device.address)), at: now)
        }
        if let until = testing.valuelessUntil, now >= until {
            return succeed(subject, "it sends, but without a value as long as nobody wears it", now)
        }
        var testing = testing
        testing.emptyAt = subject.emptyAt(testing.emptyAt, at: now)
        if testing.emptyAt == nil { testing.isEmpty = false }
        if let emptyAt = testing.emptyAt, now >= emptyAt, !testing.isEmpty {
            guard isPatient(subject) else { return empty(subject, at: now) }
            testing.isEmpty = true
        }
        var subject = subject
        subject.phase = .testing(testing)
        state = .pairing(subject)
        return []
    }

    /// A bonded sensor without any object is looked at again at its next link.
    private func isPatient(_ subject: PairingSubject) -> Bool {
        subject.isBonded && subject.device.characteristics.isEmpty
            && PrivateProtocol.name(among: subject.device.services) == nil
    }

    /// A sensor sent a measurement: of the one that is paired, that is what was waited for.
    mutating func measured(
        _ address: DeviceAddress, _ characteristic: BluetoothUUID, _ octets: [UInt8],
        at now: Int64
    ) -> [Action] {
        guard case .pairing(var subject) = state, subject.device.address == address,
            let reading = PairingReading(characteristic, octets)
        else { return [] }
        guard case .testing(var testing) = subject.phase else {
            subject.reading = reading.sentence ?? subject.reading
            state = .pairing(subject)
            return []
        }
        if let sentence = reading.sentence { return succeed(subject, sentence, now) }
        testing.shortLinks = 0
        guard testing.valuelessUntil == nil else { return [] }
        testing.valuelessUntil = min(now + Self.valueless, windowEnd - 1)
        subject.phase = .testing(testing)
        state = .pairing(subject)
        return [.tell(.progress(step: "test", text: "it sends, but no value yet: put it on"))]
    }

    private mutating func succeed(
        _ subject: PairingSubject, _ reading: String, _ now: Int64
    ) -> [Action] {
        let device = subject.device
        var actions: [Action] = []
        var text = "\(device.title) works: \(reading)."
        if !subject.isBonded { text += " It makes no bond; anybody near could read it, too." }
        if !subject.isNoted, !subject.wasPaired {
            let detail = subject.isBonded ? "" : "without a bond"
            actions.append(.note(device.address, .paired, detail))
        }
        trusted = nil
        return actions + end(.done(text), isWorking: true, at: now)
    }
}

/// A measurement as one short sentence.
struct PairingReading: Equatable {
    /// nil if the sensor sent no value, as with no finger in it.
    let sentence: String?

    /// What the octets of a measurement say; nil if they are none.
    init?(_ characteristic: BluetoothUUID, _ octets: [UInt8]) {
        guard let sentence = try? Self.sentence(characteristic, octets) else { return nil }
        self.sentence = sentence.isEmpty ? nil : sentence
    }

    private static func sentence(
        _ characteristic: BluetoothUUID, _ octets: [UInt8]
    ) throws(MalformedValue) -> String? {
        switch characteristic {
        case .plxSpotCheckMeasurement:
            let value = try PLXSpotCheckMeasurement(decoding: octets)
            return oxygen(value.spo2, value.pulseRate)
        case .plxContinuousMeasurement:
            let value = try PLXContinuousMeasurement(decoding: octets)
            return oxygen(value.normal.spo2, value.normal.pulseRate)
        case .temperatureMeasurement, .intermediateTemperature:
            let value = try TemperatureMeasurement(decoding: octets)
            return temperature(value)
        case .heartRateMeasurement:
            let value = try HeartRateMeasurement(decoding: octets)
            return value.heartRate == 0 ? "" : "heart rate \(value.heartRate) /min"
        default: return nil
        }
    }

    private static func oxygen(_ spo2: MedicalFloat, _ pulse: MedicalFloat) -> String {
        guard let spo2 = spo2.number else { return "" }
        return "SpO2 \(spo2) %" + (pulse.number.map { ", pulse \($0) /min" } ?? "")
    }

    private static func temperature(_ value: TemperatureMeasurement) -> String {
        let unit = value.unit == .celsius ? "°C" : "°F"
        return value.temperature.number.map { "\($0) \(unit)" } ?? ""
    }
}
