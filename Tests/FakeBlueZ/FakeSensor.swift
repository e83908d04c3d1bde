/// A sensor in the room: what it offers, and how it behaves.
package struct FakeSensor {
    package var address: String
    package var name: String?
    /// The SIG's number for how it looks, as far as it advertises it.
    package var appearance: UInt16?
    /// The services that it advertises, by their SIG numbers in hexadecimal.
    package var advertised: [String]
    package var services: [FakeService]
    /// Percent; nil if it has no battery service.
    package var battery: UInt8?
    /// Whether it advertises, or holds a link.
    package var isAwake = false

    /// What pairing with it needs.
    package var pairing = Pairing.justWorks
    /// Whether it has lost its half of a bond: it hangs up as soon as it shall encrypt.
    package var hasForgottenBond = false
    /// Whether it hangs up at the end of pairing, as many do.
    package var hangsUpAfterPairing = false

    /// When it hands out what it has stored.
    package var push = Push.afterArming
    /// What it has stored: the characteristic's number and the value, oldest first.
    package var queue: [(characteristic: String, value: [UInt8])] = []
    /// Whether it hangs up once it has handed out what it has stored.
    package var hangsUpWhenEmpty = false
    /// Stored values that bluetoothd confirmed to it although nobody heard them.
    package var lost = 0

    /// The records behind its Record Access Control Point, as values of 2A5E.
    package var records: [[UInt8]] = []

    /// What comes of its service discovery.
    package var resolution = Resolution.normal
    /// Whether objects of its characteristics appear before `ServicesResolved`, as they mostly do.
    package var resolvesLast = true
    /// Whether bluetoothd forgets to say `Connected:true`, as it now and then does.
    package var hidesConnected = false
    /// Whether values come before `Connected:true`.
    package var isFasterThanConnected = false
    /// Characteristics whose subscription it refuses so many times, and with which ATT error.
    package var refusals: [String: (code: UInt8, times: Int)] = [:]

    /// How a bond is made.
    package enum Pairing: Equatable {
        case justWorks
        /// It shows this number, which has to be typed here.
        case display(UInt32)
        /// It shows this number, which has to be the same here.
        case compare(UInt32)
        /// This number has to be typed on it.
        case keyboard(UInt32)
        /// It wants this PIN.
        case pin(String)
        /// It is not in pairing mode.
        case refused
        /// It does not bond at all.
        case impossible
    }

    /// When stored values are handed out.
    package enum Push {
        /// As soon as a bonded link is encrypted: it remembers who subscribed.
        case afterEncryption
        /// As soon as somebody subscribes.
        case afterArming
    }

    /// What comes of service discovery.
    package enum Resolution {
        case normal
        /// `ServicesResolved` without any object.
        case empty
        /// Never.
        case stuck
    }
}

/// A service of a sensor.
package struct FakeService {
    /// The SIG's number in hexadecimal, such as `1822`.
    package var uuid: String
    package var characteristics: [FakeCharacteristic]

    /// A service of these characteristics.
    package init(_ uuid: String, _ characteristics: [FakeCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic of a sensor.
package struct FakeCharacteristic {
    /// The SIG's number in hexadecimal, such as `2a5f`.
    package var uuid: String
    /// As bluetoothd names them, such as `notify`.
    package var flags: [String]
    package var value: [UInt8]

    /// A characteristic with a value that can be read.
    package init(_ uuid: String, _ flags: String..., value: [UInt8] = []) {
        self.uuid = uuid
        self.flags = flags
        self.value = value
    }
}
