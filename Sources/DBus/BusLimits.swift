/// What a peer can raise on a connection, and how far.
enum BusLimits {
    /// The largest message that is taken in, in octets: what dbus-daemon lets through on a system bus.
    ///
    /// libdbus ends the connection at a larger one, and anybody on the bus can send one: a smaller
    /// limit would let them cut us off.
    static let messageSize = 32 << 20
    /// Messages that were read and not yet taken, in octets; beyond it reading rests.
    ///
    /// A busy neighbourhood makes about 250 octets a signal: this holds 16,000 of them.
    static let receivedSize = 4 << 20
    /// Messages that wait for the bus to read them, in octets; beyond it none is sent.
    ///
    /// A call has about 200 octets, and a few wait for each sensor: only a bus that hangs gets near.
    static let outgoingSize = 8 << 20
    /// The values of one message, those inside others among them.
    ///
    /// 64 sensors and 2,000 neighbours are about 200,000 in GetManagedObjects; a message of 32 MiB
    /// could hold as many as it has octets, each many times larger in memory.
    static let values = 500_000
    /// How deep values nest: the specification's maximum.
    static let depth = 64
    /// How often one exchange reads; each time about 4 KiB, so that no flood keeps others waiting.
    static let rounds = 16
}
