import BlueZ
import DBus
import Measurements
import Testing

/// The tests of the collector's role in the Health Thermometer Profile.
@Suite struct ThermometerConformanceTests {
    private static let reading: [UInt8] = [0x00, 0x6C, 0x01, 0x00, 0xFF]

    @Test(
        "TP/THS/CO/BV-01-I to BV-11-I: services and characteristics are found in any order of handles"
    )
    func everyOrderOfHandlesWillDo() {
        let offers = ProfileSensor.thermometer.offers
        for turn in offers.indices {
            let turned = Array(offers[turn...] + offers[..<turn])
            var sensor = ProfileSensor([
                ProfileSensor.deviceInformation, ("1809", turned),
                ("fff0", [("fff1", ["notify"], [])]),
            ])
            sensor.wake()
            #expect(sensor.armed() == ["2a1c", "2a1e", "2a21"])
        }
    }

    @Test("TP/THS/CO/BV-13-I, BV-14-I: manufacturer, model and System ID are read")
    func deviceInformationIsRead() {
        var sensor = ProfileSensor([ProfileSensor.thermometer, ProfileSensor.deviceInformation])
        sensor.wake()
        for (number, octets) in [
            ("2a29", Array("Maker".utf8)), ("2a24", Array("Model".utf8)),
            ("2a23", [1, 2, 3, 4, 5, 6, 7, 8]),
        ] {
            #expect(sensor.events(number).map(\.kind) == [.read])
            #expect(sensor.events(number).map(\.value) == [octets])
        }
    }

    @Test("TP/THF/CO/BV-01-I, BV-04-I, BV-08-I: indications and notifications are told apart")
    func eachValueHasItsKind() {
        var sensor = ProfileSensor([ProfileSensor.thermometer])
        sensor.wake()
        sensor.send("2a1c", Self.reading)
        sensor.send("2a1e", Self.reading)
        sensor.send("2a21", [30, 0])
        #expect(sensor.events("2a1c").map(\.kind) == [.indicate])
        #expect(sensor.events("2a1e").map(\.kind) == [.notify])
        #expect(sensor.events("2a21").map(\.kind) == [.read, .indicate])
    }

    @Test("TP/THF/CO/BV-03: ten indications in a row are ten readings, equal ones too")
    func everyIndicationIsKept() {
        var sensor = ProfileSensor([ProfileSensor.thermometer])
        sensor.wake()
        for _ in 0..<10 { sensor.send("2a1c", Self.reading) }
        #expect(sensor.events("2a1c").map(\.value) == Array(repeating: Self.reading, count: 10))
    }

    @Test("TP/THF/CO/BV-10-I, BV-13-I: interval and type are read")
    func intervalAndTypeAreRead() {
        var sensor = ProfileSensor([ProfileSensor.thermometer])
        sensor.wake()
        #expect(sensor.events("2a21").map(\.value) == [[60, 0]])
        #expect(sensor.events("2a1d").map(\.value) == [[2]])
    }

    @Test("TP/THF/CO/BV-14: after a reconnection readings come without a word of ours")
    func reconnectionNeedsNothing() {
        var sensor = ProfileSensor([ProfileSensor.thermometer])
        sensor.wake()
        sensor.script.dropped()
        _ = sensor.script.look()
        sensor.script.connected()
        sensor.send("2a1c", Self.reading)
        #expect(sensor.script.actions.members.isEmpty)
        #expect(sensor.events("2a1c").map(\.value) == [Self.reading])
    }

    @Test func aThermometerWithTheMandatoryCharacteristicAloneWillDo() {
        var sensor = ProfileSensor([("1809", [("2a1c", ["indicate"], [])])])
        sensor.wake()
        sensor.send("2a1c", Self.reading)
        #expect(sensor.armed() == ["2a1c"] && sensor.events("2a1c").count == 1)
    }
}

/// The tests of the collector's role in the Pulse Oximeter Profile.
@Suite struct OximeterConformanceTests {
    private static let record: [UInt8] = [0x02, 0x61, 0x00, 0x3E, 0x00, 0x00, 0x02]

    private func woken() -> ProfileSensor {
        var sensor = ProfileSensor([ProfileSensor.oximeter, ProfileSensor.deviceInformation])
        sensor.wake()
        return sensor
    }

    @Test("like TP/GLD/CO/BV-01 to 12, TP/GLF/CO/BV-09: each characteristic is found and armed")
    func eachCharacteristicIsArmed() {
        let sensor = woken()
        #expect(sensor.armed() == ["2a5e", "2a5f", "2a52", "2a60"])
    }

    @Test("like TP/GLF/CO/BV-13: features are read before anything is asked of the sensor")
    func featuresComeFirst() {
        let sensor = woken()
        let calls = sensor.script.actions.members.filter {
            ["ReadValue", "WriteValue"].contains($0)
        }
        #expect(calls.prefix(2) == ["ReadValue", "WriteValue"])
        #expect(sensor.events("2a60").map(\.value) == [[0x04, 0x00]])
    }

    @Test("like TP/GLF/CO/BV-10: spot checks are indications, continuous values notifications")
    func eachValueHasItsKind() {
        var sensor = woken()
        sensor.send("2a5e", Self.record)
        sensor.send("2a5f", [0, 97, 0, 62, 0])
        #expect(sensor.events("2a5e").map(\.kind) == [.indicate])
        #expect(sensor.events("2a5f").map(\.kind) == [.notify])
    }

    @Test("like TP/SPN, TP/SPR/CO/BV-01: stored records are counted, then all are reported")
    func storedRecordsAreCountedAndReported() {
        var sensor = woken()
        #expect(sensor.writes("2a52") == [[4, 1]])
        sensor.send("2a52", [5, 0, 2, 0])
        #expect(sensor.writes("2a52") == [[4, 1], [1, 1]])
        sensor.send("2a5e", Self.record)
        sensor.send("2a5e", Self.record)
        sensor.send("2a52", [6, 0, 1, 1])
        #expect(sensor.events("2a5e").map(\.value) == [Self.record, Self.record])
        #expect(sensor.script.actions.notes.contains(.recordsFetched))
    }

    @Test(
        "like TP/SPE/CO/BI-01 to 03: an answer that something is not supported ends the procedure")
    func refusalsEndTheProcedure() {
        for answer: [UInt8] in [[6, 0, 1, 2], [6, 0, 1, 4], [6, 0, 1, 9]] {
            var sensor = woken()
            sensor.send("2a52", [5, 0, 2, 0])
            sensor.send("2a52", answer)
            sensor.script.pass(120_000)
            #expect(sensor.writes("2a52").count == 2)
            #expect(sensor.script.actions.notes.contains(.recordsRefused))
        }
    }

    @Test("like TP/SPE/CO/BI-04: a sensor that never answers is asked again at the next link only")
    func aSensorThatNeverAnswersIsLeftAlone() {
        var sensor = woken()
        sensor.script.pass(120_000)
        #expect(sensor.writes("2a52") == [[4, 1]])
        sensor.script.dropped()
        sensor.wake()
        #expect(sensor.writes("2a52") == [[4, 1], [4, 1]])
    }

    @Test("like TP/GLF/CO/BV-14: after a reconnection readings come without a word of ours")
    func reconnectionNeedsNothing() {
        var sensor = woken()
        sensor.script.dropped()
        _ = sensor.script.look()
        sensor.script.connected()
        sensor.send("2a5e", Self.record)
        #expect(sensor.script.actions.members.isEmpty && sensor.events("2a5e").count == 1)
    }
}

/// The tests of the collector's role in the Heart Rate Profile.
@Suite struct HeartRateConformanceTests {
    private func woken() -> ProfileSensor {
        var sensor = ProfileSensor([ProfileSensor.strap, ProfileSensor.deviceInformation])
        sensor.wake()
        return sensor
    }

    @Test("TP/HRD/CO/BV-01-I, TP/HRF/CO/BV-03-I: the service is found and its measurement armed")
    func theMeasurementIsArmed() {
        var sensor = woken()
        sensor.send("2a37", [0, 72])
        #expect(sensor.armed() == ["2a37"])
        #expect(sensor.events("2a37").map(\.kind) == [.notify])
    }

    @Test("TP/HRD/CO/BV-10-I: the manufacturer is read")
    func theManufacturerIsRead() {
        #expect(woken().events("2a29").map(\.value) == [Array("Maker".utf8)])
    }

    @Test("TP/HRF/CO/BI-03-I: a reserved Body Sensor Location is kept, and nothing is written")
    func aReservedLocationIsKept() {
        let sensor = woken()
        #expect(sensor.events("2a38").map(\.value) == [[99]])
        #expect(!sensor.script.actions.members.contains("WriteValue"))
    }
}
