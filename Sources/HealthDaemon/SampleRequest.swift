internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The parts that requests about samples have in common, read and judged.
struct SampleRequest: Sendable {
    /// The types that were named, in their order; all where none was.
    let types: [SampleType]
    /// The zone of times in the request and in the answer.
    let zone: Zone
    /// The device that was named, by address or name.
    let device: String?
    /// Whether values come in the units that they were sent in.
    let keepsUnits: Bool
    /// What people call sensors.
    let names: SensorNames
    /// The query, but for the device and the newest seq.
    private(set) var query: SampleQuery

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        try self.init(request, about: Self.types(request.arguments), context)
    }

    /// A request about types that its arguments need not name.
    init(
        _ request: Request, about types: [SampleType], _ context: RequestContext
    ) throws(ProtocolError) {
        self.types = try context.access.readable(types, wereNamed: !request.arguments.isEmpty)
        zone = try context.zone(request)
        device = request["device"]
        names = context.names
        keepsUnits =
            request["unit"] == Self.sentUnit && ["samples", "latest"].contains(request.verb)
        query = SampleQuery(types: Set(self.types), newest: 0)
        query.subject = request["subject"]
        query.origin = try Self.choice(request, "source", Self.origins)
        query.modalities = try Self.set(request, "modality", Modality.self) ?? query.modalities
        query.qualities = try Self.set(request, "quality", Quality.self) ?? query.qualities
        query.units = keepsUnits ? [:] : try Self.units(request, self.types)
        query.condition = try Self.condition(request)
        try setInterval(request, context.now)
    }

    /// The word for the unit that a value was sent in.
    private static let sentUnit = "sent"

    /// The line of a sample, with its value in the unit asked for.
    func line(of stored: StoredSample) -> SampleLine {
        SampleLine(
            stored,
            in: keepsUnits ? stored.sample.unit : query.unit(of: stored.sample.type))
    }

    /// Widens the request to all samples, but for what it names itself.
    mutating func widen(_ request: Request) {
        if request["modality"] == nil { query.modalities = Set(Modality.allCases) }
        if request["quality"] == nil { query.qualities = Set(Quality.allCases) }
    }

    private mutating func setInterval(
        _ request: Request, _ now: Instant
    ) throws(ProtocolError) {
        query.start = try Self.time(request, "start", zone, now)
        query.end = try Self.time(request, "end", zone, now)
        if let start = query.start, let end = query.end, end < start {
            throw ProtocolError(.range, "the interval ends before it starts")
        }
        query.order = try Self.choice(request, "order") ?? .ascending
        query.sort = try Self.choice(request, "sort") ?? .start
        query.match = try Self.choice(request, "match") ?? .start
    }

    private static let origins: [(String, GATTEvent.Origin)] = [
        ("ble", .ble), ("replay", .replay), ("import", .import),
    ]

    static func types(_ names: [String]) throws(ProtocolError) -> [SampleType] {
        if names.isEmpty { return SampleType.allCases }
        var types: [SampleType] = []
        for name in names {
            guard let type = SampleType(named: name) else { throw unknownType(name) }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    private static func unknownType(_ name: String) -> ProtocolError {
        let known = SampleType.allCases.flatMap { $0.aliases + [$0.rawValue] }
        let hint = nearest(to: name, in: known)
        return ProtocolError(
            .noSuchType,
            "unknown type `\(name)`"
                + didYouMean(hint, else: "`types` lists the types there are")
        ).with("type", name)
    }
}

extension SampleRequest {
    /// The value of a key that has a few words, or nil where it is missing.
    static func choice<Value>(
        _ request: Request, _ key: String, _ choices: [(String, Value)]
    ) throws(ProtocolError) -> Value? {
        guard let word = request[key] else { return nil }
        if let choice = choices.first(where: { $0.0 == word }) { return choice.1 }
        let words = choices.map(\.0).joined(separator: ", ")
        throw ProtocolError(.badValue, "`\(key)=` is one of \(words), not `\(word)`")
            .with("key", key)
    }

    private static func choice(
        _ request: Request, _ key: String
    ) throws(ProtocolError) -> SampleQuery.Order? {
        try choice(request, key, [("asc", .ascending), ("desc", .descending)])
    }

    private static func choice(
        _ request: Request, _ key: String
    ) throws(ProtocolError) -> SampleQuery.Sort? {
        try choice(request, key, [("start", .start), ("end", .end)])
    }

    private static func choice(
        _ request: Request, _ key: String
    ) throws(ProtocolError) -> SampleQuery.Match? {
        try choice(request, key, [("start", .start), ("overlap", .overlap)])
    }

    /// The values of a key that takes several words with commas, or `all`.
    private static func set<Value: CaseIterable & RawRepresentable & Hashable>(
        _ request: Request, _ key: String, _ kind: Value.Type
    ) throws(ProtocolError) -> Set<Value>? where Value.RawValue == String {
        guard let words = request[key] else { return nil }
        if words == "all" { return Set(Value.allCases) }
        var values: Set<Value> = []
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Value(rawValue: String(word)) else {
                throw unknownWord(String(word), key, Value.allCases.map(\.rawValue))
            }
            values.insert(value)
        }
        return values
    }

    private static func unknownWord(
        _ word: String, _ key: String, _ known: [String]
    ) -> ProtocolError {
        let all = "it is one or more of \(known.joined(separator: ", ")), or all"
        let hint = nearest(to: word, in: known + ["all"])
        return ProtocolError(.badValue, "unknown \(key) `\(word)`" + didYouMean(hint, else: all))
            .with("key", key)
    }

    /// The time of a key, or nil where it is missing.
    static func time(
        _ request: Request, _ key: String, _ zone: Zone, _ now: Instant
    ) throws(ProtocolError) -> Instant? {
        guard let text = request[key] else { return nil }
        do throws(TimeExpressionError) {
            return try TimeExpression.instant(from: text, zone: zone, now: now)
        } catch {
            throw ProtocolError(.badTime, error.description).with("key", key)
        }
    }

    /// A unit goes to the types that have it; one that no type has is an error.
    private static func units(
        _ request: Request, _ types: [SampleType]
    ) throws(ProtocolError) -> [SampleType: SampleUnit] {
        guard let name = request["unit"] else { return [:] }
        let unit = SampleUnit(named: name)
        let fitting = types.filter { type in unit.map { type.units.contains($0) } ?? false }
        guard let unit, !fitting.isEmpty else {
            let allowed = types.flatMap(\.units).map(\.rawValue)
            throw ProtocolError(
                .unit, "no type asked for comes in `\(name)`; " + allowed.joined(separator: ", ")
            ).with("unit", name).with("allowed", allowed.joined(separator: ","))
        }
        return Dictionary(uniqueKeysWithValues: fitting.map { ($0, unit) })
    }

    private static func condition(_ request: Request) throws(ProtocolError) -> ValueCondition? {
        guard let text = request["where"] else { return nil }
        for comparison in ValueCondition.Comparison.allCases {
            let prefix = "value" + comparison.rawValue
            guard text.hasPrefix(prefix) else { continue }
            if let number = DecimalNumber(text.dropFirst(prefix.count)) {
                return ValueCondition(comparison, number)
            }
        }
        throw ProtocolError(
            .badValue, "`where=` is value, one of < <= > >= = !=, and a number, not `\(text)`"
        ).with("key", "where")
    }
}
