/// Followers that stand at the same place get the same lines: a worker makes these once.
///
/// Without that, each commit would cost as many questions to the store as there are followers.
struct SharedParts {
    private var makers: [FollowAnswer: ConnectionID] = [:]
    private var jobs: [ConnectionID: Job] = [:]

    /// A part that a worker is making.
    private struct Job {
        let answer: FollowAnswer
        var others: [ConnectionID] = []
    }

    /// Takes in that a connection waits for what follows an answer's place.
    ///
    /// - Returns: Whether a worker is to be asked; false if one makes just that part already.
    mutating func join(_ answer: FollowAnswer, _ connection: ConnectionID) -> Bool {
        guard let maker = makers[answer] else {
            makers[answer] = connection
            jobs[connection] = Job(answer: answer)
            return true
        }
        jobs[maker]?.others.append(connection)
        return false
    }

    /// Takes in that the part is made that was asked for in the name of a connection.
    ///
    /// - Returns: The connections that get it.
    mutating func finish(_ connection: ConnectionID) -> [ConnectionID] {
        guard let job = jobs.removeValue(forKey: connection) else { return [connection] }
        makers[job.answer] = nil
        return [connection] + job.others
    }
}
