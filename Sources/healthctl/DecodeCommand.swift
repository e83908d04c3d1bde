import ControlProtocol
import Glibc
import JSON
import Measurements

/// `healthctl decode`: what the octets of a characteristic mean; needs no daemon.
enum DecodeCommand {
    /// The longest line that is decoded; the longest value, 512 octets, is far shorter.
    static let longestLine = 65_536

    /// Prints what the arguments mean, or without any the lines of standard input.
    ///
    /// - Throws: A failure for octets that do not decode, or one of input or output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let words = session.invocation.arguments
        let isBatch = words.isEmpty || words == ["-"]
        return isBatch ? try decodeInput(&session) : try decode(words, &session)
    }

    private static func decode(
        _ words: [String], _ session: inout Session
    ) throws(Failure) -> Int32 {
        let line = DecodedLine(Array(words.joined(separator: " ").utf8)[...])
        let isText = session.format == .text
        if let reason = line.failure(words) {
            if !isText { try session.output.write(json(line, session.format)) }
            throw Failure(reason, exitCode: ExitCode.dataError)
        }
        try session.output.write(isText ? Array(line.text.utf8) : json(line, session.format))
        return ExitCode.success
    }

    private static func json(_ line: DecodedLine, _ format: OutputFormat) throws(Failure) -> [UInt8]
    {
        var json = JSONWriter()
        line.write(to: &json)
        guard format == .jsonPretty else { return json.octets + [UInt8(ascii: "\n")] }
        var parser = JSONParser()
        return indented(try object(json.octets[...], with: &parser))
    }

    private static func decodeInput(_ session: inout Session) throws(Failure) -> Int32 {
        if Environment.isTerminal(STDIN_FILENO) {
            session.remark("reading lines of `<characteristic> <hex>`; Ctrl-D ends them")
        }
        var batch = DecodeBatch(format: session.format)
        var piece: [UInt8] = []
        repeat {
            do throws(SystemError) {
                piece = try readOctets(from: STDIN_FILENO, atMost: 1 << 18)
            } catch {
                throw Failure(
                    "cannot read standard input: \(error.text)", exitCode: ExitCode.inputOutput)
            }
            try session.output.write(batch.decode(piece))
            try session.output.flush()
        } while !piece.isEmpty
        let isFailure = batch.failures > 0 && session.invocation.has(.strictDecode)
        return isFailure ? ExitCode.dataError : ExitCode.success
    }
}

extension DecodedLine {
    /// Why the words do not decode; nil if they do.
    fileprivate func failure(_ words: [String]) -> String? {
        let what = words.first.map { "`\($0)`" } ?? "nothing"
        return switch self {
        case .value: nil
        case .malformed(let name, let reason):
            "\(name.title): \(reason.symbol): \(reason.explanation)"
        case .badHex(let name):
            "\(name.title): bad_hex: the octets are not pairs of hexadecimal digits"
        case .unknownCharacteristic: "unknown_characteristic: \(what) names nothing that is decoded"
        }
    }
}
