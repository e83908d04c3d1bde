extension FakeSensor {
    /// A continuous oximeter with stored spot checks and a battery.
    package static func oximeter(_ address: String = "C0:FF:EE:00:00:01") -> FakeSensor {
        FakeSensor(
            address: address, name: "VirtOxi", appearance: 0x0C40, advertised: ["1822"],
            services: [.pulseOximeter, .battery, .deviceInformation("VirtOxi")], battery: 88)
    }

    /// A thermometer with stored readings that waits for nobody.
    package static func thermometer(_ address: String = "C0:FF:EE:00:00:02") -> FakeSensor {
        FakeSensor(
            address: address, name: "VirtTemp", appearance: 0x0300, advertised: ["1809"],
            services: [.healthThermometer, .deviceInformation("VirtTemp")], battery: nil)
    }

    /// A chest strap.
    package static func strap(_ address: String = "C0:FF:EE:00:00:03") -> FakeSensor {
        FakeSensor(
            address: address, name: "VirtStrap", appearance: 0x0340, advertised: ["180d"],
            services: [.heartRate, .battery], battery: 61)
    }

    /// Something that offers nothing of health.
    package static func mouse(_ address: String = "C0:FF:EE:00:00:09") -> FakeSensor {
        FakeSensor(
            address: address, name: "Mouse", appearance: 0x03C2, advertised: ["1812"],
            services: [FakeService("1812", [FakeCharacteristic("2a4d", "read", "notify")])],
            battery: nil)
    }
}

extension FakeService {
    /// Pulse Oximeter with everything optional.
    package static let pulseOximeter = FakeService(
        "1822",
        [
            FakeCharacteristic("2a5e", "indicate"),
            FakeCharacteristic("2a5f", "notify"),
            FakeCharacteristic("2a60", "read", value: [0x04, 0x00]),
            FakeCharacteristic("2a52", "write", "indicate"),
        ])

    /// Health Thermometer with a clock of its own.
    package static let healthThermometer = FakeService(
        "1809",
        [
            FakeCharacteristic("2a1c", "indicate"),
            FakeCharacteristic("2a1d", "read", value: [0x02]),
            FakeCharacteristic("2a1e", "notify"),
            FakeCharacteristic("2a21", "read", value: [0x00, 0x00]),
            FakeCharacteristic(
                "2a08", "read", "write", value: [0xE4, 0x07, 0x01, 0x01, 0x00, 0x00, 0x00]),
        ])

    /// Heart Rate.
    package static let heartRate = FakeService(
        "180d",
        [
            FakeCharacteristic("2a37", "notify"),
            FakeCharacteristic("2a38", "read", value: [0x01]),
        ])

    /// Battery, as bluetoothd shows it while another program may read it.
    package static let battery = FakeService(
        "180f", [FakeCharacteristic("2a19", "read", "notify", value: [88])])

    /// Device Information of a model.
    package static func deviceInformation(_ model: String) -> FakeService {
        FakeService(
            "180a",
            [
                FakeCharacteristic("2a29", "read", value: Array("Virtual".utf8)),
                FakeCharacteristic("2a24", "read", value: Array(model.utf8)),
                FakeCharacteristic("2a25", "read", value: Array("0001".utf8)),
                FakeCharacteristic("2a26", "read", value: Array("1.0".utf8)),
            ])
    }
}
