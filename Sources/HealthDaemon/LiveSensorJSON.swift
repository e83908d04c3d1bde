internal import BlueZ
internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples

extension RadioSnapshot.Sensor {
    /// Whether a link to it is up.
    private var isConnected: Bool { state == "live" || state == "connected" }

    /// Writes how the sensor fares right now into an object that is open.
    func write(to json: inout JSONWriter, zone: Zone) {
        json.member("state", state)
        json.member("connected", isConnected)
        json.member("paired", isPaired)
        if let adapter { json.member("adapter", adapter) }
        if let rssi { json.member("rssi", rssi) }
        json.member("lastSeen", lastSeen, in: zone)
        json.member("lastFrame", lastFrame, in: zone)
        json.member("links", links)
        json.member("frames", frames)
        json.array("findings") { json in
            for finding in findings { json.object { finding.write(to: &$0) } }
        }
    }
}
