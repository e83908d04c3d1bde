/// What a newly read tree says that the one before did not.
extension ObjectTree {
    /// What was there before and is no more, the lowest first.
    func removals(since before: ObjectTree) -> [TreeChange] {
        let characteristics = before.characteristics.values
            .filter { self.characteristics[$0.path]?.uuid != $0.uuid }
        let devices = before.devices.values.filter { self.devices[$0.path] == nil }
        let adapters = before.adapters.values
            .filter { $0.address != nil && self.adapters[$0.path]?.address != $0.address }
        return characteristics.sorted { $0.path < $1.path }.map { .characteristicRemoved($0) }
            + devices.sorted { $0.path < $1.path }.map { .deviceRemoved($0) }
            + adapters.sorted { $0.path < $1.path }.map { .adapterRemoved($0) }
    }

    /// What is left of a change if the tree before already had some of it.
    func differences(of change: TreeChange, since before: ObjectTree) -> [TreeChange] {
        switch change {
        case .adapterAdded(let path): adapterDifferences(path, since: before)
        case .deviceAdded(let path): deviceDifferences(path, since: before)
        case .characteristicAdded(let path):
            characteristics[path] == before.characteristics[path] ? [] : [change]
        case .battery(let device, let percent):
            before.devices[device]?.battery == percent ? [] : [change]
        case .agentManagerAdded: before.hasAgentManager ? [] : [change]
        case .adapterChanged, .adapterRemoved, .deviceChanged, .deviceRemoved,
            .characteristicRemoved, .value, .disconnected:
            []
        }
    }

    private func adapterDifferences(_ path: String, since before: ObjectTree) -> [TreeChange] {
        guard let new = adapters[path] else { return [] }
        guard let old = before.adapters[path], old.address == new.address else {
            return [.adapterAdded(path: path)]
        }
        let named = new.differences(since: old)
        return named.isEmpty ? [] : [.adapterChanged(path: path, named)]
    }

    private func deviceDifferences(_ path: String, since before: ObjectTree) -> [TreeChange] {
        guard let new = devices[path] else { return [] }
        guard let old = before.devices[path] else { return [.deviceAdded(path: path)] }
        let named = new.differences(since: old)
        return named.isEmpty ? [] : [.deviceChanged(path: path, named)]
    }
}

extension AdapterObject {
    fileprivate func differences(since old: AdapterObject) -> Set<AdapterProperty> {
        var named: Set<AdapterProperty> = []
        if isPowered != old.isPowered { named.insert(.isPowered) }
        if isDiscovering != old.isDiscovering { named.insert(.isDiscovering) }
        if hasGattManager != old.hasGattManager { named.insert(.gattManager) }
        return named
    }
}

extension DeviceObject {
    fileprivate func differences(since old: DeviceObject) -> Set<DeviceProperty> {
        var named: Set<DeviceProperty> = []
        if address != old.address { named.insert(.address) }
        if name != old.name { named.insert(.name) }
        if appearance != old.appearance { named.insert(.appearance) }
        if rssi != old.rssi { named.insert(.rssi) }
        if services != old.services { named.insert(.services) }
        if isPaired != old.isPaired || isBonded != old.isBonded { named.insert(.isPaired) }
        if isTrusted != old.isTrusted { named.insert(.isTrusted) }
        if isConnected != old.isConnected { named.insert(.isConnected) }
        if isResolved != old.isResolved { named.insert(.isResolved) }
        return named
    }
}
