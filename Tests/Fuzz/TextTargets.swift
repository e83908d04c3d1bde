import ControlProtocol
import HealthDaemon
import JSON
import Measurements
import Samples

/// Parsers of what people and programs write.
enum TextTargets {
    /// Takes octets for a line of `healthctl decode`.
    static func decode(_ octets: [UInt8]) {
        var json = JSONWriter()
        DecodedLine(octets[...]).write(to: &json)
        json.endLine()
    }

    /// Takes octets for a request: what was understood is the same once it is written again.
    static func request(_ octets: [UInt8]) {
        _ = Request.isIgnored(octets)
        do throws(ProtocolError) {
            let request = try Request(octets)
            precondition(Request.tag(of: octets) == request.tag, "a tag is known by itself")
            let again = try Request(request.line.utf8)
            precondition(again.line == request.line, "what is written can be read")
        } catch {
            precondition(!error.text.isEmpty, "an error says what is wrong")
        }
    }

    /// Takes octets for a time, in a zone that has had every change there is.
    static func time(_ octets: [UInt8]) {
        let zone = Zone(named: "Europe/Berlin") ?? .utc
        let text = String(decoding: octets, as: UTF8.self)
        for now in [0, 1_795_000_000_000, Instant.range.upperBound.milliseconds] {
            do throws(TimeExpressionError) {
                let instant = try TimeExpression.instant(
                    from: text, zone: zone, now: Instant(milliseconds: now))
                precondition(Instant.range.contains(instant), "a time is one that can be written")
            } catch {
                precondition(!error.description.isEmpty, "an error says what is wrong")
            }
        }
    }

    /// Takes octets for a configuration file.
    static func configuration(_ octets: [UInt8]) {
        do throws(ConfigurationErrors) {
            _ = try Configuration(parsing: String(decoding: octets, as: UTF8.self))
        } catch {
            precondition(!error.all.isEmpty, "an error says what is wrong")
        }
    }

    /// Takes octets for JSON.
    static func json(_ octets: [UInt8]) {
        var parser = JSONParser()
        do throws(JSONError) {
            _ = try parser.value(of: octets)
        } catch {
            precondition((0...octets.count).contains(error.offset), "an error is in the text")
        }
    }
}
