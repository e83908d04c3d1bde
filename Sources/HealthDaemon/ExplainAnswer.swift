internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `explain`: the packet behind a sample, and how its parts came about.
struct ExplainAnswer: Answer {
    private let id: SampleID
    private let text: String
    private let zone: Zone
    private let access: Access

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        text = request.arguments[0]
        guard let id = SampleID(text) else {
            throw ProtocolError(.badValue, "`\(text)` is no id such as 812.0")
        }
        self.id = id
        zone = try context.zone(request)
        access = context.access
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let found = try asking { () throws(StorageError) in try store.reading(first: id.first) }
        guard let (reading, stream) = found else { throw .request(SampleID.unknown(text)) }
        try check(stream)
        let count = DecodedPacket.samples(of: reading.octets, stream.characteristic).count
        if let index = id.index, index >= count { throw .request(SampleID.unknown(text)) }
        var json = JSONWriter()
        json.object { json in
            writeReading(reading, stream, to: &json)
            json.member("why", Explanation(reading, stream, zone).sentences)
            json.key("decoded")
            writeDecoded(reading, stream, to: &json)
            json.array("samples") { json in writeSamples(reading, stream, to: &json) }
        }
        json.endLine()
        return AnswerPart(last: json.octets)
    }

    /// A packet is shown only to those who may read all of it.
    private func check(_ stream: Stream) throws(AnswerError) {
        do throws(ProtocolError) {
            _ = try access.readable(stream.characteristic.types, wereNamed: true)
        } catch {
            throw .request(error)
        }
    }

    private func writeReading(_ reading: Reading, _ stream: Stream, to json: inout JSONWriter) {
        json.member("class", "explain")
        json.member("id", "\(reading.first ?? reading.seq)")
        json.member("seq", reading.seq)
        json.member("device", stream.device.address)
        json.member("subject", stream.device.subject(at: reading.measuredFrom))
        json.member("characteristic", stream.characteristic.name)
        json.member("instance", stream.instance)
        json.member("octets", hexText(reading.octets))
        json.member("received", reading.at, in: zone)
        json.member("start", reading.measuredFrom, in: zone)
        json.member("stamp", reading.stamp.map { Explanation.stampText($0) })
        json.member("ordinal", reading.ordinal)
        json.member("timeQuality", reading.flags.timeQuality.name)
        json.member("source", reading.flags.origin.name)
    }

    private func writeDecoded(_ reading: Reading, _ stream: Stream, to json: inout JSONWriter) {
        guard let uuid = stream.characteristic.uuid else {
            return writeImported(reading, to: &json)
        }
        guard let name = DecodableName(uuid) else {
            preconditionFailure("every characteristic with readings decodes")
        }
        do throws(MalformedValue) {
            json.value(try CharacteristicValue(name, decoding: reading.octets))
        } catch {
            json.malformed(error)
        }
    }

    /// What the octets of an imported sample say, as it would be imported.
    private func writeImported(_ reading: Reading, to json: inout JSONWriter) {
        do throws(MalformedValue) {
            let sample = try ImportedSample(decoding: reading.octets)
            let line = ImportedLine(sample, start: reading.measuredFrom, source: nil)
            line.writeObject(to: &json)
        } catch {
            json.malformed(error)
        }
    }

    private func writeSamples(_ reading: Reading, _ stream: Stream, to json: inout JSONWriter) {
        let subject = stream.device.subject(at: reading.measuredFrom)
        for sample in DecodedPacket.samples(of: reading.octets, stream.characteristic)
        where id.index == nil || id.index == sample.index {
            let stored = StoredSample(
                reading: reading, sample: sample, stream: stream,
                subject: subject)
            SampleLine(stored, in: sample.type.defaultUnit).write(to: &json, zone: zone)
        }
    }
}

/// Why a reading has the time and its samples the quality that they have, in sentences.
private struct Explanation {
    private let reading: Reading
    private let stream: Stream
    private let zone: Zone

    init(_ reading: Reading, _ stream: Stream, _ zone: Zone) {
        self.reading = reading
        self.stream = stream
        self.zone = zone
    }

    var sentences: [String] { [time] + ambiguity + qualities }

    /// The device's stamp as its own clock showed it.
    static func stampText(_ seconds: Int64) -> String {
        var text: [UInt8] = []
        text.append(CivilTime(secondsSince1970: seconds))
        return String(decoding: text, as: UTF8.self)
    }

    private var time: String {
        switch reading.flags.timeQuality {
        case .received: "The packet has no time stamp: its time is when it was received."
        case .mapped:
            "The sensor's stamp was corrected by its own clock, which was read in the same link."
        case .synced: "The sensor's clock was known to be right: its stamp is the time."
        case .unverified: "The time is the sensor's stamp; its clock could not be read."
        case .untrusted:
            "The sensor's stamp cannot be right or its clock was not set: "
                + "the time is when the packet was received."
        case .manual: "The time is as it was imported."
        }
    }

    private var ambiguity: [String] {
        reading.flags.isAmbiguous
            ? ["Clocks were turned at that time: the stamp names two instants, or none."] : []
    }

    private var qualities: [String] {
        DecodedPacket.samples(of: reading.octets, stream.characteristic).map { sample in
            let status = sample.status.names
            let bits = status.isEmpty ? "no status bits" : status.joined(separator: ", ")
            let value = sample.absent ?? sample.value?.description ?? "none"
            return "Sample \(sample.index), \(sample.type.rawValue) \(value) "
                + "\(sample.unit.rawValue), is \(sample.quality.rawValue) (\(bits))."
        }
    }
}
