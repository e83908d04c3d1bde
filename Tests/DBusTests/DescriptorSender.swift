import DaemonHarness

/// A client that sends somebody a call with a file descriptor in it, which libdbus takes in.
enum DescriptorSender {
    /// Sends the call, and waits until the bus has it.
    static func send(to destination: String, over path: String) throws {
        let process = try ChildProcess(["python3", "-c", program, path, destination])
        guard try process.wait() == .exit(0) else { throw HarnessError(process.errors) }
    }

    /// Source: D-Bus Specification, "Message Format", "Authentication Protocol".
    private static let program = """
        import array, os, socket, struct, sys

        def text(code, kind, value):
            pad = "" if kind == "g" else "I"
            size = struct.pack("<B" if kind == "g" else "<I", len(value))
            return bytes([code, 1]) + kind.encode() + b"\\0" + size + value.encode() + b"\\0"

        def message(serial, fields, body=b"", descriptors=0):
            data = b""
            for field in fields:
                data += b"\\0" * (-len(data) % 8) + text(*field)
            if descriptors:
                data += b"\\0" * (-len(data) % 8) + b"\\x09\\x01u\\0" + struct.pack("<I", 1)
            head = struct.pack("<cBBBIII", b"l", 1, 0, 1, len(body), serial, len(data))
            return head + data + b"\\0" * (-len(data) % 8) + body

        bus = socket.socket(socket.AF_UNIX)
        bus.connect(sys.argv[1])
        bus.sendall(b"\\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\\r\\n")
        bus.recv(4096)
        bus.sendall(b"NEGOTIATE_UNIX_FD\\r\\n")
        bus.recv(4096)
        name = "org.freedesktop.DBus"
        hello = [(1, "o", "/org/freedesktop/DBus"), (6, "s", name), (2, "s", name), (3, "s", "Hello")]
        bus.sendall(b"BEGIN\\r\\n" + message(1, hello))
        bus.recv(4096)
        call = [(1, "o", "/"), (6, "s", sys.argv[2]), (2, "s", "x.Y"), (3, "s", "Open"), (8, "g", "h")]
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))
        bus.sendmsg([message(2, call, b"\\0\\0\\0\\0", 1)], [rights])
        ping = [(1, "o", "/org/freedesktop/DBus"), (6, "s", name), (2, "s", name), (3, "s", "GetId")]
        bus.sendall(message(3, ping))
        while b"u\\x03\\0\\0\\0" not in bus.recv(4096).replace(b"\\0u\\0\\x03", b"u\\x03"): break
        """
}
