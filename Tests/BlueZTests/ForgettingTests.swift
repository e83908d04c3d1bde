import BlueZ
import DBus
import Measurements
import Testing

@Suite struct ForgettingTests {
    private static let address = DeviceAddress(bits: 0xC0FF_EE00_0001)

    private static func device(_ adapter: String) -> DeviceObject {
        DeviceObject(path: "/org/bluez/\(adapter)/dev_C0_FF_EE_00_00_01", address: address)
    }

    private func ending(_ actions: [Forgetting.Action]) -> String? {
        for case .tell(let message) in actions {
            switch message {
            case .done: return "done"
            case .failed(let failure, _): return "\(failure)"
            case .candidate, .ask, .progress: break
            }
        }
        return nil
    }

    @Test func eachAdapterThatKnowsTheSensorForgetsIt() {
        var forgetting = Forgetting(Self.address)
        let calls = forgetting.begin([Self.device("hci0"), Self.device("hci1")])
        let arguments = calls.compactMap {
            if case .call(_, let call) = $0 { "\(call.path) \(call.member)" } else { nil }
        }
        #expect(arguments == ["/org/bluez/hci0 RemoveDevice", "/org/bluez/hci1 RemoveDevice"])
        #expect(forgetting.handle(.removed(Self.device("hci1").path, nil)).isEmpty)
        let end = forgetting.handle(.removed(Self.device("hci0").path, nil))
        #expect(ending(end) == "done" && end.last == .close)
        #expect(end.contains(.note(.forgotten, "")))
    }

    @Test func replyAndSignalComeInAnyOrder() {
        let path = Self.device("hci0").path
        for events in [
            [Forgetting.Event.removed(path, nil), .deviceRemoved(path)],
            [.deviceRemoved(path), .removed(path, nil)],
            [.deviceRemoved(path), .removed(path, BusError(name: BusError.noReply))],
        ] {
            var forgetting = Forgetting(Self.address)
            var actions = forgetting.begin([Self.device("hci0")])
            for event in events { actions += forgetting.handle(event) }
            #expect(ending(actions) == "done")
            #expect(actions.count { $0 == .close } == 1)
        }
    }

    @Test func whatIsGoneAlreadyIsForgotten() {
        for name in ["org.bluez.Error.DoesNotExist", "org.freedesktop.DBus.Error.UnknownObject"] {
            var forgetting = Forgetting(Self.address)
            _ = forgetting.begin([Self.device("hci0")])
            let end = forgetting.handle(
                .removed(Self.device("hci0").path, BusError(name: name)))
            #expect(ending(end) == "done")
        }
    }

    @Test func aSensorThatIsNotKnownIsNamed() {
        var forgetting = Forgetting(Self.address)
        let actions = forgetting.begin([])
        #expect(ending(actions) == "noSuchDevice" && actions.last == .close)
    }

    @Test func aRefusalIsToldInBluetoothdsWords() {
        var forgetting = Forgetting(Self.address)
        _ = forgetting.begin([Self.device("hci0")])
        let error = BusError(name: "org.bluez.Error.Failed", text: "Failed")
        let end = forgetting.handle(.removed(Self.device("hci0").path, error))
        #expect(ending(end) == "failed" && "\(end)".contains("org.bluez.Error.Failed: Failed"))
        #expect(!end.contains(.note(.forgotten, "")))
    }

    @Test("A3: bluetoothd that ends in between is told")
    func bluetoothdsEndIsTold() {
        var forgetting = Forgetting(Self.address)
        _ = forgetting.begin([Self.device("hci0")])
        let end = forgetting.handle(.bluetoothdLost)
        #expect(ending(end) == "bluetoothdAbsent" && end.last == .close)
    }
}
