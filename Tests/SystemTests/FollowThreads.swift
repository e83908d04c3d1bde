import DaemonHarness
import Foundation
import Synchronization

/// Something that goes on beside a test, on a thread of its own.
final class FollowThreads: Sendable {
    private let running = DispatchGroup()
    private let failure = Mutex<String?>(nil)

    /// Begins something.
    func begin(_ body: @escaping @Sendable () throws -> Void) {
        running.enter()
        let thread = Thread { [self] in
            do { try body() } catch { failure.withLock { $0 = "\(error)" } }
            running.leave()
        }
        thread.start()
    }

    /// Whether something still goes on.
    var isRunning: Bool { running.wait(timeout: .now()) == .timedOut }

    /// Waits for the end of all.
    ///
    /// - Throws: An error if one of them failed.
    func finish() throws {
        running.wait()
        if let failure = failure.withLock({ $0 }) { throw HarnessError(failure) }
    }
}

/// Lines that another thread has gathered.
final class FollowLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// All of them.
    var all: [String] { lines.withLock { $0 } }

    /// Keeps lines.
    func put(_ more: [String]) { lines.withLock { $0 += more } }
}
