import Captures
import Glibc
import Measurements
import Simulation

/// `healthctl simulate`: what a make-believe sensor sends, as a recording that is written as it happens.
enum SimulateCommand {
    /// Writes until a signal comes, or `-n` events.
    ///
    /// - Throws: A usage failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        let sensor = try sensor(invocation.arguments.first ?? SimulatedSensor.oximeter.rawValue)
        let limit = try invocation.number(.mostRecords) ?? .max
        var events = SimulatedSession(
            sensor, seed: UInt64(try invocation.number(.seed) ?? 1), start: Environment.now)
        var faults = FaultInjector(try Set(faults(invocation[.fault] ?? "")))
        let interruption = try Interruption()
        var pace = Pace(isRealTime: !invocation.has(.fast))
        var (writer, output, written) = (GattlogWriter(), LiveOutput(), 0)
        for header in sensor.headers { writer.write(remark: header) }
        while written < limit {
            for event in faults.pass(events.next()).prefix(limit - written) {
                if let signal = pace.wait(for: event.at, or: interruption) {
                    return ExitCode.signal(signal)
                }
                writer.write(event)
                output.write(writer.take())
                guard try output.flush(until: interruption.number) else {
                    return ExitCode.signal(interruption.taken() ?? SIGINT)
                }
                written += 1
            }
        }
        return ExitCode.success
    }

    private static func sensor(_ name: String) throws(Failure) -> SimulatedSensor {
        guard let sensor = SimulatedSensor(rawValue: name) else {
            let names = SimulatedSensor.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("there is no sensor `\(name)`: \(names)")
        }
        return sensor
    }

    private static func faults(_ list: String) throws(Failure) -> [SensorFault] {
        var faults: [SensorFault] = []
        for name in list.split(separator: ",") {
            guard let fault = SensorFault(rawValue: String(name)) else {
                let names = SensorFault.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("--fault: there is no `\(name)`: \(names)")
            }
            faults.append(fault)
        }
        return faults
    }
}

/// Waits until it is time for what a session says.
private struct Pace {
    let isRealTime: Bool
    private var offset: Int64?

    init(isRealTime: Bool) {
        self.isRealTime = isRealTime
    }

    /// Returns when it is time, or with the signal that came before.
    mutating func wait(for time: Instant, or interruption: borrowing Interruption) -> Int32? {
        guard isRealTime else { return interruption.taken() }
        let start = offset ?? Int64(Environment.milliseconds) - time.milliseconds
        offset = start
        while true {
            let rest = time.milliseconds + start - Int64(Environment.milliseconds)
            guard rest > 0 else { return interruption.taken() }
            var entry = pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, Int32(clamping: rest)) > 0, let signal = interruption.taken() {
                return signal
            }
        }
    }
}
