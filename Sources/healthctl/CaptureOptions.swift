import Captures
import Measurements

extension CommandOption {
    /// What handles are where a capture does not tell.
    static let handles = CommandOption(
        "map", nil, "HANDLE=UUID", help: "what a handle is, such as 0x0010=2a5f; may be repeated")
    /// The device of links whose beginning is missing.
    static let deviceOfUnknownLinks = CommandOption(
        "device", nil, "ADDRESS", help: "whose the links are that a capture begins in the middle of"
    )
}

/// What a person tells about a capture that it does not tell itself.
struct CaptureOptions {
    /// What handles are.
    let handles: HandleMap
    /// The device of links whose beginning is missing.
    let device: DeviceAddress?

    /// What a command line tells.
    ///
    /// - Throws: A usage failure for values that cannot be read.
    init(_ invocation: Invocation) throws(Failure) {
        handles = try Self.handles(invocation[.handles])
        device = try Self.device(invocation[.deviceOfUnknownLinks])
    }

    private static func handles(_ text: String?) throws(Failure) -> HandleMap {
        guard let text else { return HandleMap() }
        guard let map = HandleMap(text) else {
            throw .usage(
                "--map is HANDLE=UUID, such as 0x0010=2a5f, each handle once, not `\(text)`")
        }
        return map
    }

    private static func device(_ text: String?) throws(Failure) -> DeviceAddress? {
        guard let text else { return nil }
        guard let address = DeviceAddress(text) else {
            throw .usage("--device is an address such as 00:1C:05:01:02:03, not `\(text)`")
        }
        return address
    }
}
