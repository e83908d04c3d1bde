import Foundation

/// A program of this package, found beside the test bundle that runs.
package enum BuiltProgram: String {
    /// The daemon.
    case healthd
    /// Its command line client.
    case healthctl
    /// What makes recordings of any length.
    case generator = "gattlog-generator"

    /// Where it was built.
    package var path: String {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent(rawValue).path
    }
}
