import CLinux
import Glibc

/// What this computer says of itself without healthd.
struct HostReport {
    /// The socket as the file system has it.
    let socket: SocketFile
    /// What bluetoothd says its version is; nil if none is installed where it is looked for.
    let bluetoothdVersion: String?
    /// What `healthd --check-config` says; nil if there is no healthd beside or in PATH.
    let configuration: ProgramOutput?
    /// What systemd says of healthd and of bluetoothd: `active`, `inactive`, `failed`; none without it.
    let units: [String: String]
    /// The adapters that the kernel has, such as `hci0`.
    let adapters: [String]
    /// The switches that are off: `hci0, by software`.
    let blocked: [String]
    /// Whether the kernel takes its clock for synchronised.
    let isClockSynchronised: Bool
    /// Octets that are free, and all, where the store is; nil if there is no such folder.
    let space: (free: Int, all: Int)?
}

extension HostReport {
    /// Looks at this computer.
    init(socket path: String, store: String?) {
        self.init(
            socket: SocketFile(path), bluetoothdVersion: Self.installedBluetoothd,
            configuration: Self.checkedConfiguration, units: Self.unitStates,
            adapters: folder("/sys/class/bluetooth").filter { !$0.contains(":") },
            blocked: Self.blockedSwitches, isClockSynchronised: Self.isKernelSynchronised,
            space: Self.space(of: store ?? "/var/lib/healthd/healthd.db"))
    }

    private static var unitStates: [String: String] {
        ["healthd", "bluetooth"].reduce(into: [:]) { units, name in
            let words = ProgramOutput(["systemctl", "is-active", name])?.text.split(
                whereSeparator: \.isWhitespace)
            // Without systemd it answers with a sentence.
            units[name] = words?.count == 1 ? words?.first.map(String.init) : nil
        }
    }

    private static let daemons = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd",
        "/usr/lib/bluez/bluetooth/bluetoothd", "bluetoothd",
    ]

    private static var installedBluetoothd: String? {
        daemons.lazy.compactMap { ProgramOutput([$0, "--version"]) }
            .filter { $0.code == 0 }.first?
            .text.split(whereSeparator: \.isWhitespace).last.map(String.init)
    }

    private static var checkedConfiguration: ProgramOutput? {
        let own = link("/proc/self/exe").flatMap { path in
            path.lastIndex(of: "/").map { String(path[...$0]) + "healthd" }
        }
        let places = [own, "healthd", "/usr/sbin/healthd", "/usr/local/sbin/healthd"]
        return places.lazy.compactMap { $0 }.compactMap { ProgramOutput([$0, "--check-config"]) }
            .first
    }

    private static var blockedSwitches: [String] {
        folder("/sys/class/rfkill").compactMap { name in
            let path = "/sys/class/rfkill/\(name)"
            guard line("\(path)/type") == "bluetooth" else { return nil }
            let isHard = line("\(path)/hard") == "1"
            guard isHard || line("\(path)/soft") == "1" else { return nil }
            return "\(line("\(path)/name")), by \(isHard ? "a switch of the computer" : "software")"
        }
    }

    private static var isKernelSynchronised: Bool {
        clinux_is_clock_synchronised() != 0
    }

    private static func space(of store: String) -> (free: Int, all: Int)? {
        let path = store.lastIndex(of: "/").map { String(store[..<$0]) } ?? "."
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return nil }
        let unit = Int(room.f_frsize)
        return (Int(room.f_bavail) * unit, Int(room.f_blocks) * unit)
    }
}

/// A socket as the file system has it, and what that means for the caller.
struct SocketFile {
    /// Its path.
    let path: String
    /// Whether there is something at the path; false also where a folder before it is closed.
    let isThere: Bool
    /// Whether the caller may connect.
    let isOpen: Bool
    /// The name of its group.
    let group: String
    /// Whether the caller is in that group, by what is written in the system's list.
    let isListed: Bool
    /// The caller's name.
    let user: String
}

extension SocketFile {
    /// Looks at the socket.
    init(_ path: String) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        let entry = getgrgid(status.st_gid)
        let group = isThere ? entry.map { String(cString: $0.pointee.gr_name) } ?? "?" : "healthd"
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
        self.init(
            path: path, isThere: isThere, isOpen: isThere && access(path, R_OK | W_OK) == 0,
            group: group, isListed: Self.members(of: group).contains(user), user: user)
    }

    private static func members(of group: String) -> [String] {
        guard var member = getgrnam(group)?.pointee.gr_mem else { return [] }
        var names: [String] = []
        while let name = member.pointee {
            names.append(String(cString: name))
            member += 1
        }
        return names
    }
}

/// The names in a folder, in order; none if it cannot be read.
private func folder(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}

/// The first line of a small file; empty if it cannot be read.
private func line(_ path: String) -> String {
    guard let file = try? Descriptor(reading: path),
        let octets = try? readOctets(from: file.number, atMost: 4096)
    else { return "" }
    return String(decoding: octets.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}

/// Where a link leads; nil if it is none.
private func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { place in
        place.withMemoryRebound(to: CChar.self) {
            $0.baseAddress.map { readlink(path, $0, Int(PATH_MAX)) } ?? -1
        }
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
}
