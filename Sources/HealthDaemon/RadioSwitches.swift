internal import BlueZ
internal import Glibc

/// The kernel's switches for radios, as sysfs shows them.
///
/// The collector touches no file that can keep it waiting; these are memory of the kernel.
struct RadioSwitches {
    private let folder: String

    /// Switches that are looked at: a machine has one for each radio, and one of its maker.
    private static let limit = 64

    /// The switches that a folder lists.
    init(_ folder: String = "/sys/class/rfkill") {
        self.folder = folder
    }

    /// Whether Bluetooth radios are kept off; `unknown` where the kernel shows no switch of one.
    var bluetooth: RadioBlock {
        let blocks = names.compactMap { block("\(folder)/\($0)") }
        if blocks.contains(.hard) { return .hard }
        if blocks.contains(.soft) { return .soft }
        return blocks.isEmpty ? .unknown : .none
    }

    private func block(_ path: String) -> RadioBlock? {
        guard SmallFile.text(at: "\(path)/type") == "bluetooth" else { return nil }
        if SmallFile.text(at: "\(path)/hard") == "1" { return .hard }
        return SmallFile.text(at: "\(path)/soft") == "1" ? .soft : RadioBlock.none
    }

    private var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < Self.limit, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
