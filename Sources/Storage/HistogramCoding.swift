internal import Samples

extension Histogram {
    /// How the counts of a histogram are written.
    private enum Form: UInt8 {
        /// The count of each number from the least on, 0 included.
        case dense = 0
        /// The distance to each next number, and its count.
        case sparse = 1
    }

    /// Octets of a histogram in a summary: with the rest of the row it must fit in a quarter of a page.
    static let encodedLimit = 768

    /// The histogram in a few octets; nil where they are more than `encodedLimit`, or there is nothing.
    ///
    /// The form, what all numbers are multiples of, and the least one's multiple, then the counts, all
    /// as varints: a sensor that sends whole percents as tenths needs one octet a percent.
    var encoded: [UInt8]? {
        let entries = entries
        guard let least = entries.first?.number, let greatest = entries.last?.number else {
            return nil
        }
        let step = entries.reduce(0) { Self.commonDivisor($0, $1.number.magnitude) }
        let unit = Int64(max(step, 1))
        let (width, isTooWide) = (greatest / unit).subtractingReportingOverflow(least / unit)
        let isDense = !isTooWide && width < Int64(entries.count * 2)
        var octets = [(isDense ? Form.dense : .sparse).rawValue]
        octets.append(varint: UInt64(unit))
        octets.append(varint: (least / unit).zigzag)
        Self.append(entries, unit, isDense, to: &octets)
        return octets.count <= Self.encodedLimit ? octets : nil
    }

    private static func append(
        _ entries: [(number: Int64, count: Int)], _ unit: Int64, _ isDense: Bool,
        to octets: inout [UInt8]
    ) {
        var next = entries[0].number / unit
        for (number, count) in entries {
            let multiple = number / unit
            if isDense {
                octets.append(contentsOf: repeatElement(0, count: Int(multiple - next)))
                next = multiple + 1
            } else {
                octets.append(varint: UInt64(multiple - next))
                next = multiple
            }
            octets.append(varint: UInt64(count))
        }
    }

    private static func commonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// The histogram that octets hold; nil if they hold none.
    init?(encoded octets: [UInt8]) {
        do throws(BlockDamage) {
            var reader = VarintReader(octets)
            guard let form = Form(rawValue: try reader.octet()) else { return nil }
            let unit = Int64(bitPattern: try reader.varint())
            let least = try reader.difference()
            let counts = try Self.counts(&reader, from: least, form)
            var entries: [(number: Int64, count: Int)] = []
            entries.reserveCapacity(counts.count)
            for (multiple, count) in counts where count > 0 {
                let (number, isTooGreat) = multiple.multipliedReportingOverflow(by: unit)
                guard !isTooGreat, Self.numbers.contains(number),
                    number > entries.last?.number ?? .min
                else { return nil }
                entries.append((number, count))
            }
            self.init(entries)
        } catch {
            return nil
        }
    }

    /// Numbers that values can be; others are none that were written.
    private static let numbers = -(Int64(1) << 62)...(Int64(1) << 62) - 1
    /// Counts of more than a part can hold are none.
    private static let countLimit = 1 << 24

    private static func counts(
        _ reader: inout VarintReader, from least: Int64, _ form: Form
    ) throws(BlockDamage) -> [(multiple: Int64, count: Int)] {
        var (multiple, counts): (Int64, [(multiple: Int64, count: Int)]) = (least, [])
        while !reader.isAtEnd {
            if form == .sparse { multiple &+= Int64(bitPattern: try reader.varint()) }
            counts.append((multiple, try reader.number(below: countLimit)))
            if form == .dense { multiple &+= 1 }
        }
        return counts
    }
}
