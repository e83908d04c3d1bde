package import Measurements

/// What comes out of a file.
package enum CaptureItem: Equatable, Sendable {
    /// Something a sensor said or something said to it.
    case event(GATTEvent)
    /// Something to be told about the capture.
    case remark(CaptureRemark)
    /// Octets of a recording (.gattlog), as they are in the file or in its gzip.
    case recording([UInt8])
}
