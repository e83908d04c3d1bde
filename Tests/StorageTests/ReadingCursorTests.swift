import Measurements
import Samples
import Testing

@testable import Storage

/// How SQLite finds the rows of a cursor.
@Suite struct ReadingCursorTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func plan(
        _ sort: SampleQuery.Sort, _ order: SampleQuery.Order, _ source: ReadingCursor.Source,
        _ match: SampleQuery.Match = .start
    ) throws -> String {
        var query = try store.everything()
        query.sort = sort
        query.order = order
        query.match = match
        let database = try Database(path: store.path, mode: .readOnly)
        let statement = try database.prepare(
            "EXPLAIN QUERY PLAN \(ReadingCursor.sql(query, source, isCount: false))")
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3) ?? "") }
        return lines.joined(separator: "; ")
    }

    @Test(
        arguments: [SampleQuery.Order.ascending, .descending],
        [SampleQuery.Sort.start, .end])
    func rowsComeInOrderOutOfARangeOfTheIndexByStart(
        order: SampleQuery.Order, sort: SampleQuery.Sort
    ) throws {
        #expect(
            try plan(sort, order, sort == .start ? .all : .instants)
                == "SEARCH reading USING INDEX reading_time (stream=? AND <expr>>? AND <expr><?)")
    }

    @Test(arguments: [SampleQuery.Order.ascending, .descending])
    func rowsComeInOrderOutOfARangeOfTheIndexByEnd(order: SampleQuery.Order) throws {
        #expect(
            try plan(.end, order, .lasting)
                == "SEARCH reading USING INDEX reading_end (stream=? AND end>? AND end<?)")
    }

    @Test(arguments: [SampleQuery.Order.ascending, .descending])
    func anOverlapIsReadInOrderToo(order: SampleQuery.Order) throws {
        let plan = try plan(.start, order, .instants, .overlap)
        #expect(plan.hasPrefix("SEARCH reading USING INDEX reading_time"))
        #expect(!plan.contains("TEMP B-TREE"))
    }

    @Test func duplicatesAreFoundByIndex() throws {
        #expect(
            try plan(DuplicateLookup.receivedSQL).filter { $0.hasPrefix("SEARCH") } == [
                "SEARCH reading USING INDEX reading_time (stream=? AND <expr>=?)",
                "SEARCH reading USING INDEX reading_redated (stream=? AND at=?)",
            ])
        #expect(
            try plan(DuplicateLookup.stampedSQL)
                == ["SEARCH reading USING INDEX reading_stamp (stream=? AND stamp=?)"])
    }

    @Test(arguments: [Sealer.rowsSQL, Sealer.nextSQL])
    func whatIsToBeSealedIsFoundByIndexInOrder(sql: String) throws {
        let plan = try plan(sql)
        #expect(plan.count == 1)
        #expect(plan[0].hasPrefix("SEARCH reading USING INDEX reading_time (stream=? AND <expr>>?"))
    }

    private func plan(_ sql: String) throws -> [String] {
        let database = try Database(path: store.path, mode: .readOnly)
        let statement = try database.prepare("EXPLAIN QUERY PLAN \(sql)")
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3) ?? "") }
        return lines
    }
}
