import BlueZ
import DBus
import Measurements
import Testing

private let oximeter = PairingDevice.oximeter
private let adapter = PairingScript.adapter

@Suite struct PairingSearchTests {
    @Test("C6: the filter is set before each start of a search, and for Low Energy")
    func theFilterGoesBeforeEachStart() throws {
        var script = PairingScript()
        script.open()
        script.reply(.startDiscovery(adapter), "org.bluez.Error.Failed", "Operation failed")
        script.pass(1000)
        let searches = script.steps.filter { $0 != .stopDiscovery(adapter) }
        #expect(
            searches == [
                .setFilter(adapter), .startDiscovery(adapter), .setFilter(adapter),
                .startDiscovery(adapter),
            ])
        let filter = try #require(script.calls(.setFilter(adapter)).first)
        #expect(filter.arguments == [.properties([("Transport", .string("le"))])])
    }

    @Test("C1: InProgress from StartDiscovery means that the search runs")
    func aSearchInProgressIsHeld() {
        var script = PairingScript()
        script.open()
        script.reply(
            .startDiscovery(adapter), "org.bluez.Error.InProgress", "Operation already in progress")
        script.handle(.adapter(.searching))
        script.pass(60_000)
        #expect(script.steps.count { $0 == .startDiscovery(adapter) } == 1)
        #expect(script.pairing.searchingAdapters == [adapter])
    }

    @Test("C1: a search that is held but does not run is started again")
    func aSearchThatOnlySaysSoIsStartedAgain() {
        var script = PairingScript()
        script.open()
        script.reply(.startDiscovery(adapter), "org.bluez.Error.InProgress", "")
        script.pass(3001)
        #expect(
            script.steps.suffix(3) == [
                .stopDiscovery(adapter), .setFilter(adapter), .startDiscovery(adapter),
            ])
    }

    @Test(
        "C2: every answer to StopDiscovery means that the search has ended",
        arguments: [
            ("org.bluez.Error.Failed", "No discovery started"), ("org.bluez.Error.NotReady", ""),
            (BusError.noReply, ""), ("org.freedesktop.DBus.Error.UnknownObject", ""),
        ])
    func anyAnswerEndsTheSearch(name: String, text: String) {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.reply(.startDiscovery(adapter))
        script.handle(.device(oximeter))
        script.reply(.trust)
        script.reply(.stopDiscovery(adapter), name, text)
        #expect(script.steps.last == .pair)
    }

    @Test("C2: a search that is only starting is ended after it has started")
    func aSearchThatIsStartingIsEndedAfterIt() {
        var script = PairingScript(.init(address: PairingScript.address))
        script.open()
        script.handle(.cancel)
        #expect(script.ending == "cancelled" && !script.isClosed)
        script.reply(.startDiscovery(adapter))
        #expect(script.steps.last == .stopDiscovery(adapter) && !script.isClosed)
        script.reply(.stopDiscovery(adapter), "org.bluez.Error.InProgress", "")
        script.pass(500)
        #expect(script.steps.count { $0 == .stopDiscovery(adapter) } == 2)
        script.reply(.stopDiscovery(adapter))
        #expect(script.isClosed)
    }

    @Test("C3: a controller that refuses to search is tried less and less often, and named")
    func aSearchThatIsRefusedIsNamed() {
        var script = PairingScript(.init(window: 120_000))
        script.open()
        for _ in 0..<120 {
            script.reply(.startDiscovery(adapter), "org.bluez.Error.Failed", "Operation failed")
            script.pass(1000)
        }
        #expect((5...8).contains(script.steps.count { $0 == .startDiscovery(adapter) }))
        #expect(script.ending == "failed" && script.lastWords.contains("Operation failed"))
    }

    @Test("C4: a search that ends by itself is started again")
    func aSearchThatEndsIsStartedAgain() {
        var script = PairingScript()
        script.open()
        script.reply(.startDiscovery(adapter))
        script.handle(.adapter(.searching))
        script.handle(.adapter(.on))
        script.pass(1000)
        #expect(script.steps.count { $0 == .startDiscovery(adapter) } == 2)
    }

    @Test("C5: what others search for is no candidate")
    func strangersAreNotShown() {
        var script = PairingScript()
        script.open()
        script.handle(
            .device(
                oximeter.with {
                    $0.services = []; $0.name = "Kitchen speaker"
                }))
        #expect(script.candidates.isEmpty && script.questions.isEmpty)
    }

    @Test("C7: devices that are known already are candidates")
    func whatIsKnownAlreadyIsLookedAtFirst() {
        var script = PairingScript()
        script.open(devices: [oximeter])
        #expect(script.candidates.map(\.address) == [PairingScript.address])
    }

    @Test(
        "C10: appearance or name tell a sensor that does not advertise its service",
        arguments: [
            (0x0C40, nil), (0x0C41, nil), (0x0300, nil), (0x0341, nil), (nil, "A&D_UT201BLE_1234"),
            (nil, "Nonin3230_501"), (nil, "Polar H10 1234"),
        ] as [(UInt16?, String?)])
    func aSensorIsKnownByOtherSigns(appearance: UInt16?, name: String?) {
        var script = PairingScript()
        script.open()
        script.handle(
            .device(
                oximeter.with {
                    $0.services = []; $0.appearance = appearance; $0.name = name
                }))
        #expect(script.candidates.count == 1)
    }

    @Test func aCandidateIsToldAgainOnlyWhenItHasChangedMuch() {
        var script = PairingScript()
        script.open()
        for rssi in [-50, -57, -43, -58, -58] {
            script.handle(.device(oximeter.with { $0.rssi = rssi }))
        }
        #expect(script.candidates.map(\.rssi) == [-50, -58])
        script.handle(
            .device(
                oximeter.with {
                    $0.rssi = -58; $0.name = "VirtOxi 2"
                }))
        #expect(script.candidates.last?.name == "VirtOxi 2")
    }

    @Test func candidatesAreLimited() {
        var script = PairingScript()
        script.open()
        for number in 0..<1000 {
            script.handle(.device(.numbered(number)))
        }
        for round in 0..<1000 {
            script.handle(.device(.numbered(0).with { $0.rssi = round % 2 == 0 ? -90 : -30 }))
        }
        #expect(Set(script.candidates.map(\.address)).count == 32)
        #expect(script.candidates.count == 300)
    }

    @Test("D14: a sensor that is not heard is told with what may be the cause")
    func nobodyHeard() {
        for (wish, words) in [
            (PairingWish(), "No sensor was heard"),
            (PairingWish(address: PairingScript.address), "C0:FF:EE:00:00:01 was not heard"),
        ] {
            var script = PairingScript(wish)
            script.open()
            script.reply(.startDiscovery(adapter))
            script.handle(.adapter(.searching))
            script.pass(120_000)
            script.reply(.stopDiscovery(adapter))
            #expect(script.ending == "noSuchDevice" && script.isClosed)
            #expect(script.lastWords.contains(words) && script.lastWords.contains("phone"))
        }
    }

    @Test("B10: of two adapters the one that holds the bond pairs")
    func theAdapterWithTheBondIsTaken() {
        var other = AdapterObject(path: "/org/bluez/hci1")
        other.isPowered = true
        var there = PairingDevice(
            path: "/org/bluez/hci1/dev_C0_FF_EE_00_00_01", adapter: other.path,
            address: PairingScript.address)
        there.isPaired = true
        var script = PairingScript(.init(address: PairingScript.address))
        script.open(adapters: [.on, other], devices: [oximeter.with { $0.rssi = -20 }, there])
        script.settle()
        #expect(script.calls(.trust).map(\.path) == [there.path])
    }

    @Test func anAdapterThatComesMeanwhileSearchesToo() {
        var other = AdapterObject(path: "/org/bluez/hci1")
        other.isPowered = true
        var script = PairingScript()
        script.open()
        script.handle(.adapter(other))
        #expect(script.steps.last == .startDiscovery(other.path))
    }

    @Test(arguments: [-5, 0, 1, Int64.max])
    func theWindowIsNeitherEndlessNorOverAtOnce(window: Int64) {
        var script = PairingScript(.init(window: window))
        script.open()
        script.reply(.startDiscovery(adapter))
        script.handle(.adapter(.searching))
        script.pass(4999)
        #expect(script.ending == nil)
        script.pass(600_000)
        #expect(script.ending == "noSuchDevice")
    }
}

extension AdapterObject {
    static let searching: AdapterObject = {
        var adapter = AdapterObject.on
        adapter.isDiscovering = true
        return adapter
    }()
}

extension PairingDevice {
    fileprivate static func numbered(_ number: Int) -> PairingDevice {
        var device = PairingDevice(
            path: "\(PairingScript.adapter)/dev_\(number)", adapter: PairingScript.adapter,
            address: DeviceAddress(bits: UInt64(number)))
        device.services = [.heartRateService]
        device.rssi = -70
        return device
    }
}
