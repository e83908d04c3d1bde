import Captures
import Glibc
import JSON

/// `healthctl convert`: a capture as a recording on standard output; needs no daemon.
enum ConvertCommand {
    /// Converts the file that the argument names, and tells on standard error what it came to.
    ///
    /// What could be read before a damage is written all the same.
    ///
    /// - Throws: A usage failure, or one of the file or of standard output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let options = try CaptureOptions(session.invocation)
        var input = try RecordingInput.opened(session.invocation.arguments[0], options)
        try write(&input, &session)
        try session.output.flush()
        if let account = input.account { tell(account, session) }
        guard let damage = input.damage else { return ExitCode.success }
        throw Failure("\(input.name): \(damage)", exitCode: ExitCode.dataError)
    }

    private static func write(
        _ input: inout RecordingInput, _ session: inout Session
    ) throws(Failure) {
        var progress = progress(of: input, session)
        defer { wipe(&progress) }
        while let octets = try input.next() {
            try session.output.write(piece: octets)
            if session.format == .text {
                let remarks = input.takeRemarks()
                if !remarks.isEmpty { wipe(&progress) }
                remarks.forEach { tell($0, input.name, session) }
            }
            let text = progress?.text(
                octets: input.position, at: Environment.milliseconds,
                count(input.records, "record"))
            if let text { writeToStandardError(text) }
        }
    }

    /// A bar has a place only where the recording goes elsewhere.
    private static func progress(
        of input: borrowing RecordingInput, _ session: Session
    ) -> ReplayProgress? {
        guard !session.isQuiet, Environment.isTerminal(STDERR_FILENO),
            !Environment.isTerminal(STDOUT_FILENO)
        else { return nil }
        return ReplayProgress(
            name: input.name, size: input.size, isTerminal: true, start: Environment.milliseconds)
    }

    private static func wipe(_ progress: inout ReplayProgress?) {
        if let text = progress?.end(), !text.isEmpty { writeToStandardError(text) }
    }

    private static func tell(_ remark: String, _ name: String, _ session: Session) {
        session.remark("\(name): \(remark)")
    }

    private static func tell(_ account: CaptureReport, _ session: Session) {
        guard session.format != .text else { return account.lines.forEach { session.remark($0) } }
        var json = JSONWriter()
        account.write(to: &json)
        json.endLine()
        writeToStandardError(json.text)
    }
}

extension Command {
    /// `healthctl convert`.
    static let convert = Command(
        verb: .convert, arguments: .capture,
        options: [
            .handles, .deviceOfUnknownLinks, .output([.text, .json]),
        ],
        formats: [.text, .json],
        summary: "turn a Bluetooth capture into a recording (.gattlog); needs no daemon",
        details: [
            "The recording goes to standard output, what it came to, as text or as a JSON object, to",
            "standard error. FILE is btsnoop (`btmon -w`, Android's HCI snoop log), pcap or pcapng of",
            "Bluetooth, also in gzip. docs/CAPTURES.md tells what is read and how.",
        ],
        examples: [
            Example(line: "convert btsnoop_hci.log", summary: "Android's log"),
            Example(
                line: "convert sniffed.pcapng --map 0x0010=2a5f --map 0x0020=2a1c",
                summary: "of a device that told its attributes before"),
        ])
}
