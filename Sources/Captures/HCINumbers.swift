internal import CBluetooth

/// The kinds of packets between host and controller.
///
/// Source: Bluetooth Core, Vol 4 Part A 2.
enum HCIPacketKind {
    /// A command of the host.
    static let command = UInt8(HCI_COMMAND_PKT)
    /// Data of a link.
    static let acl = UInt8(HCI_ACLDATA_PKT)
    /// An event of the controller.
    static let event = UInt8(HCI_EVENT_PKT)
}

/// Events of the controller that say something of links.
///
/// Source: Bluetooth Core, Vol 4 Part E 7.7.
enum HCIEventCode {
    /// A link of BR/EDR came up or failed.
    static let connectionComplete = UInt8(EVT_CONN_COMPLETE)
    /// A link went down.
    static let disconnectionComplete = UInt8(EVT_DISCONN_COMPLETE)
    /// A command was carried out.
    static let commandComplete = UInt8(EVT_CMD_COMPLETE)
    /// An event of Low Energy, told by its first parameter.
    static let lowEnergy = UInt8(EVT_LE_META_EVENT)

    /// A link came up or failed.
    static let leConnectionComplete = UInt8(EVT_LE_CONN_COMPLETE)
    /// Advertisements were heard.
    static let leAdvertisingReport = UInt8(EVT_LE_ADVERTISING_REPORT)
    /// A link came up or failed, with resolved addresses; the header of the library is older.
    static let leEnhancedConnectionComplete: UInt8 = 0x0A
    /// Advertisements of the extended kind were heard.
    static let leExtendedAdvertisingReport: UInt8 = 0x0D
    /// The second version of the enhanced event, with the handles of an advertiser.
    static let leEnhancedConnectionComplete2: UInt8 = 0x29
}

/// The command that ends all links of a controller: group and number in one.
let hciReset = UInt16(OGF_HOST_CTL) << 10 | UInt16(OCF_RESET)

/// What a fragment of data is; bits 12 and 13 of its handle.
///
/// Source: Bluetooth Core, Vol 4 Part E 5.4.2. Hosts of Low Energy begin with 0, controllers with 2.
enum FragmentBoundary {
    /// The first of a packet from the host.
    static let firstFromHost = UInt16(ACL_START_NO_FLUSH)
    /// A later one.
    static let continuing = UInt16(ACL_CONT)
    /// The first of a packet from the controller.
    static let firstFromController = UInt16(ACL_START)
}
