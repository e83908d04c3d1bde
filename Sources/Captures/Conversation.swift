internal import Measurements

/// What client and server of one link have said, as far as later operations depend on it.
struct Conversation {
    /// The place of the device among those of the trace.
    let device: Int
    /// What the client has asked for and the server has not answered yet.
    var request: Request?
    /// The longest operation in octets. Source: Bluetooth Core, Vol 3 Part G 5.2.1 (23 at first).
    var mtu = 23
    /// A value that fills its response, so that more of it may follow.
    var begun: BegunRead?
    /// Whether an indication waits for its confirmation.
    var awaitsConfirmation = false

    /// A conversation that begins.
    init(device: Int) {
        self.device = device
    }

    /// What a client asks for.
    enum Request {
        /// The longest operation that the client takes.
        case exchangeMTU(Int)
        /// The types of attributes.
        case findInformation
        /// Services of this UUID; nil for attributes of another kind.
        case findServices(BluetoothUUID?)
        /// Attributes of this type with their values.
        case readByType(BluetoothUUID)
        /// Groups of attributes, such as services.
        case readByGroupType(BluetoothUUID)
        /// A value.
        case read(UInt16)
        /// More of a value.
        case readBlob(UInt16, offset: Int)
        /// Several values, each with its length.
        case readMultipleVariable([UInt16])
        /// A value to be written.
        case write(UInt16, [UInt8])
        /// Anything whose answer tells nothing about sensors.
        case other
    }

    /// A value that has come in part.
    struct BegunRead {
        /// The handle.
        let handle: UInt16
        /// What there is of it.
        var value: [UInt8]
        /// When the last of that came.
        var at: Instant
    }

    /// Whether a part of this length may have more behind it: it fills its response.
    func mayContinue(_ count: Int) -> Bool { count >= mtu - 1 }
}
