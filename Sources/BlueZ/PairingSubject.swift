internal import Measurements

/// The sensor that a window pairs, and how far it is.
struct PairingSubject {
    /// What became of a call.
    enum Outcome: Equatable {
        case notMade
        case pending
        case succeeded(at: Int64)
        case failed(PairingError)

        /// Whether the call was answered.
        var isSettled: Bool {
            switch self {
            case .notMade, .pending: false
            case .succeeded, .failed: true
            }
        }
    }

    /// Which step is being done.
    enum Phase: Equatable {
        /// Trusted is set, and the searches end.
        case preparing
        /// Pair is called.
        case bonding
        /// A sensor without a bond is connected, and its services are waited for.
        case linking(Linking)
        /// A measurement is waited for.
        case testing(Testing)
    }

    /// Where the first link to a sensor without a bond stands; times on the clock of `Moment.boot`.
    struct Linking: Equatable {
        /// When the link must be there.
        var until: Int64
        /// When the services must be there; nil before the link.
        var resolveBy: Int64?
        /// When services without a measurement are taken for all that there is.
        var emptyAt: Int64?

        /// When time does something next.
        var nextDeadline: Int64 { emptyAt ?? resolveBy ?? until }
    }

    /// Where the wait for a measurement stands; times on the clock of `Moment.boot`.
    struct Testing: Equatable {
        /// When services without a measurement are taken for all that there is.
        var emptyAt: Int64?
        /// Whether that was found on this link: another link may find more.
        var isEmpty = false
        /// When a sensor that sends without a value is taken for a sensor that works.
        var valuelessUntil: Int64?
        var linkedAt: Int64?
        /// Links in a row that ended at once, without a word.
        var shortLinks = 0

        /// When time does something next.
        var nextDeadline: Int64? {
            [isEmpty ? nil : emptyAt, valuelessUntil].compactMap(\.self).min()
        }
    }

    /// A question that waits for the operator.
    struct Asked: Equatable {
        let request: AgentRequest
        let question: Question
        let until: Int64
    }

    var device: PairingDevice
    /// Whether there was a bond before this window.
    let wasPaired: Bool
    var isBonded: Bool
    var isGone = false
    /// Whether the ledger says that it is paired.
    var isNoted = false
    var phase = Phase.preparing
    var trust = Outcome.notMade
    var pair = Outcome.notMade
    var connect = Outcome.notMade
    /// Why there is no bond, where the sensor is used without one.
    var bondFailure: PairingError?
    var asked: Asked?
    /// The number that the operator was shown last.
    var shown: String?
    /// The kind of the last question, also after its answer.
    var lastQuestion: Question.Kind?
    /// What it measured before it could be tested: a sleepy sensor may not say it again.
    var reading: String?
    /// Whether the operator answered no.
    var saidNo = false
    /// Whether the operator did not answer in time.
    var wasSilent = false

    /// A sensor of which nothing was asked yet.
    init(_ device: PairingDevice) {
        self.device = device
        wasPaired = device.isPaired
        isBonded = device.isPaired
    }

    /// When time does something next; nil if only news does.
    var nextDeadline: Int64? {
        let phaseDeadline: Int64? =
            switch phase {
            case .preparing, .bonding: nil
            case .linking(let linking): [linking.nextDeadline, linkCheck].compactMap(\.self).min()
            case .testing(let testing): testing.nextDeadline
            }
        return [phaseDeadline, asked?.until].compactMap(\.self).min()
    }

    /// When a Connect that succeeded must have shown a link: bluetoothd says so without one at times.
    var linkCheck: Int64? {
        guard case .succeeded(let at) = connect, !device.isConnected else { return nil }
        return at + 1000
    }
}
