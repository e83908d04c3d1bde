import ControlProtocol
import Measurements

/// What the header of a reply tells: `# interval=[…,…) tz=… type=… unit=… excluded=12`.
struct ReplyHeader {
    private let words: [String: String]

    /// The header that a line holds; nil for another remark.
    init?(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line.dropFirst(), as: UTF8.self)
        guard case .ok(let words)? = ReplyEnd("OK\(text)"), words["interval"] != nil else {
            return nil
        }
        self.words = words
    }

    /// The zone of the times.
    var zone: String? { words["tz"] }

    /// The type of the samples, or the types with commas.
    var type: String { words["type"] ?? "" }

    /// The unit of the values, or the units with commas.
    var unit: String { words["unit"] ?? "" }

    /// The names of the columns of rows; empty where the reply has no names for them.
    var columns: [String] { words["columns"]?.split(separator: ",").map(String.init) ?? [] }

    /// The ends of the interval; nil where it has none.
    var interval: (start: Instant?, end: Instant?) {
        let ends = (words["interval"] ?? "").dropFirst().dropLast()
            .split(separator: ",", omittingEmptySubsequences: false)
            .map { Instant(rfc3339: Array($0.utf8)) }
        return (ends.first ?? nil, ends.last ?? nil)
    }

    /// How many samples the interval holds that the reply does not, for their quality.
    var excluded: Int { words["excluded"].flatMap { Int($0) } ?? 0 }

    /// What is worth saying about a reply with this many samples, a line each.
    func remarks(samples: Int) -> [String] {
        let none = (samples == 0 ? ["no samples\(intervalInWords)"] : []) + unsplitInWords
        switch excluded {
        case 0: return none
        case 1: return none + ["1 sample left out for its quality: show it with --quality all"]
        default:
            let left = "\(grouped(excluded)) samples left out for their quality"
            return none + ["\(left): show them with --quality all"]
        }
    }

    /// Samples of which only the sum of a quarter of an hour is left, where an edge cuts it.
    private var unsplitInWords: [String] {
        guard let unsplit = words["unsplit"].flatMap({ Int($0) }) else { return [] }
        return [
            "\(count(unsplit, "sample")) left out, which are only kept as sums of quarter hours: "
                + "ask for whole ones"
        ]
    }

    private var intervalInWords: String {
        let ends = (words["interval"] ?? "").dropFirst().dropLast()
            .split(separator: ",", omittingEmptySubsequences: false).map { ClockText(String($0)) }
        let from = ends.first?.map { " from \($0.dateTime)" } ?? ""
        let until = ends.last?.map { " until \($0.dateTime)" } ?? ""
        return from + until
    }
}
