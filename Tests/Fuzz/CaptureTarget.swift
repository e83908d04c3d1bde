import Captures
import Measurements

/// Takes octets for a capture.
enum CaptureTarget {
    /// Reads them at once and in small pieces: both bring out the same.
    static func take(_ octets: [UInt8]) {
        let whole = CaptureOutcome(octets, inPiecesOf: max(octets.count, 1))
        // Small enough to cut every header, and few enough for a long input.
        let pieces = CaptureOutcome(octets, inPiecesOf: max(7, octets.count / 64))
        precondition(whole == pieces, "where a file is cut into pieces does not matter")
    }
}

/// All that a capture has brought out.
struct CaptureOutcome: Equatable {
    private var events: [GATTEvent] = []
    private var remarks: [CaptureRemark] = []
    private var recording: [UInt8] = []
    private var damage: CaptureDamage?

    /// What comes out of octets that are fed so many at a time.
    init(_ octets: [UInt8], inPiecesOf size: Int) {
        var capture = Capture(deviceOfUnknownLinks: DeviceAddress(bits: 0x001C_0501_0203))
        var start = 0
        while start < octets.count {
            let end = min(octets.count, start + size)
            capture.feed(Array(octets[start..<end]))
            start = end
            guard drain(&capture) else { break }
        }
        let end = capture.finish()
        add(end.output.items)
        damage = end.damage
    }

    /// False once the rest cannot be read.
    private mutating func drain(_ capture: inout Capture) -> Bool {
        do throws(CaptureDamage) {
            while let output = try capture.next() { add(output.items) }
            return true
        } catch {
            return false
        }
    }

    private mutating func add(_ items: [CaptureItem]) {
        for item in items {
            switch item {
            case .event(let event): events.append(event)
            case .remark(let remark): remarks.append(remark)
            case .recording(let octets): recording += octets
            }
        }
    }
}
