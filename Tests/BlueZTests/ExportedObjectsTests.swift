import BlueZ
import DBus
import Testing

@Suite struct ExportedObjectsTests {
    private static let owner = ":1.2"

    private func call(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
        from sender: String = owner
    ) -> BusMessage {
        var call = BusMessage.call(
            to: ":1.9", path: path, interface: interface, member: member, body)
        call.serial = 5
        call.sender = sender
        return call
    }

    private func answer(_ call: BusMessage) -> BusMessage? {
        ExportedObjects.handle(call, owner: Self.owner).reply
    }

    @Test func bluetoothdFindsOneProfileWithOurServices() throws {
        let reply = try #require(
            answer(
                call(
                    ExportedObjects.root, "org.freedesktop.DBus.ObjectManager",
                    "GetManagedObjects")))
        #expect(reply.kind == .reply && reply.replySerial == 5 && reply.destination == Self.owner)
        #expect(reply.body.map(\.signature) == ["a{oa{sa{sv}}}"])
        let object = try #require(reply.body.first?.entries?.first)
        #expect(object.key == .objectPath("/org/healthd/profile"))
        let profile = try #require(object.value.entries?.first)
        #expect(profile.key == .string("org.bluez.GattProfile1"))
        #expect(
            profile.value.entries?.first?.value.elements == [
                .string("00001809-0000-1000-8000-00805f9b34fb"),
                .string("0000180d-0000-1000-8000-00805f9b34fb"),
                .string("00001822-0000-1000-8000-00805f9b34fb"),
            ])
    }

    @Test func theProfileHasItsPropertyAlone() {
        let properties = "org.freedesktop.DBus.Properties"
        let profile = BusValue.string("org.bluez.GattProfile1")
        let all = answer(call(ExportedObjects.profile, properties, "GetAll", [profile]))
        #expect(all?.body.first?.entries?.map(\.key) == [.string("UUIDs")])
        let one = answer(
            call(ExportedObjects.profile, properties, "Get", [profile, .string("UUIDs")]))
        #expect(one?.body.map(\.signature) == ["v"] && one?.body.first?.elements?.count == 3)
        for (member, body) in [
            ("Get", [profile, .string("Name")]), ("Get", [.string("org.bluez.Agent1")]),
            ("Set", [profile, .string("UUIDs"), .variant(.boolean(true))]),
        ] {
            #expect(answer(call(ExportedObjects.profile, properties, member, body))?.kind == .error)
        }
    }

    @Test func onlyTheOwnerOfOrgBluezIsServed() {
        let ping = call(
            ExportedObjects.agent, "org.bluez.Agent1", "RequestPasskey",
            [.objectPath("/org/bluez/hci0/dev_1")], from: ":1.3")
        for owner in [nil, ":1.2"] {
            let outcome = ExportedObjects.handle(ping, owner: owner)
            #expect(outcome.reply?.errorName == "org.freedesktop.DBus.Error.AccessDenied")
            #expect(outcome.news == nil)
        }
    }

    @Test func whoWantsNoReplyGetsNone() {
        var release = call(ExportedObjects.agent, "org.bluez.Agent1", "Release")
        release.isReplyUnwanted = true
        let outcome = ExportedObjects.handle(release, owner: Self.owner)
        #expect(outcome.reply == nil && outcome.news == .agentReleased)
    }

    @Test(arguments: [
        ("/org/healthd/agent", "org.bluez.Agent1", "Release", ExportedObjects.News.agentReleased),
        ("/org/healthd/agent", "org.bluez.Agent1", "Cancel", .requestCanceled),
        ("/org/healthd/profile", "org.bluez.GattProfile1", "Release", .profileReleased),
    ])
    func whatBluetoothdLetsGoOfIsTold(
        path: String, interface: String, member: String, news: ExportedObjects.News
    ) {
        let outcome = ExportedObjects.handle(call(path, interface, member), owner: Self.owner)
        #expect(outcome.news == news && outcome.reply?.kind == .reply)
    }

    @Test func everyObjectCanBePingedAndLookedAt() throws {
        let paths = [ExportedObjects.root, ExportedObjects.profile, ExportedObjects.agent]
        for path in paths {
            let ping = answer(call(path, "org.freedesktop.DBus.Peer", "Ping"))
            #expect(ping?.kind == .reply)
            let xml = answer(call(path, "org.freedesktop.DBus.Introspectable", "Introspect"))
            let text = try #require(xml?.body.first?.text)
            #expect(text.hasPrefix("<node>") && text.contains("<interface name="))
        }
    }

    @Test(arguments: [
        ("/nowhere", "org.freedesktop.DBus.Introspectable", "Introspect"),
        ("/org/healthd", "org.freedesktop.DBus.Properties", "GetAll"),
        ("/org/healthd/profile", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
        ("/org/healthd", "org.freedesktop.DBus.ObjectManager", "Other"),
        ("/org/healthd/agent", "org.bluez.Agent1", "RequestEverything"),
        ("/org/healthd/agent", "org.bluez.Agent1", "RequestPasskey"),
        ("/org/healthd/profile", "org.bluez.GattProfile1", "Acquire"),
        ("/org/healthd", "org.freedesktop.DBus.Peer", "GetMachineId"),
    ])
    func whatIsNotThereIsRefused(path: String, interface: String, member: String) {
        let outcome = ExportedObjects.handle(call(path, interface, member), owner: Self.owner)
        #expect(outcome.reply?.kind == .error && outcome.news == nil)
    }

    @Test func theAgentIsRegisteredWithKeysAndDisplay() {
        let call = ExportedObjects.registerAgent
        #expect(call.path == "/org/bluez" && call.destination == "org.bluez")
        #expect(call.arguments == [.objectPath("/org/healthd/agent"), .string("KeyboardDisplay")])
    }

    @Test func theApplicationIsRegisteredWithEachAdapter() {
        let call = ExportedObjects.registerApplication(adapter: "/org/bluez/hci1")
        #expect(call.path == "/org/bluez/hci1" && call.interface == "org.bluez.GattManager1")
        #expect(call.arguments.map(\.signature) == ["o", "a{sv}"])
    }
}
