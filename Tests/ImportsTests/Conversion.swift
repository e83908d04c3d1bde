import Foundation
import Imports
import Samples

/// What a converter makes of a file.
struct Conversion {
    /// The lines that it gives, blank ones too.
    var lines: [String] = []
    /// What it said of single lines.
    var remarks: [String] = []
    /// What was not taken, by type or reason.
    var others: [String: Int] = [:]
    /// How many samples became lines.
    var taken: Int?
    /// Why the file could not be read to its end.
    var damage: String?
    /// What the file was taken for.
    var format: ImportConverter.Format?

    /// Converts octets that come in pieces of a size.
    init(_ octets: [UInt8], pieces size: Int = .max, zone: Zone = .utc) {
        var converter = ImportConverter(zone: zone)
        var text: [UInt8] = []
        var rest = octets[...]
        repeat {
            if rest.isEmpty { converter.finish() } else { converter.feed(Array(rest.prefix(size))) }
            let isEnd = rest.isEmpty
            rest = rest.dropFirst(size)
            while let lines = converter.next() { text += lines }
            if isEnd { break }
        } while true
        lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        remarks = converter.takeRemarks()
        (others, taken) = (converter.others, converter.taken)
        (damage, format) = (converter.damage, converter.format)
    }

    /// Converts a text.
    init(_ text: String, pieces size: Int = .max, zone: Zone = .utc) {
        self.init(Array(text.utf8), pieces: size, zone: zone)
    }
}
