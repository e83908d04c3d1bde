import Measurements
import Samples
import Storage

extension NaiveStore {
    /// The feed behind a seq, each record in one line.
    func feed(_ query: NaiveQuery, after seq: Int64) -> [String] {
        log.enumerated().dropFirst(Int(seq)).flatMap { place, happening in
            records(happening, Int64(place) + 1, query)
        }
    }

    private func records(
        _ happening: Happening, _ seq: Int64, _ query: NaiveQuery
    ) -> [String] {
        switch happening {
        case .added(let entry):
            entries.contains { $0.seq == entry.seq } ? lines("add", entry, seq, query) : []
        case .deleted(let entry): lines("delete", entry, seq, query)
        case .moved(_, let entry):
            entries.contains { $0.seq == entry.seq } ? lines("update", entry, seq, query) : []
        case .deletedSpan(let deletion):
            [SampleType.oxygenSaturation, .heartRate].filter(query.types.contains).map {
                "\(seq) delete all \($0) of \(deletion.device) in \(deletion.span)"
            }
        case .assigned(let assignment):
            entries.filter {
                $0.device == assignment.device && assignment.span.contains($0.start)
                    && $0.seq < seq
            }.sorted { ($0.start, $0.seq) < ($1.start, $1.seq) }
                .flatMap { lines("update", $0, seq, query) }
        }
    }

    private func lines(
        _ word: String, _ entry: Entry, _ seq: Int64, _ query: NaiveQuery
    ) -> [String] {
        samples(entry).filter {
            query.types.contains($0.type) && query.qualities.contains($0.quality)
        }.map { sample in
            let place = "\(seq) \(word) \(sample.id) \(sample.type) \(entry.start)"
            return word == "delete" ? place : "\(place) \(subject(of: entry))"
        }
    }

    /// Whose a reading is: of two assignments the later one counts.
    func subject(of entry: Entry) -> String {
        assignments.last { $0.device == entry.device && $0.span.contains(entry.start) }?.subject
            ?? "me"
    }
}

extension TemporaryStore {
    /// The feed behind a seq, page by page, each record in one line.
    func feed(_ filter: FeedFilter, after seq: Int64, rows: Int) throws -> [String] {
        var lines: [String] = []
        var position = FeedPosition(after: seq)
        while true {
            let page = try reader.feed(filter, after: position, rows: rows)
            lines += page.records.map(\.text)
            if page.isEnd { return lines }
            guard page.next != position else { return lines + ["the page does not end"] }
            position = page.next
        }
    }
}

extension FeedRecord {
    /// The record in one line.
    var text: String {
        switch event {
        case .added(let stored): "\(seq) add \(stored.text)"
        case .updated(let stored): "\(seq) update \(stored.text)"
        case .deleted(let sample):
            "\(seq) delete \(sample.id) \(sample.type) \(sample.start.afterNoon)"
        case .deletedSpan(let span): "\(seq) delete all \(span.type) of \(span.text)"
        }
    }
}

extension StoredSample {
    fileprivate var text: String {
        "\(id) \(sample.type) \(reading.measuredFrom.afterNoon) \(subject)"
    }
}

extension DeletedSpan {
    fileprivate var text: String {
        "\(device.address.suffix(1)) in \(interval.start.afterNoon..<interval.end.afterNoon)"
    }
}

extension Instant {
    fileprivate var afterNoon: Int64 { milliseconds - noon.milliseconds }
}
