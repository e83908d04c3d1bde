import ControlProtocol
import JSON

/// Reads an object that the daemon sent.
///
/// - Throws: A failure if it is not JSON.
func object(
    _ line: ArraySlice<UInt8>, with parser: inout JSONParser
) throws(Failure) -> JSONValue {
    do throws(JSONError) {
        return try parser.value(of: line)
    } catch {
        throw Failure("healthd sent a line that is not JSON: \(error)", exitCode: ExitCode.software)
    }
}

/// Asks for objects and prints them as they come; for a table, gathers them.
///
/// - Returns: The objects if the output is for people, else only how many there were.
/// - Throws: The daemon's failure, or one of the output.
func fetchObjects(
    _ request: Request, _ session: inout Session
) throws(Failure) -> (objects: [JSONValue], count: Int) {
    var connection = try session.connect()
    var parser = JSONParser()
    var objects: [JSONValue] = []
    var number = 0
    try connection.send(request)
    while let line = try connection.nextLine() {
        guard case .object(let text) = line else { continue }
        number += 1
        switch session.format {
        case .json: try session.output.writeLine(text)
        case .jsonPretty: try session.output.write(indented(try object(text, with: &parser)))
        case .table, .text, .csv, .tsv, .ndjson, .gattlog:
            objects.append(try object(text, with: &parser))
        }
    }
    return (objects, number)
}

/// Asks for something that is answered with few objects.
///
/// - Returns: The objects, and what the last line told.
/// - Throws: The daemon's failure.
func ask(
    _ request: Request, _ session: Session
) throws(Failure) -> (objects: [JSONValue], details: [String: String]) {
    var connection = try session.connect()
    return (try ask(request, over: &connection), connection.details ?? [:])
}

/// Asks for few objects on a connection that is open, and has answered what was asked before.
///
/// - Throws: The daemon's failure.
func ask(
    _ request: Request, over connection: inout Connection
) throws(Failure) -> [JSONValue] {
    var parser = JSONParser()
    var objects: [JSONValue] = []
    try connection.send(request)
    while let line = try connection.nextLine() {
        if case .object(let text) = line { objects.append(try object(text, with: &parser)) }
    }
    return objects
}

extension JSONValue {
    /// The text of a member; empty if it is missing or null.
    func text(_ key: String) -> String {
        switch self[key] {
        case .string(let text)?: text
        case .number(let digits)?: digits
        case .bool(let value)?: "\(value)"
        default: ""
        }
    }

    /// The texts of a member that is an array; empty if it is missing.
    func texts(_ key: String) -> [String] {
        self[key]?.array?.compactMap { $0.string ?? $0.digits } ?? []
    }

    /// The whole seconds of a member; nil if it is missing or null.
    func seconds(_ key: String) -> Int? {
        let digits = self[key]?.digits.flatMap { $0.split(separator: ".").first }
        return digits.flatMap { Int($0) }
    }
}
