/// Splits text into the fields of its records (RFC 4180), from pieces.
struct DelimitedReader {
    /// The longest record in octets: none of ours has a tenth of it.
    static let longestRecord = 8192

    /// A record, and the line that it begins in.
    struct Record: Equatable {
        let line: Int
        /// The fields; nil if the record is too long.
        let fields: [String]?
        /// How many line ends it holds, its own included.
        let lineEnds: Int
    }

    private var delimiter: UInt8?
    private var record: [UInt8] = []
    private var isQuoted = false
    private var isTooLong = false
    private var line = 1
    private var lineEnds = 0

    /// The records that end in the next octets; at the end also one without a line end.
    mutating func read(_ octets: [UInt8], isEnd: Bool) -> [Record] {
        var records: [Record] = []
        for octet in octets {
            if octet == quote { isQuoted.toggle() }
            let isLineEnd = octet == UInt8(ascii: "\n")
            if isLineEnd { lineEnds += 1 }
            if isLineEnd, !isQuoted { records.append(endRecord()) } else { keep(octet) }
        }
        if isEnd, !record.isEmpty || isTooLong {
            lineEnds += 1
            records.append(endRecord())
        }
        return records
    }

    /// A record that grows too long ends with its line, since a quote may be one too many.
    private mutating func keep(_ octet: UInt8) {
        if record.count >= Self.longestRecord {
            (isTooLong, isQuoted) = (true, false)
        } else {
            record.append(octet)
        }
    }

    private mutating func endRecord() -> Record {
        if record.last == UInt8(ascii: "\r") { record.removeLast() }
        let fields = isTooLong ? nil : split()
        defer {
            line += lineEnds
            (lineEnds, isTooLong) = (0, false)
            record.removeAll(keepingCapacity: true)
        }
        return Record(line: line, fields: fields, lineEnds: lineEnds)
    }

    /// The fields; the first record decides what stands between them.
    private mutating func split() -> [String] {
        let first = record.first { [UInt8(ascii: ","), UInt8(ascii: ";"), tab].contains($0) }
        let delimiter = self.delimiter ?? first ?? UInt8(ascii: ",")
        self.delimiter = delimiter
        var fields: [String] = []
        var field: [UInt8] = []
        var (isInside, wasQuote) = (false, false)
        for octet in record {
            if octet == quote {
                if wasQuote { field.append(quote) }
                wasQuote = isInside
                isInside.toggle()
            } else if octet == delimiter, !isInside {
                fields.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
                wasQuote = false
            } else {
                field.append(octet)
                wasQuote = false
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}

private let quote = UInt8(ascii: "\"")
private let tab = UInt8(ascii: "\t")
