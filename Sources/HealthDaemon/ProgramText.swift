internal import Glibc

/// The code of the program and of its libraries, as it is mapped into memory.
enum ProgramText {
    /// Gives back the pages that only the start has used; what runs again comes back by itself.
    ///
    /// Without this they count as memory of the daemon for as long as it runs: about 8 MB.
    static func release() {
        for range in ranges(inMaps: SmallFile.text(at: "/proc/self/maps") ?? "") {
            let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// Where code of files lies, which is never written; other pages would lose what they hold.
    ///
    /// - Parameter maps: The content of /proc/PID/maps.
    /// - Returns: Addresses, in the order of the file.
    ///
    /// Source: proc_pid_maps(5).
    static func ranges(inMaps maps: String) -> [Range<UInt>] {
        maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, fields[1] == "r-xp", fields[5].contains("/") else {
                return nil
            }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
        }
    }
}
