internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `help`: the verbs and how they are written.
struct HelpAnswer: Answer {
    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let lines = Verb.all.flatMap { verb in
            ["# \(verb.usage)", "#     \(verb.summary)" + (verb.needsAdmin ? " (admin)" : "")]
        }
        return AnswerPart(last: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
}

/// The answer to `types`.
struct TypesAnswer: Answer {
    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        var json = JSONWriter()
        for type in SampleType.allCases {
            json.object { json in
                json.member("class", "type")
                json.member("id", type.rawValue)
                json.member("aliases", type.aliases)
                json.member("unit", type.defaultUnit.rawValue)
                json.member("units", type.units.map(\.rawValue))
                json.member("minimum", type.range.lower)
                json.member("maximum", type.range.upper)
                json.member("loinc", type.loinc)
                json.member("mdc", type.mdc)
            }
            json.endLine()
        }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(SampleType.allCases.count)")])
    }
}
