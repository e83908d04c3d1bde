import Foundation
import Testing

/// A recording that is shipped, and the answers that are right for it.
struct Recording: CustomTestStringConvertible {
    /// Its name without an ending.
    let name: String

    /// Where all of them are.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Recordings").path

    /// All that are shipped, by name.
    static let all: [Recording] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (files ?? []).sorted().filter { $0.hasSuffix(".gattlog") }.map { file in
            Recording(name: String(file.dropLast(".gattlog".count)))
        }
    }()

    /// The recording's file in the folder.
    var fileName: String { "\(name).gattlog" }

    /// The recording's file.
    var path: String { "\(Self.folder)/\(fileName)" }

    /// The file with the right answers beside it.
    var golden: String { "\(Self.folder)/\(name).expected" }

    var testDescription: String { name }
}
