import CLinux
import Glibc

/// The signals that end a command which else goes on, as a descriptor to wait for.
struct Interruption: ~Copyable {
    private let descriptor: Descriptor

    /// Takes SIGINT, SIGTERM and SIGHUP from now on, and makes a closed pipe an error of writing.
    ///
    /// - Throws: A failure with the reason of the system.
    init() throws(Failure) {
        let descriptor = Descriptor(owning: clinux_signals())
        guard descriptor.number >= 0 else {
            throw Failure("cannot take signals: \(SystemError().text)", exitCode: ExitCode.software)
        }
        self.descriptor = descriptor
        signal(SIGPIPE, SIG_IGN)
        if isIgnored(SIGHUP) { unblock(SIGHUP) }  // as nohup wants it
    }

    /// The descriptor.
    var number: Int32 { descriptor.number }

    /// The signal that came; nil if none did.
    func taken() -> Int32? {
        let signal = clinux_next_signal(number)
        return signal < 0 ? nil : signal
    }
}

private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
}

private func unblock(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
}
