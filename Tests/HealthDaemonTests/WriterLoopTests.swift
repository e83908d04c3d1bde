import BlueZ
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

    @Test func whatIsOldIsSealedByItself() throws {
        let running = try RunningWriter()
        let old = (0..<64).map { intake(.notify, at: 1_700_000_000_000 + $0 * 1000) }
        running.writer.mailbox.post(.live(old))
        running.stop()
        let store = try StoreReader(path: running.path)
        #expect(try store.newestSeq() == 64)
        #expect(try store.checkSummaries(behind: 0).blocks == 1)
    }

    @Test(arguments: [
        ("keep = 30d", 1, 64), ("keep = forever", 65, 64), ("summaries = drop", 65, 64),
    ])
    func whatIsOlderThanTheConfigurationWantsIsDropped(
        retention: String, left: Int, counted: Int
    ) throws {
        let running = try RunningWriter(retention: retention)
        let old = (0..<64).map { intake(.notify, at: 1_700_000_000_000 + $0 * 1000) }
        running.writer.mailbox.post(.live(old + [intake(.notify, at: Clock.now.milliseconds)]))
        running.stop()
        let store = try StoreReader(path: running.path)
        let query = SampleQuery(types: [.heartRate], newest: try store.newestSeq())
        #expect(try store.page(of: query, after: nil, limit: .max).samples.count == left)
        var scan = StatisticsScan(
            StatisticsQuery(
                .heartRate,
                [
                    DateInterval(
                        start: Instant(milliseconds: 1_699_999_200_000),
                        end: Instant(milliseconds: 1_700_001_000_000))
                ], newest: try store.newestSeq()))
        while !scan.isDone { try scan.proceed(store) }
        #expect(scan.result.groups[.all]?[0]?.statistics.count == counted)
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
private final class RunningWriter {
    let writer: Writer
    /// What the loop tells the collector.
    let collector: Mailbox<Collector.Message>
    let path: String
    private let directory: ScratchDirectory
    private let thread: JoinableThread

    /// A loop with the lines of a section `[retention]`, or without.
    init(retention: String? = nil) throws {
        let configuration = try Configuration(commitInterval: 600_000, retention: retention)
        directory = try ScratchDirectory()
        path = directory.path("healthd.db")
        let (path, writer) = (path, try Writer(epoch: "e", newest: 0))
        let answers = try Mailbox<Server.Message>()
        let collector = try Mailbox<Collector.Message>()
        self.writer = writer
        self.collector = collector
        thread = try JoinableThread("writer") {
            do throws(StorageError) {
                let store = try StoreWriter(path: path, newEpoch: "e")
                try store.markOpen()
                var loop = WriterLoop(
                    writer, store, path: path, answers: answers, collector: collector,
                    configuration)
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

/// What the writer tells the collector of the readings that a sensor may then delete.
@Suite struct PersistTests {
    private func reading(at milliseconds: Int64) -> Intake {
        var assembler = ReadingAssembler(hostZone: .utc)
        return assembler.handle(
            GATTEvent(
                .notify, origin: .ble, device: RemoteDevice(DeviceAddress(bits: 1)),
                characteristic: .plxContinuousMeasurement, value: [0, 97, 0, 72, 0],
                at: Instant(milliseconds: milliseconds)))
    }

    private func persisted(_ running: RunningWriter, _ number: UInt64) throws -> Bool? {
        running.writer.mailbox.post(.persist(PersistID(number: number)))
        var result: Bool?
        try waitUntil {
            for case .persisted(let id, let isDone) in running.collector.take()
            where id.number == number {
                result = isDone
            }
            return result != nil
        }
        return result
    }

    @Test func whatCameBeforeIsOnTheDisk() throws {
        let running = try RunningWriter()
        running.writer.mailbox.post(.live([reading(at: 1), reading(at: 2)]))
        #expect(try persisted(running, 1) == true)
        #expect(running.writer.committedSeq == 2)
        #expect(running.writer.countersNow.durableCommits == 1)
        running.stop()
    }

    @Test func whatWasGivenUpIsNotOnTheDisk() throws {
        let running = try RunningWriter()
        let many = (0...LiveBacklog.readingLimit).map { reading(at: Int64($0)) }
        running.writer.mailbox.post(.live(many))
        #expect(try persisted(running, 1) == false)
        #expect(running.writer.countersNow.lost == 1)
        #expect(try persisted(running, 2) == true)
        running.stop()
    }

    @Test func entriesOfTheLedgerAreKeptInOrderWithReadings() throws {
        let running = try RunningWriter()
        let row = LedgerRow(
            at: Instant(milliseconds: 5), device: DeviceAddress(bits: 1), event: "link-up",
            detail: "")
        running.writer.mailbox.post(.note(row))
        #expect(try persisted(running, 1) == true)
        running.stop()
        let reader = try StoreReader(path: running.path)
        let id = try reader.devices().first?.id
        let rows = try reader.ledger(
            of: id, from: Instant(milliseconds: 0), until: Instant(milliseconds: 10))
        #expect(rows == [row])
    }
}

extension Configuration {
    /// The defaults, with how long readings wait for each other in ms.
    init(commitInterval: Int64, retention: String? = nil) throws {
        if let retention {
            try self.init(parsing: "[retention]\n\(retention)")
        } else {
            self.init()
        }
        self.commitInterval = commitInterval
    }
}
