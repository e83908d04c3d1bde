import Foundation

/// A new directory with a short path, which vanishes with this object.
package final class ScratchDirectory {
    /// Its path; a socket in it stays below the 107 octets that an address holds.
    package let path: String

    /// Makes the directory.
    package init() throws {
        var template = Array("/tmp/hd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError.system("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something in it.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file into it and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// The permission bits of something in it.
    package func mode(of name: String) throws -> UInt32 {
        var status = stat()
        guard lstat(path(name), &status) == 0 else { throw HarnessError.system("lstat \(name)") }
        return status.st_mode & 0o7777
    }

    /// Whether something of this name is in it.
    package func holds(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(name), &status) == 0
    }

    /// The names of all that is in a directory inside it.
    package func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(directory)).sorted()
    }
}
