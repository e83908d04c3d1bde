internal import Measurements

/// The lines of a recording for events of one form, which differ in their times and values only.
struct EventLine: Sendable {
    /// From behind the time to the value.
    private var beforeValue: [UInt8] = []
    /// From behind the value to the end of the line.
    private var behindValue: [UInt8] = []

    /// Lines of nothing.
    init() {}

    /// The lines of events of a form.
    init(_ form: EventForm) {
        beforeValue = Array("Z\",".utf8) + form.beforeValue
        behindValue = form.behindValue + Array("}\n".utf8)
    }

    /// Appends the line of an event.
    ///
    /// - Parameters:
    ///   - value: The octets of its value; none for events that have no value.
    ///   - minute: The beginning of the line, up to the minute.
    ///   - milliseconds: The milliseconds since the minute began.
    ///   - text: What the line is appended to.
    func append(
        _ value: Span<UInt8>, in minute: [UInt8], milliseconds: Int, to text: inout [UInt8]
    ) {
        text.append(copyOf: minute.span)
        text.append(milliseconds / 1000, digits: 2)
        text.append(UInt8(ascii: "."))
        text.append(milliseconds % 1000, digits: 3)
        text.append(copyOf: beforeValue.span)
        text.append(hex: value)
        text.append(copyOf: behindValue.span)
    }
}
