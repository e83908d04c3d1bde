import ControlProtocol
import JSON

/// `healthctl backup`: writes a copy of the store while the daemon runs.
enum BackupCommand {
    /// Writes the copy into the file that the argument names; no half of it ever has that name.
    ///
    /// - Throws: The daemon's failure, or one of the file.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let path = session.invocation.arguments[0]
        var connection = try session.connect()
        var file = try FreshFile(replacing: path)
        var parser = JSONParser()
        var position = 0
        try connection.send(try session.request())
        while let line = try connection.nextLine() {
            guard case .object(let text) = line else { continue }
            let octets = try chunk(text, at: position, &parser)
            try file.write(octets)
            position += octets.count
        }
        guard connection.details?["size"] == "\(position)" else { throw damaged }
        try file.commit()
        tell(path, position, session)
        return ExitCode.success
    }

    private static func tell(_ path: String, _ size: Int, _ session: Session) {
        session.remark(
            "\(path) holds the store, \(healthctl.size(octets: size))")
        session.remark("to restore it: stop healthd, run healthd --restore \(path), start healthd")
    }

    /// The octets of a piece, which must be the one that comes next.
    static func chunk(
        _ line: ArraySlice<UInt8>, at position: Int, _ parser: inout JSONParser
    ) throws(Failure) -> [UInt8] {
        do {
            try parser.parse(Array(line).span)
            guard try parser.integer("offset") == position, let text = try parser.octets("data"),
                let octets = base64Octets(text)
            else { throw damaged }
            return octets
        } catch {
            throw damaged
        }
    }

    private static var damaged: Failure {
        Failure("the copy came damaged; try again", exitCode: ExitCode.software)
    }
}
