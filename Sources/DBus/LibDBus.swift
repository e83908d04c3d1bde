// All calls of libdbus.
internal import CDBus

/// A private connection of libdbus; closed at its end.
struct ConnectionHandle: ~Copyable {
    private let pointer: OpaquePointer
    /// The watch that tells whether libdbus has something to write; valid while connected.
    private let writeWatch: UnsafeMutablePointer<OpaquePointer?>

    /// Opens a connection and begins to authenticate.
    init(address: String) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let pointer = dbus_connection_open_private(address, &error) else {
            throw BusError(
                name: error.name.map { String(cString: $0) } ?? "",
                text: error.message.map { String(cString: $0) } ?? "")
        }
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        dbus_connection_set_max_message_size(pointer, BusLimits.messageSize)
        dbus_connection_set_max_received_size(pointer, BusLimits.receivedSize)
        self.pointer = pointer
        writeWatch = Self.writeWatch(of: pointer)
    }

    deinit {
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
        writeWatch.deallocate()
    }

    /// Has libdbus say which watch is for writing; nothing is done when it changes.
    private static func writeWatch(
        of connection: OpaquePointer
    ) -> UnsafeMutablePointer<OpaquePointer?> {
        let place = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
        place.initialize(to: nil)
        let add: DBusAddWatchFunction = { watch, place in
            guard dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0 else { return 1 }
            place?.assumingMemoryBound(to: OpaquePointer?.self).pointee = watch
            return 1
        }
        dbus_connection_set_watch_functions(connection, add, { _, _ in }, nil, place, nil)
        return place
    }

    /// The socket; -1 once the connection is gone.
    var descriptor: Int32 {
        var descriptor: Int32 = -1
        return dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : -1
    }

    /// Whether the other side is there.
    var isConnected: Bool { dbus_connection_get_is_connected(pointer) != 0 }
    /// Whether octets wait until the other side reads on, also while it lets us in.
    var wantsToWrite: Bool { isConnected && dbus_watch_get_enabled(writeWatch.pointee) != 0 }
    /// The octets of the messages that wait.
    var outgoingSize: Int { dbus_connection_get_outgoing_size(pointer) }

    /// Reads and writes some of what can be at once.
    func readAndWrite() {
        dbus_connection_read_write(pointer, 0)
    }

    /// The next message that was read.
    func next() -> MessageHandle? {
        guard let message = dbus_connection_pop_message(pointer) else { return nil }
        return MessageHandle(owning: message)
    }

    /// Sends a message; its serial, or 0 if memory does not suffice.
    func send(_ message: borrowing MessageHandle) -> UInt32 {
        var serial: UInt32 = 0
        return dbus_connection_send(pointer, message.pointer, &serial) != 0 ? serial : 0
    }
}

/// A message of libdbus; given back at its end.
struct MessageHandle: ~Copyable {
    fileprivate let pointer: OpaquePointer

    fileprivate init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// A new message with the header of another; nil if memory does not suffice.
    init?(header message: BusMessage) {
        guard let pointer = dbus_message_new(Self.number(of: message.kind)) else { return nil }
        guard Self.set(message, in: pointer) else {
            dbus_message_unref(pointer)
            return nil
        }
        self.pointer = pointer
    }

    /// A message as it is on the wire, alone; nil for octets that are none.
    init?(wire octets: ArraySlice<UInt8>) {
        let pointer = octets.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                dbus_message_demarshal($0.baseAddress, Int32($0.count), nil)
            }
        }
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { dbus_message_unref(pointer) }

    /// How many octets the message has that octets begin with; nil if they begin none, or not enough
    /// of one to tell.
    static func length(ofFirstIn octets: ArraySlice<UInt8>) -> Int? {
        let length = octets.prefix(BusLimits.messageSize).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                dbus_message_demarshal_bytes_needed($0.baseAddress, Int32($0.count))
            }
        }
        return length > 0 ? Int(length) : nil
    }

    private static func number(of kind: BusMessage.Kind) -> Int32 {
        switch kind {
        case .call: DBUS_MESSAGE_TYPE_METHOD_CALL
        case .reply: DBUS_MESSAGE_TYPE_METHOD_RETURN
        case .error: DBUS_MESSAGE_TYPE_ERROR
        case .signal: DBUS_MESSAGE_TYPE_SIGNAL
        }
    }

    private static func set(_ message: BusMessage, in pointer: OpaquePointer) -> Bool {
        dbus_message_set_no_reply(pointer, message.isReplyUnwanted ? 1 : 0)
        if message.replySerial != 0,
            dbus_message_set_reply_serial(pointer, message.replySerial) == 0
        {
            return false
        }
        return dbus_message_set_destination(pointer, message.destination) != 0
            && dbus_message_set_path(pointer, message.path) != 0
            && dbus_message_set_interface(pointer, message.interface) != 0
            && dbus_message_set_member(pointer, message.member) != 0
            && dbus_message_set_error_name(pointer, message.errorName) != 0
    }

    private var kind: BusMessage.Kind? {
        let number = dbus_message_get_type(pointer)
        return [.call, .reply, .error, .signal].first { Self.number(of: $0) == number }
    }

    /// What the message says apart from its body; nil for a kind that is not known.
    var header: BusMessage? {
        guard let kind else { return nil }
        var message = BusMessage(kind)
        message.serial = dbus_message_get_serial(pointer)
        message.replySerial = dbus_message_get_reply_serial(pointer)
        message.isReplyUnwanted = dbus_message_get_no_reply(pointer) != 0
        message.sender = text(dbus_message_get_sender(pointer))
        message.destination = text(dbus_message_get_destination(pointer))
        message.path = text(dbus_message_get_path(pointer))
        message.interface = text(dbus_message_get_interface(pointer))
        message.member = text(dbus_message_get_member(pointer))
        message.errorName = text(dbus_message_get_error_name(pointer))
        return message
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

/// A place in the body of a message that is read; not to be used after the message.
struct ReadingPlace {
    private var iterator = DBusMessageIter()

    /// Before the first value of a message.
    init(_ message: borrowing MessageHandle) {
        dbus_message_iter_init(message.pointer, &iterator)
    }

    /// Whether there is no further value in the container.
    var isAtEnd: Bool { code == 0 }
    /// The type of the value here; nil at the end, and for one that is not known.
    var type: TypeCode? { TypeCode(number: code) }

    private var code: Int32 {
        var iterator = iterator
        return dbus_message_iter_get_arg_type(&iterator)
    }

    /// The type of the elements of the array here.
    var elementType: TypeCode? {
        var iterator = iterator
        return TypeCode(number: dbus_message_iter_get_element_type(&iterator))
    }

    /// The signature of the value here.
    var signature: String {
        var iterator = iterator
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }

    /// Goes to the next value of the container.
    mutating func advance() {
        dbus_message_iter_next(&iterator)
    }

    /// Before the first value of the container here.
    var inside: ReadingPlace {
        var (iterator, inner) = (iterator, self)
        dbus_message_iter_recurse(&iterator, &inner.iterator)
        return inner
    }

    /// The number here, which is of this type.
    func number<Number: Numeric & BitwiseCopyable>() -> Number {
        var (iterator, number): (DBusMessageIter, Number) = (iterator, 0)
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    /// The string, object path or signature here.
    var text: String {
        var (iterator, pointer): (DBusMessageIter, UnsafePointer<CChar>?) = (iterator, nil)
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    /// The octets of the array of bytes here.
    var octets: [UInt8] {
        var (iterator, start): (DBusMessageIter, UnsafePointer<UInt8>?) = (inside.iterator, nil)
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&iterator, &start, &count)
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}

/// A place at the end of a message that is made; what is appended must keep the rules of D-Bus.
///
/// Each function is false if memory does not suffice.
struct WritingPlace {
    private var iterator = DBusMessageIter()

    /// The end of a message.
    init(_ message: borrowing MessageHandle) {
        dbus_message_iter_init_append(message.pointer, &iterator)
    }

    /// Appends a number; for a boolean one of 32 bits.
    mutating func append(_ number: some Numeric & BitwiseCopyable, _ code: TypeCode) -> Bool {
        withUnsafePointer(to: number) {
            dbus_message_iter_append_basic(&iterator, code.number, $0) != 0
        }
    }

    /// Appends a string, an object path or a signature.
    mutating func append(_ text: String, _ code: TypeCode) -> Bool {
        text.withCString { start in
            withUnsafePointer(to: start) {
                dbus_message_iter_append_basic(&iterator, code.number, $0) != 0
            }
        }
    }

    /// Appends all octets of an array.
    mutating func append(_ octets: [UInt8]) -> Bool {
        octets.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return start == nil
                || dbus_message_iter_append_fixed_array(
                    &iterator, TypeCode.byte.number, &start, Int32(buffer.count)) != 0
        }
    }

    /// Appends a container and lets it be filled.
    mutating func append(
        _ code: TypeCode, of contents: String?, _ fill: (inout WritingPlace) -> Bool
    ) -> Bool {
        var inner = self
        guard
            dbus_message_iter_open_container(&iterator, code.number, contents, &inner.iterator) != 0
        else { return false }
        guard fill(&inner) else {
            dbus_message_iter_abandon_container(&iterator, &inner.iterator)
            return false
        }
        return dbus_message_iter_close_container(&iterator, &inner.iterator) != 0
    }
}

/// What libdbus holds for valid.
enum BusRule {
    case text
    case objectPath
    case interface
    case member
    case errorName
    case busName
    case signature
    /// The signature of exactly one type.
    case singleType

    /// Whether the rule holds for a text, of which C must see all.
    func holds(for text: String) -> Bool {
        !text.utf8.contains(0) && text.withCString { holds(for: $0) != 0 }
    }

    private func holds(for text: UnsafePointer<CChar>) -> dbus_bool_t {
        switch self {
        case .text: dbus_validate_utf8(text, nil)
        case .objectPath: dbus_validate_path(text, nil)
        case .interface: dbus_validate_interface(text, nil)
        case .member: dbus_validate_member(text, nil)
        case .errorName: dbus_validate_error_name(text, nil)
        case .busName: dbus_validate_bus_name(text, nil)
        case .signature: dbus_signature_validate(text, nil)
        case .singleType: dbus_signature_validate_single(text, nil)
        }
    }
}
