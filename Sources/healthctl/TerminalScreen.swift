import Glibc

/// The whole terminal, drawn anew each time; it is as it was before once this value is gone.
struct TerminalScreen: ~Copyable {
    private var settings: termios?

    /// Takes the terminal: keys come at once and are not shown.
    init() {
        var settings = termios()
        if tcgetattr(STDIN_FILENO, &settings) == 0 {
            self.settings = settings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        Self.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    deinit {
        Self.write("\u{1B}[?25h\u{1B}[?1049l")
        if var settings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    }

    /// Shows as many of the lines as there is room for.
    func show(_ lines: [String]) {
        let rows = Environment.height
        let shown = lines.prefix(max(rows - 1, 1)).map { "\($0)\u{1B}[K\r\n" }.joined()
        Self.write("\u{1B}[?7l\u{1B}[H\(shown)\u{1B}[J\u{1B}[?7h")
    }

    /// The key that was pressed; nil if none is there.
    func key() -> UInt8? {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard settings != nil, poll(&entry, 1, 0) > 0 else { return nil }
        return (try? readOctets(from: STDIN_FILENO, atMost: 1))?.first
    }

    private static func write(_ text: String) {
        do throws(SystemError) {
            try writeOctets(Array(text.utf8), to: STDOUT_FILENO)
        } catch {}
    }
}
