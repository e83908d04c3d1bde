import DaemonHarness
import Measurements
import Samples
import Storage
import Testing

@testable import HealthDaemon

/// What the writer's thread does with live readings.
@Suite struct WriterLoopTests {
    private func intake(_ kind: GATTEvent.Kind, at milliseconds: Int64) -> Intake {
        var assembler = ReadingAssembler(hostZone: .utc)
        let isStream = kind == .notify
        return assembler.handle(
            GATTEvent(
                kind, origin: .ble, device: RemoteDevice(DeviceAddress(bits: 1)),
                characteristic: isStream ? .plxContinuousMeasurement : .temperatureMeasurement,
                value: isStream ? [0, 97, 0, 72, 0] : [0, 0x6D, 0x01, 0x00, 0xFF],
                at: Instant(milliseconds: milliseconds)))
    }

    @Test func aReadingThatMayNotComeAgainIsDurableBeforeTheTurnEnds() throws {
        let running = try RunningWriter()
        running.writer.mailbox.post(.live([intake(.indicate, at: 1)]))
        try waitUntil { running.writer.countersNow.durableCommits == 1 }
        #expect(running.writer.committedSeq == 1)
        #expect(running.writer.countersNow.stored == 1)
        running.stop()
    }

    @Test func aStreamsReadingsWaitForEachOtherUntilSomebodyAsks() throws {
        let running = try RunningWriter()
        running.writer.mailbox.post(.live([intake(.notify, at: 1)]))
        running.writer.mailbox.post(.live([intake(.notify, at: 2)]))
        try waitUntil { running.writer.hasUncommitted }
        #expect(running.writer.committedSeq == 0)
        running.writer.mailbox.post(.commit(7))
        try waitUntil { running.writer.committedSeq == 2 }
        #expect(running.writer.countersNow.durableCommits == 0)
        running.stop()
        #expect(running.writer.countersNow.durableCommits == 1)
    }

    @Test func whileSomebodyFollowsEveryTurnCommits() throws {
        let running = try RunningWriter()
        running.writer.setFollowers(1)
        running.writer.mailbox.post(.live([intake(.notify, at: 1)]))
        try waitUntil { running.writer.committedSeq == 1 }
        running.stop()
    }

    @Test func theEndMakesEverythingDurableAndSaysSoInTheStore() throws {
        let running = try RunningWriter()
        running.writer.mailbox.post(.live([intake(.notify, at: 1), intake(.notify, at: 2)]))
        running.stop()
        let store = try StoreWriter(path: running.path, newEpoch: "other")
        #expect(store.wasClosed)
        #expect(store.committed == 2)
    }
}

/// A writer's loop on a thread of its own, with a store that vanishes.
private struct RunningWriter {
    let writer: Writer
    let path: String
    private let directory: ScratchDirectory
    private let thread: JoinableThread

    init() throws {
        directory = try ScratchDirectory()
        path = directory.path("healthd.db")
        let (path, writer) = (path, try Writer(epoch: "e", newest: 0))
        let answers = try Mailbox<Server.Message>()
        self.writer = writer
        thread = try JoinableThread("writer") {
            do throws(StorageError) {
                let store = try StoreWriter(path: path, newEpoch: "e")
                try store.markOpen()
                var loop = WriterLoop(
                    writer, store, path: path, answers: answers, commitInterval: 600_000)
                loop.run()
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Ends the loop and waits for its end.
    func stop() {
        writer.mailbox.post(.stop)
        thread.join()
    }
}
