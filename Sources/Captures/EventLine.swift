internal import Measurements

/// The lines of a recording for events of one form, which differ in their times and values only.
package struct EventLine: Sendable {
    /// From behind the time to the end of the line, without a value.
    private var octets: [UInt8] = []
    /// Where the value stands in them.
    private var value = 0

    /// Lines of nothing.
    init() {}

    /// The lines of events of a form.
    init(_ form: EventForm) {
        octets = Array("Z\",".utf8) + form.beforeValue
        value = octets.count
        octets += form.behindValue + Array("}\n".utf8)
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
        text.append(copyOf: octets.span.extracting(first: self.value))
        text.append(hex: value)
        text.append(copyOf: octets.span.extracting(droppingFirst: self.value))
    }
}
