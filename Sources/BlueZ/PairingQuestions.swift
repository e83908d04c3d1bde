internal import DBus
internal import Measurements

extension Pairing {
    /// How long a question waits for its answer; bluetoothd itself waits hardly longer.
    private static let patience: Int64 = 30_000

    /// bluetoothd asks about the sensor: what needs no person is answered, the rest is passed on.
    mutating func ask(_ request: AgentRequest, at now: Int64) -> [Action] {
        guard case .pairing(let subject) = state, subject.device.path == request.device else {
            return [.send(request.rejected)]
        }
        let earlier = withdrawn(subject)
        switch request.kind {
        case .authorization, .service: return earlier + [.send(request.accepted)]
        case .displayPinCode(let number), .displayPasskey(let number, _):
            return earlier + show(number, request)
        case .confirmation(let number):
            return earlier + askWhether(request, number, at: now)
        case .passkey:
            let text = "Which number does the sensor show?"
            return earlier + pose(Question(.passkey, text: text), request, at: now)
        case .pinCode:
            let text = "What is the sensor's PIN? It is printed on it or in its manual."
            return earlier + pose(Question(.pin, text: text), request, at: now)
        }
    }

    /// bluetoothd asks one question at a time; an earlier one is of no use any more.
    private func withdrawn(_ subject: PairingSubject) -> [Action] {
        subject.asked.map { [.send($0.request.canceled)] } ?? []
    }

    /// It is shown again for each digit that is typed on the sensor, which nobody needs to know.
    private mutating func show(_ number: String, _ request: AgentRequest) -> [Action] {
        guard case .pairing(var subject) = state else { return [] }
        let isNew = subject.shown != number
        subject.shown = number
        subject.lastQuestion = .display
        subject.asked = nil
        state = .pairing(subject)
        let question = Question(.display, text: "Type this number on the sensor.", number: number)
        return [.send(request.accepted)] + (isNew ? [.tell(.ask(question))] : [])
    }

    private mutating func askWhether(
        _ request: AgentRequest, _ number: String, at now: Int64
    ) -> [Action] {
        let question = Question(.confirm, text: "Does the sensor show this number?", number: number)
        guard wish.answersYes else { return pose(question, request, at: now) }
        guard case .pairing(var subject) = state else { return [] }
        subject.lastQuestion = .confirm
        subject.asked = nil
        state = .pairing(subject)
        return [.send(request.accepted)]
    }

    private mutating func pose(
        _ question: Question, _ request: AgentRequest, at now: Int64
    ) -> [Action] {
        guard case .pairing(var subject) = state else { return [] }
        let until = min(now + Self.patience, windowEnd)
        subject.asked = .init(request: request, question: question, until: until)
        subject.lastQuestion = question.kind
        state = .pairing(subject)
        return [.tell(.ask(question.waiting(until - now)))]
    }

    /// bluetoothd needs no answer any more.
    mutating func withdrawQuestion() -> [Action] {
        guard case .pairing(var subject) = state, subject.asked != nil else { return [] }
        subject.asked = nil
        state = .pairing(subject)
        return [.tell(.progress(step: "pair", text: "the sensor waits for an answer no longer"))]
    }

    /// Nobody answered a question in time.
    mutating func silence(_ asked: PairingSubject.Asked, at now: Int64) -> [Action] {
        guard case .pairing(var subject) = state else { return [] }
        subject.asked = nil
        subject.wasSilent = true
        state = .pairing(subject)
        return [.send(asked.request.canceled)] + advance(subject, at: now)
    }

    /// The operator answered the question that waits, or chose a sensor.
    mutating func answer(_ text: String, at now: Int64) -> [Action] {
        switch state {
        case .searching: return choose(text, at: now)
        case .pairing(let subject):
            guard let asked = subject.asked else { return [] }
            return answer(asked, text, at: now)
        case .closing, .closed: return []
        }
    }

    private mutating func choose(_ text: String, at now: Int64) -> [Action] {
        guard search.isAsked, search.chosen == nil else { return [] }
        guard let address = DeviceAddress(text), candidates.isTold(address) else {
            let text = "That is none of them. Which one?"
            return [.tell(.ask(Question(.choose, text: text, patience: windowEnd - now)))]
        }
        search.chosen = address
        return []
    }

    private mutating func answer(
        _ asked: PairingSubject.Asked, _ text: String, at now: Int64
    ) -> [Action] {
        guard case .pairing(var subject) = state else { return [] }
        guard let reply = reply(to: asked, text) else {
            return [.tell(.ask(asked.question.waiting(asked.until - now)))]
        }
        subject.asked = nil
        subject.saidNo = reply == asked.request.rejected
        state = .pairing(subject)
        return [.send(reply)]
    }

    /// The reply that an answer stands for; nil if it is none to this question.
    private func reply(to asked: PairingSubject.Asked, _ text: String) -> BusMessage? {
        switch asked.question.kind {
        case .passkey:
            guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ isDigit($0) }) else {
                return nil
            }
            return UInt32(text).map(asked.request.passkey)
        case .pin: return (1...16).contains(text.utf8.count) ? asked.request.pinCode(text) : nil
        case .confirm, .authorize, .choose, .display:
            switch text.lowercased() {
            case "yes", "y": return asked.request.accepted
            case "no", "n": return asked.request.rejected
            default: return nil
            }
        }
    }
}

private func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
}

extension Question {
    /// The same question with so much time left, in ms.
    fileprivate func waiting(_ patience: Int64) -> Question {
        Question(kind, text: text, number: number, patience: patience)
    }
}
