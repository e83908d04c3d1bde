import ControlProtocol
import JSON
import Measurements

/// `healthctl pair`: pairs a sensor, and says that it works once a reading has come.
enum PairCommand {
    /// Pairs the sensor that the argument names, or one that is chosen.
    ///
    /// - Throws: The daemon's failure, or that a question cannot be answered.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let yes = session.invocation.has(.yes) ? [Request.Option(key: "yes", value: "yes")] : []
        return try operate(
            try session.request(arguments: session.invocation.arguments, yes), &session)
    }
}

/// `healthctl forget`: removes the pairing with a sensor, after asking.
enum ForgetCommand {
    /// Removes the pairing with the sensor that the argument names.
    ///
    /// - Throws: A usage failure without a terminal to ask on, or the daemon's failure.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let address = try address(of: session.invocation.arguments[0], session)
        if !session.invocation.has(.yes), try !confirms(address) {
            session.remark("nothing was removed")
            return ExitCode.success
        }
        return try operate(try session.request(arguments: [address]), &session)
    }

    private static func confirms(_ address: String) throws(Failure) -> Bool {
        guard Environment.canAsk else {
            throw .usage("no terminal to ask on: --yes removes unasked")
        }
        return Environment.confirms(
            "remove the pairing with \(address)? It must be paired again to send more.")
    }
}

/// `healthctl set-clock`: sets a sensor's clock.
enum SetClockCommand {
    /// Sets the clock of the sensor that the argument names.
    ///
    /// - Throws: The daemon's failure.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let address = try address(of: session.invocation.arguments[0], session)
        return try operate(try session.request(arguments: [address]), &session)
    }
}

/// Has the daemon do something with a sensor, and shows how far it is.
private func operate(_ request: Request, _ session: inout Session) throws(Failure) -> Int32 {
    var exchange = try OperatorExchange(over: try session.connect(), session)
    return try exchange.run(request, &session.output)
}

/// The address that a word is, or that the device has which the word names.
private func address(of word: String, _ session: Session) throws(Failure) -> String {
    if let address = DeviceAddress(word) { return address.description }
    let devices = try ask(Request(verb: "devices"), session).objects
    let named = devices.filter { $0.text("name") == word }.map { $0.text("device") }
    guard let address = named.first else {
        throw Failure(
            "no device is called `\(word)`; `healthctl devices` lists them",
            exitCode: ExitCode.noInput)
    }
    guard named.count == 1 else {
        let addresses = named.joined(separator: ", ")
        throw .usage("several devices are called `\(word)`; name one of \(addresses)")
    }
    return address
}
