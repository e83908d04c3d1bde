import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// The fake bluetoothd against what the real one was seen to say.
@Suite struct FakeBlueZTests {
    private static let oximeter = "C0:FF:EE:00:00:01"

    /// A fake bluetoothd and a client that hears all of its signals.
    private struct Stage {
        let fake: FakeBlueZ
        let client: BusClient
        let path: String

        init(_ sensor: FakeSensor = .oximeter()) throws {
            let bus = try PrivateBus()
            fake = try FakeBlueZ(on: bus, sensor)
            client = try BusClient(bus)
            path = fake.path(sensor.address)
            try client.askBus("AddMatch", .string("type='signal',path_namespace='/org/bluez'"))
            try client.askBus("AddMatch", .string("type='signal',path='/'"))
        }

        func call(
            _ member: String, _ interface: String = "Device1", on path: String? = nil,
            _ arguments: [BusValue] = []
        ) throws -> [BusValue] {
            try client.call(
                .call(
                    to: "org.bluez", path: path ?? self.path, interface: "org.bluez.\(interface)",
                    member: member, arguments))
        }

        func trust() throws {
            _ = try client.call(
                .call(
                    to: "org.bluez", path: path, interface: "org.freedesktop.DBus.Properties",
                    member: "Set",
                    [.string("org.bluez.Device1"), .string("Trusted"), .variant(.boolean(true))]))
        }

        /// What the signals so far say, in short, until one that says this.
        func story(until end: String) throws -> [String] {
            var story: [String] = []
            while story.last != end {
                story.append(
                    try client.first { $0.kind == .signal && $0.member != "NameAcquired" }.short)
            }
            return story
        }
    }

    @Test("A bluetoothd that starts before the bus has seen the end of the last one owns the name")
    func theNameIsOwnedThoughTheBusIsSlow() throws {
        let bus = try PrivateBus()
        let fake = try FakeBlueZ(on: bus)
        for _ in 0..<5 {
            bus.freeze()
            // The bus reads 2 KiB of a connection at a time, and sees its end after all of them.
            for number in 0..<60 {
                let padding = String(repeating: "x", count: 1_000)
                fake.say(
                    .signal(
                        path: "/", interface: "org.example.Flood", member: "Number\(number)",
                        [.string(padding)]))
            }
            fake.kill()
            bus.thaw()
            try fake.start()
            let client = try BusClient(bus)
            let owner = try client.askBus("GetNameOwner", .string("org.bluez"))
            #expect(owner.first?.text?.isEmpty == false)
            let ping = BusMessage.call(
                to: "org.bluez", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
            #expect(try client.call(ping).isEmpty)
        }
    }

    @Test func theFirstLinkIsToldAsInTheTranscript() throws {
        let stage = try Stage()
        stage.fake.wake(Self.oximeter)
        _ = try stage.call("StartDiscovery", "Adapter1", on: FakeBlueZ.adapter)
        _ = try stage.call("StopDiscovery", "Adapter1", on: FakeBlueZ.adapter)
        _ = try stage.call("Connect")
        let story = try stage.story(until: "+Battery1")
        #expect(
            story == [
                "Adapter1 Discovering=true", "+Device1", "Device1 !RSSI",
                "Adapter1 Discovering=false", "Device1 Connected=true",
            ] + story[5..<(story.count - 2)] + ["Device1 UUIDs ServicesResolved=true", "+Battery1"])
        #expect(story[5..<(story.count - 2)].allSatisfy { $0.hasPrefix("+Gatt") })
        let services = FakeSensor.oximeter().services
        #expect(story.count - 7 == services.reduce(0) { $0 + 1 + $1.characteristics.count })
    }

    @Test func aKnownLinkIsToldAsInTheTranscript() throws {
        let stage = try Stage()
        stage.fake.know(Self.oximeter, isExported: true)
        _ = try stage.story(until: "+GattCharacteristic1 2a26")
        stage.fake.wake(Self.oximeter)
        _ = try stage.call("Connect")
        #expect(
            try stage.story(until: "+Battery1") == [
                "Device1 Connected=true", "Device1 ServicesResolved=true", "+Battery1",
            ])
        stage.fake.drop(Self.oximeter)
        #expect(
            try stage.story(until: "-Battery1") == [
                "Device1 ServicesResolved=false Connected=false", "-Battery1",
            ])
    }

    @Test func ourDisconnectIsToldInTwoSignals() throws {
        let stage = try Stage()
        stage.fake.know(Self.oximeter, isExported: true)
        _ = try stage.story(until: "+GattCharacteristic1 2a26")
        stage.fake.wake(Self.oximeter)
        _ = try stage.call("Connect")
        _ = try stage.story(until: "+Battery1")
        let notify = stage.fake.path(of: "2a5f", in: Self.oximeter)
        let serial = stage.client.connection.send(
            .call(
                to: "org.bluez", path: stage.path, interface: "org.bluez.Device1",
                member: "Disconnect"))
        let error = #expect(throws: BusError.self) {
            try stage.call("StartNotify", "GattCharacteristic1", on: notify)
        }
        #expect(error?.name == "org.bluez.Error.NotConnected")
        _ = try stage.client.first { $0.replySerial == serial }
        #expect(
            try stage.story(until: "Device1 Connected=false") == [
                "-Battery1", "Device1 ServicesResolved=false", "Device1 Connected=false",
            ])
    }

    @Test func aSessionStandsOverLinksAndTellsSoByItsError() throws {
        let stage = try Stage()
        stage.fake.know(Self.oximeter, isExported: true)
        let notify = stage.fake.path(of: "2a5f", in: Self.oximeter)
        _ = try stage.call("StartNotify", "GattCharacteristic1", on: notify)
        let error = #expect(throws: BusError.self) {
            try stage.call("StartNotify", "GattCharacteristic1", on: notify)
        }
        #expect(error == BusError(name: "org.bluez.Error.InProgress", text: "In Progress"))
        stage.fake.wake(Self.oximeter)
        _ = try stage.call("Connect")
        try stage.fake.waitUntilArmed("2a5f", of: Self.oximeter)
        _ = try stage.call("StartNotify", "GattCharacteristic1", on: notify)
        #expect(stage.fake.send([0, 97, 0, 60, 0], of: "2a5f", from: Self.oximeter))
        let value = try stage.client.first { $0.short.hasPrefix("GattCharacteristic1 Value") }
        #expect(value.path == notify)
    }

    @Test func aReadEchoesAsASignalBeforeItsReply() throws {
        let stage = try Stage()
        stage.fake.know(Self.oximeter, isExported: true)
        stage.fake.wake(Self.oximeter)
        _ = try stage.call("Connect")
        try stage.fake.waitUntilConnected(Self.oximeter)
        let features = stage.fake.path(of: "2a60", in: Self.oximeter)
        let reply = try stage.call(
            "ReadValue", "GattCharacteristic1", on: features, [.properties([])])
        #expect(reply == [.octets([0x04, 0x00])])
        #expect(stage.client.others.contains { $0.short == "GattCharacteristic1 Value" })
    }

    @Test func aKillIsSilentAndAStopTakesEverythingBack() throws {
        let stage = try Stage()
        stage.fake.know(Self.oximeter)
        _ = try stage.story(until: "+Device1")
        stage.fake.kill()
        try stage.fake.start()
        // Nothing was taken back; the new one shows its objects step by step.
        #expect(
            try stage.story(until: "+Device1") == ["+AgentManager1", "+Adapter1", "+Device1"])
        stage.fake.terminate()
        #expect(
            try stage.story(until: "-Adapter1") == [
                "Adapter1 Powered=false", "-AgentManager1", "-Device1", "-Adapter1",
            ])
    }

    @Test func anUntrustedUnpairedSensorIsForgottenAfterItsLink() throws {
        let stage = try Stage()
        stage.fake.setPace { $0.forgetting = .milliseconds(5) }
        stage.fake.wake(Self.oximeter)
        stage.fake.show(Self.oximeter)
        _ = try stage.call("Connect")
        try stage.fake.waitUntilConnected(Self.oximeter)
        stage.fake.sleep(Self.oximeter)
        _ = try stage.client.first { $0.short == "-Device1" }

        stage.fake.show(Self.oximeter)
        try stage.trust()
        stage.fake.wake(Self.oximeter)
        _ = try stage.call("Connect")
        stage.fake.sleep(Self.oximeter)
        #expect(stage.fake.isTrusted(Self.oximeter) == true)
    }
}

extension BusMessage {
    /// A signal in a few words: `+Device1`, `-Device1`, `Device1 Connected=true`.
    fileprivate var short: String {
        switch member {
        case "InterfacesAdded":
            let interface = body.last?.entries?.first
            let name = Self.last(interface?.key.text)
            let uuid = interface?.value.entries?.first { $0.key.text == "UUID" }?.value.text
            let isCharacteristic = name == "GattCharacteristic1"
            return "+" + name + (isCharacteristic ? " " + (uuid?.prefix(8).suffix(4) ?? "") : "")
        case "InterfacesRemoved":
            return "-" + shortest(body.last?.elements?.compactMap(\.text) ?? [])
        default: return Self.last(body.first?.text) + changes
        }
    }

    private func shortest(_ interfaces: [String]) -> String {
        interfaces.first { $0.hasPrefix("org.bluez") }.map { Self.last($0) } ?? ""
    }

    private var changes: String {
        let changed = (body.dropFirst().first?.entries ?? []).map { entry in
            let value = entry.value.bool.map { "=\($0)" } ?? ""
            return " \(entry.key.text ?? "")\(value)"
        }
        let invalidated = (body.last?.elements ?? []).map { " !\($0.text ?? "")" }
        return (changed + invalidated).joined()
    }

    private static func last(_ name: String?) -> String {
        (name?.split(separator: ".").last).map(String.init) ?? ""
    }
}
