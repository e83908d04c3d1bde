internal import CLinux
internal import Glibc
internal import Synchronization

/// Messages from any thread to one that polls: a list, and a descriptor that wakes its owner.
final class Mailbox<Message: Sendable>: Sendable {
    /// What to poll for input.
    let descriptor: Int32
    private let messages = Mutex<[Message]>([])

    init() throws(SystemError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw SystemError("cannot make an eventfd") }
    }

    deinit { close(descriptor) }

    /// Puts a message in and wakes the owner.
    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Takes all messages out, oldest first.
    func take() -> [Message] {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        return messages.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Waits until a message is there, at most until a deadline on the monotonic clock.
    func wait(until deadline: MonotonicTime?) {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&poller, 1, deadline?.pollTimeout ?? -1)
    }
}
