import DBus

/// Start and end of bluetoothd.
extension World {
    /// Shows the objects, step by step, after the name is owned.
    mutating func restart() {
        let plugged = adapters
        adapters = []
        isShown = false
        after(pace.step) { world in
            world.isShown = true
            world.added(
                "/org/bluez", [("org.bluez.AgentManager1", []), ("org.bluez.ProfileManager1", [])])
            world.after(world.pace.step) { world in
                for adapter in plugged { world.plug(adapter) }
            }
        }
    }

    /// What is gone with the process; the kernel goes on connecting to what it shall connect to.
    mutating func endOfProcess() {
        store()
        devices = [:]
        sessions = []
        agents = [:]
        profiles = [:]
        waiting = [:]
        plans = []
        for place in adapters.indices { adapters[place].discoverers = [] }
    }

    /// Takes everything off the bus, as bluetoothd does at SIGTERM.
    mutating func terminate() {
        for path in devices.keys { devices[path]?.connectsByItself = false }
        store()
        for adapter in adapters {
            for device in devices.values where device.adapter == adapter.path {
                linkDown(device.path)
            }
            changed(adapter.path, "org.bluez.Adapter1", [("Powered", .boolean(false))])
        }
        removed("/org/bluez", ["org.bluez.AgentManager1"])
        for adapter in adapters {
            for device in devices.values where device.adapter == adapter.path {
                forget(device.path)
            }
            removed(
                adapter.path, Self.always + ["org.bluez.Adapter1", "org.bluez.GattManager1"])
        }
    }
}
