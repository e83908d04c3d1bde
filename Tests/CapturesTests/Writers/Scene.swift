import Captures
import Foundation
import Measurements

/// A scene: what sensors and a host said, as a recording tells it, and as operations of the protocol.
struct Scene {
    /// What happened, in order.
    let events: [GATTEvent]
    /// The devices by address.
    let devices: [DeviceAddress: SceneDevice]

    /// The folder of the scene and of the captures of it.
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Captures")

    /// The scene that is in the folder.
    static func shipped() throws -> Scene {
        let octets = Array(try Data(contentsOf: folder.appending(path: "scene.gattlog")))
        var parser = GattlogParser(origin: .import)
        return Scene(
            events: parser.feed(octets).compactMap { item in
                if case .event(let event, _) = item { event } else { nil }
            })
    }

    /// The scene of these events.
    init(events: [GATTEvent]) {
        self.events = events
        let byAddress = Dictionary(grouping: events, by: \.device.address)
        devices = byAddress.mapValues { SceneDevice(events: $0) }
    }
}

/// One thing that a capture can show.
struct SceneStep {
    enum Kind {
        /// The device advertises, with a name or in the answer to a scan.
        case advertisement(name: String?, rssi: Int, isResponse: Bool)
        /// A link comes up.
        case connect
        /// It goes down.
        case disconnect
        /// An operation of the Attribute Protocol.
        case operation([UInt8], fromSensor: Bool)
    }

    var kind: Kind
    let address: DeviceAddress
    let isRandom: Bool
    /// Microseconds since 1970.
    var time: Int64
}

extension Scene {
    /// The steps of the scene in order of time, with the discovery at each device's first link.
    var steps: [SceneStep] {
        var known: Set<DeviceAddress> = []
        var steps: [SceneStep] = []
        for event in events {
            guard let device = devices[event.device.address] else { continue }
            let isFirst = event.kind == .connect && known.insert(event.device.address).inserted
            steps += device.steps(of: event, discovers: isFirst)
        }
        let order = steps.indices.sorted { (steps[$0].time, $0) < (steps[$1].time, $1) }
        return order.map { steps[$0] }
    }
}
