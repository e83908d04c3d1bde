internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// A request for `stats` or `series`, read and judged.
struct StatisticsRequest: Sendable {
    /// The form of the answer.
    enum Format: String, Sendable {
        case json
        case tsv
    }

    /// What it has in common with other requests about samples.
    let samples: SampleRequest
    /// The type.
    let type: SampleType
    /// What is asked beside the number of values, in the order of the request.
    let functions: [StatisticFunction]
    /// What values are told apart by.
    let grouping: StatisticsQuery.Grouping
    /// How the interval is cut into pieces; nil if it is not.
    let bucket: Bucket?
    /// Whether pieces without values are in the answer.
    let fillsGaps: Bool
    /// The form of the answer.
    let format: Format
    /// Which sources' amounts are preferred.
    let priority: SourcePriority

    /// How an interval is cut into pieces.
    struct Bucket: Sendable {
        /// As in the request.
        let name: String
        /// What that means.
        let size: BucketSize
    }

    /// Functions of one request: more than there are plain ones, and each is asked of each piece.
    private static let mostFunctions = 16

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        samples = try SampleRequest(request, context)
        priority = context.priority
        type = samples.types[0]
        functions = try Self.functions(request["fn"], type)
        grouping =
            try SampleRequest.choice(
                request, "by", [("device", .device), ("subject", .subject), ("source", .source)])
            ?? .none
        bucket = request.verb == "series" ? try Self.bucket(request["bucket"]) : nil
        let isFilled = try SampleRequest.choice(request, "fill", [("none", false), ("null", true)])
        fillsGaps = isFilled ?? (bucket == nil && grouping == .none)
        format =
            try SampleRequest.choice(request, "format", [("json", .json), ("tsv", .tsv)]) ?? .json
        try checkInterval()
    }

    /// How much of an interval is covered can only be said if it has two ends.
    private func checkInterval() throws(ProtocolError) {
        let hasEnds = samples.query.start != nil && samples.query.end != nil
        guard functions.contains(.coverage), bucket == nil, !hasEnds else { return }
        throw ProtocolError(.range, "`coverage` needs start= and end=")
    }

    private static func bucket(_ name: String?) throws(ProtocolError) -> Bucket {
        let forms = "15m, 1h, 1d, 1w, 1mo or night, or another number of m, h, d, w or mo"
        guard let name else {
            throw ProtocolError(.syntax, "`series` needs bucket=, which is \(forms)")
        }
        guard let size = BucketSize(name) else {
            throw ProtocolError(
                .badValue, "`bucket=` is \(forms), at most a day of m or h; not `\(name)`"
            ).with("key", "bucket")
        }
        return Bucket(name: name, size: size)
    }

    private static func functions(
        _ names: String?, _ type: SampleType
    ) throws(ProtocolError) -> [StatisticFunction] {
        guard let names else { return StatisticFunction.standard(for: type) }
        var functions: [StatisticFunction] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            let function = try function(String(name), type)
            if !functions.contains(function) { functions.append(function) }
        }
        guard functions.count <= mostFunctions else {
            throw ProtocolError(.badValue, "`fn=` takes at most \(mostFunctions) functions")
                .with("key", "fn")
        }
        return functions
    }

    private static func function(
        _ name: String, _ type: SampleType
    ) throws(ProtocolError) -> StatisticFunction {
        let known = StatisticFunction.examples
        guard let function = StatisticFunction(named: name) else {
            let all = "there are " + known.map(\.name).joined(separator: ", ")
            let hint = nearest(to: name, in: known.map(\.name))
            throw ProtocolError(
                .badValue, "unknown function `\(name)`" + didYouMean(hint, else: all)
            ).with("key", "fn")
        }
        guard function.isAllowed(for: type) else {
            let allowed = known.filter { $0.isAllowed(for: type) }.map(\.name)
                .joined(separator: ",")
            throw ProtocolError(
                .aggregationMismatch,
                "`\(name)` makes no sense for \(type.rawValue); ask for one of \(allowed)"
            ).with("allowed", allowed)
        }
        return function
    }
}

extension StatisticsRequest {
    /// The question about some pieces.
    func query(_ buckets: [DateInterval], _ samples: SampleQuery) -> StatisticsQuery {
        var query = StatisticsQuery(type, buckets, newest: samples.newest)
        query.functions = functions.map { $0.movingLimit(right: point) }
        if point == 0 { query.unit = unit }
        query.grouping = grouping
        (query.device, query.subject) = (samples.device, samples.subject)
        query.origin = samples.origin
        (query.modalities, query.qualities) = (samples.modalities, samples.qualities)
        return query
    }

    /// The unit of the answer.
    var unit: SampleUnit { samples.query.unit(of: type) }

    /// How far the point moves to the left from the usual unit: values in such a unit are counted in the
    /// usual one, of which there are summaries.
    private var point: Int {
        switch unit {
        case .fraction: 2
        case .seconds: 3
        case .percent, .perMinute, .celsius, .fahrenheit, .kelvin, .milliseconds, .count: 0
        }
    }

    /// The answer to a function, in the unit of the request.
    func answer(_ answer: DecimalNumber, to function: StatisticFunction) -> DecimalNumber {
        function.isValue && point > 0 ? answer.movingPoint(left: point) : answer
    }

    /// What is asked beside the number of values, which every answer tells.
    var columns: [StatisticFunction] { functions.filter { $0 != .count } }
}
