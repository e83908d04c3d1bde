internal import CLinux
internal import Glibc

/// The main thread's loop: takes in what sensors say, and signals.
///
/// It touches no file and never waits for the store.
struct Collector: ~Copyable {
    private let signals: Int32
    private let threads: DaemonThreads

    /// A collector that is ended by signals that wait in a signalfd.
    init(signals: Int32, _ threads: DaemonThreads) {
        self.signals = signals
        self.threads = threads
    }

    /// Collects until SIGTERM or SIGINT.
    borrowing func run() {
        var poller = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
        while true {
            _ = poll(&poller, 1, -1)
            switch clinux_next_signal(signals) {
            case SIGTERM, SIGINT: return
            case SIGHUP: threads.reload()
            default: continue
            }
        }
    }
}
