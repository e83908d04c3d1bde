/// A failure that a request is answered with: `ERR code symbol key=value : text`.
package struct ProtocolError: Error, Equatable, Sendable {
    /// What went wrong, in one word for programs.
    package let symbol: Symbol
    /// What went wrong and what to do, for people.
    package let text: String
    /// Further facts for programs, in this order.
    package let details: [Detail]

    /// One fact of an error.
    package struct Detail: Equatable, Sendable {
        /// The fact's name.
        package let key: String
        /// What it is.
        package let value: String
    }

    /// A failure with the given parts.
    package init(_ symbol: Symbol, _ text: String, details: [Detail] = []) {
        self.symbol = symbol
        self.text = text
        self.details = details
    }

    /// The same failure with one more fact.
    package func with(_ key: String, _ value: String) -> ProtocolError {
        ProtocolError(symbol, text, details: details + [Detail(key: key, value: value)])
    }

    /// The kinds of failure, by the word that names them.
    package enum Symbol: String, CaseIterable, Sendable {
        case syntax
        case unknownVerb = "unknown-verb"
        case unknownKey = "unknown-key"
        case badValue = "bad-value"
        case badTime = "bad-time"
        case incomplete
        case denied
        case notDetermined = "not-determined"
        case noSuchType = "no-such-type"
        case noSuchDevice = "no-such-device"
        case noSuchSubject = "no-such-subject"
        case noSuchSample = "no-such-sample"
        case conflict
        case busy
        case readOnly = "read-only"
        /// A sensor refuses.
        case refused
        /// Whoever asked for it does not want it any more.
        case cancelled
        case anchorExpired = "anchor-expired"
        case anchorForeign = "anchor-foreign"
        case lineTooLong = "line-too-long"
        case resultTooLarge = "result-too-large"
        case unit
        case aggregationMismatch = "aggregation-mismatch"
        case range
        case tooManyConnections = "too-many-connections"
        case `internal`
        case storeDamaged = "store-damaged"
        case storeFull = "store-full"
        case starting
        case noAdapter = "no-adapter"
        case bluetoothdAbsent = "bluetoothd-absent"
        case shuttingDown = "shutting-down"
        case slowClient = "slow-client"
        /// A sensor did not do its part in time.
        case timedOut = "timed-out"
        /// Something with a sensor did not come about.
        case failed

        /// The three-digit code.
        package var code: Int {
            switch self {
            case .syntax, .unknownVerb, .unknownKey, .badValue, .badTime, .incomplete: 400
            case .denied, .notDetermined: 403
            case .noSuchType, .noSuchDevice, .noSuchSubject, .noSuchSample: 404
            case .conflict, .busy, .readOnly, .refused, .cancelled: 409
            case .anchorExpired, .anchorForeign: 410
            case .lineTooLong, .resultTooLarge: 413
            case .unit, .aggregationMismatch, .range: 422
            case .tooManyConnections: 429
            case .internal, .storeDamaged, .storeFull: 500
            case .starting, .noAdapter, .bluetoothdAbsent, .shuttingDown, .slowClient, .timedOut,
                .failed:
                503
            }
        }
    }
}

extension ProtocolError {
    /// The exit code of healthctl for a reply with this code (sysexits.h, and 3 for anchors).
    package static func exitCode(forReply code: Int) -> Int32 {
        switch code {
        case 400: 64
        case 403: 77
        case 404: 66
        case 409, 429, 503: 75
        case 410: 3
        case 413, 422: 65
        default: 70
        }
    }
}
