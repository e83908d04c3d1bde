import Captures
import Glibc
import Measurements
import Simulation

/// Writes octets to a descriptor; ends the program where nobody reads on.
func output(_ octets: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    var rest = octets[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { exit(1) }
        rest = rest.dropFirst(count)
    }
}

/// Writes what a sensor and the host say to each other until the recording is long enough.
func generate(_ options: Options) {
    var session = SimulatedSession(options.sensor, seed: options.seed, start: options.start)
    let end = options.start.advanced(byMilliseconds: options.duration)
    var writer = GattlogWriter()
    for header in options.sensor.headers { writer.write(remark: header) }
    for line in 0..<options.lines {
        let event = session.next()
        guard event.at < end else { break }
        writer.write(event)
        if line % 1024 == 1023 { output(writer.take()) }
    }
    output(writer.take())
}

do throws(Options.Refusal) {
    generate(try Options(Array(CommandLine.arguments.dropFirst())))
} catch {
    output(Array("gattlog-generator: \(error.why)\n\(Options.usage)\n".utf8), to: STDERR_FILENO)
    exit(64)
}
