import BlueZ
import DBus
import Measurements
import Testing

@Suite struct ObjectTreeTests {
    private static func tree() -> ObjectTree {
        var script = BusScript()
        script.addHost()
        script.addSensor()
        var tree = ObjectTree()
        _ = tree.replace(managed: script.managed)
        return tree
    }

    private static func changed(
        _ path: String, _ interface: String, _ properties: [(String, BusValue)],
        invalidated: [String] = []
    ) -> BusMessage {
        .signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            [
                .string(interface), .properties(properties),
                .array(of: "s", invalidated.map { .string($0) }),
            ])
    }

    @Test func parentsComeBeforeChildrenWhateverTheOrder() {
        var script = BusScript()
        script.addHost()
        script.addSensor()
        var tree = ObjectTree()
        let changes = tree.replace(managed: script.managed)
        #expect(changes.first == .agentManagerAdded)
        #expect(
            tree.characteristics(of: BusScript.device).map(\.uuid.short) == [
                0x2A1C, 0x2A5E, 0x2A5F, 0x2A60, 0x2A24,
            ])
        #expect(tree.characteristics[BusScript.temperature]?.service == .healthThermometerService)
    }

    @Test func readingTheSameObjectsAgainChangesNothing() {
        var script = BusScript()
        script.addHost()
        script.addSensor()
        var tree = ObjectTree()
        _ = tree.replace(managed: script.managed)
        #expect(tree.replace(managed: script.managed).isEmpty)
    }

    @Test func readingAgainTellsWhatCameWentAndChanged() {
        var script = BusScript()
        script.addHost()
        script.addSensor()
        var tree = ObjectTree()
        _ = tree.replace(managed: script.managed)
        script.objects[BusScript.temperature] = nil
        script.objects[BusScript.device]?[BusScript.device1] = BusScript.properties(connected: true)
        let changes = tree.replace(managed: script.managed)
        #expect(changes.count == 2)
        #expect(changes.last == .deviceChanged(path: BusScript.device, [.isConnected]))
        script.objects = [:]
        #expect(tree.replace(managed: script.managed).count == 6)
        #expect(tree == ObjectTree())
    }

    @Test("A12: an object with hardly any property is an object")
    func absentPropertiesAreNoFault() {
        var tree = ObjectTree()
        let changes = tree.apply(
            .signal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "InterfacesAdded",
                [
                    .objectPath(BusScript.device),
                    BusScript.interfaces([
                        BusScript.device1: [("Address", .string("C0:FF:EE:00:00:01"))]
                    ]),
                ]))
        #expect(changes == [.deviceAdded(path: BusScript.device)])
        #expect(tree.devices[BusScript.device]?.isBonded == nil)
    }

    @Test("A13: a strength that is invalidated is unknown, and the device stays")
    func invalidatedStrengthIsUnknown() {
        var tree = Self.tree()
        _ = tree.apply(Self.changed(BusScript.device, BusScript.device1, [("RSSI", .int16(-60))]))
        #expect(tree.devices[BusScript.device]?.rssi == -60)
        let changes = tree.apply(
            Self.changed(BusScript.device, BusScript.device1, [], invalidated: ["RSSI"]))
        #expect(changes == [.deviceChanged(path: BusScript.device, [.rssi])])
        #expect(tree.devices[BusScript.device]?.rssi == nil)
    }

    @Test func oneSignalMayHoldSeveralProperties() {
        var tree = Self.tree()
        let changes = tree.apply(
            Self.changed(
                BusScript.device, BusScript.device1,
                [("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))]))
        #expect(changes == [.deviceChanged(path: BusScript.device, [.isResolved, .isConnected])])
    }

    @Test func equalValuesAreTwoValues() {
        var tree = Self.tree()
        let signal = Self.changed(
            BusScript.continuous, BusScript.characteristic1, [("Value", .octets([1, 2]))])
        let change = TreeChange.value(path: BusScript.continuous, [1, 2])
        #expect(tree.apply(signal) == [change] && tree.apply(signal) == [change])
    }

    @Test func whatIsBelowAnAdapterGoesWithIt() {
        var tree = Self.tree()
        let changes = tree.apply(
            .signal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "InterfacesRemoved",
                [
                    .objectPath(BusScript.adapter),
                    .array(of: "s", [.string(BusScript.adapter1)]),
                ]))
        #expect(changes.count == 7)
        #expect(tree.devices.isEmpty && tree.characteristics.isEmpty && tree.adapters.isEmpty)
    }

    @Test("A10: no neighbourhood is busy enough to fill the memory")
    func objectsAreLimited() {
        var script = BusScript()
        for number in 0..<3_000 {
            script.objects[BusScript.adapter + "/dev_\(number)"] = [
                BusScript.device1: [
                    ("Address", .string(DeviceAddress(bits: UInt64(number)).description))
                ]
            ]
        }
        script.addSensor(hasObjects: false)
        for number in 0..<1_000 {
            script.objects[BusScript.device + "/service0001/char\(number)"] = [
                BusScript.characteristic1: [BusScript.uuid("2a5f")]
            ]
        }
        var tree = ObjectTree()
        _ = tree.replace(managed: script.managed)
        #expect(tree.devices.count <= ObjectTree.deviceLimit + 1)
        #expect(tree.devices[BusScript.device] != nil)
        #expect(tree.characteristics.count == ObjectTree.characteristicLimit)
    }

    @Test func nonsenseChangesNothing() {
        var tree = Self.tree()
        let before = tree
        let bodies: [[BusValue]] = [
            [], [.string(BusScript.device1)], [.boolean(true), .boolean(false)],
            [.objectPath(BusScript.device), .string("x")],
            [.string(BusScript.characteristic1), .properties([("Value", .string("x"))])],
        ]
        for member in [
            "PropertiesChanged", "InterfacesAdded", "InterfacesRemoved", "Disconnected", "Other",
        ] {
            for body in bodies {
                let signal = BusMessage.signal(
                    path: BusScript.temperature, interface: "x.y", member: member, body)
                #expect(tree.apply(signal).isEmpty)
            }
        }
        #expect(tree == before)
    }
}
