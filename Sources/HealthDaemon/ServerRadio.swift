internal import BlueZ
internal import ControlProtocol

extension Server {
    /// Asks the collector how the sensors fare, for an answer that tells it too.
    func askCollector(_ answer: any RadioAnswer, _ connection: Connection) {
        connection.state = .inquiring(answer, until: .now.advanced(by: Self.reportTimeout))
        collector.post(.report(connection.id))
    }

    /// How long an answer waits for the collector, in ms; then it is made without its word.
    private static let reportTimeout: Int64 = 200

    /// Goes on with an answer that the collector has told how the sensors fare.
    func takeReport(_ id: ConnectionID, _ report: RadioReport?) {
        guard let connection = connections[id], case .inquiring(var answer, _) = connection.state
        else { return }
        answer.radio = report
        askVisible(answer, connection)
    }
}
