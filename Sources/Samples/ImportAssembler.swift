package import Measurements

/// Turns the samples of one file into readings.
///
/// A sample that stands in the file twice is two readings, and comes to nothing when the file comes
/// again.
package struct ImportAssembler {
    /// Sources of one file: a health app lists every program and device that it ever got data from.
    package static let sourceLimit = 4096

    private var ordinals = RunOrdinals()
    private var sources: [String: Int] = [:]

    /// An assembler at the start of a file.
    package init() {}

    /// The sources of which something has come.
    package var sourceCount: Int { sources.count }

    /// What the store is to keep of a sample.
    ///
    /// Its time is as the file has it, also as the time of reception: so a sample that was deleted with
    /// its span does not come back.
    package mutating func take(
        _ sample: ImportedSample, from source: String, start: Instant, isAmbiguous: Bool = false
    ) -> Intake {
        let device = SourceDevice.imported(source)
        guard let place = place(of: source) else {
            return Intake(device: device, at: start, content: .skipped(.tooManyDevices))
        }
        let octets = sample.encoded
        let key = RunOrdinals.Key(
            characteristic: .sample, instance: place, time: start.milliseconds, octets: octets)
        let reading = NewReading(
            characteristic: .sample, instance: sample.type.place, start: nil,
            end: sample.duration > 0 ? start.advanced(byMilliseconds: sample.duration) : nil,
            stamp: nil, ordinal: ordinals.next(key),
            flags: ReadingFlags(
                timeQuality: .manual, origin: .import, isAmbiguous: isAmbiguous),
            octets: octets, isUnrepeatable: false, sampleCount: 1,
            typeBits: 1 << Int64(sample.type.place), malformed: nil)
        return Intake(device: device, at: start, content: .reading(reading))
    }

    private mutating func place(of source: String) -> Int? {
        if let place = sources[source] { return place }
        guard sources.count < Self.sourceLimit else { return nil }
        sources[source] = sources.count
        return sources.count - 1
    }
}
