"""The air: a radio link on which virtual sensors and the guest's Bluetooth controller meet."""
import asyncio
import logging

from bumble import hci
from bumble.controller import Controller
from bumble.hci import Address, HCI_ErrorCode, HCI_StatusReturnParameters, LeFeatureMask
from bumble.link import LocalLink
from bumble.transport.common import StreamPacketSink, StreamPacketSource

log = logging.getLogger("air")
ADAPTER = "00:AA:01:00:00:01"
PLUG, UNPLUG = b"\xf1", b"\xf0"
CONNECTION_TIMEOUT = 0x08
REMOTE_USER_TERMINATED = 0x13


class Link(LocalLink):
    """Carries data under the address that a link was made with.

    Bumble 0.0.236 takes the sender's random address, which Linux changes with every scan.
    """

    def send_acl_data(self, sender, dest, transport, data):
        peer = self.find_le_controller(dest)
        connection = sender.le_connections.get(dest)
        if peer and connection:
            asyncio.get_running_loop().call_soon(
                peer.on_link_acl_data, connection.self_address, transport, data)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        if peer := self.find_le_controller(receiver_address):
            asyncio.get_running_loop().call_soon(peer.on_ll_control_pdu, sender_address, packet)


class AdapterController(Controller):
    """The controller that the guest's kernel sees as hci0.

    What Bumble 0.0.236 leaves out and Linux 6.1 relies on is here: the accept list, passive scans,
    the duplicate filter, the end of a connection attempt, links that end with a reset. Features are
    hidden whose events Bumble does not send, or the kernel waits four seconds for each.
    """

    le_features = Controller.le_features & ~(
        LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING
        | LeFeatureMask.LE_PERIODIC_ADVERTISING)

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.accepted, self.reported = [], set()

    def on_hci_reset_command(self, command):
        self.drop_links()
        self.accepted.clear()
        log.debug("reset")
        return super().on_hci_reset_command(command)

    def drop_links(self):
        """Ends all links without a word, as when power goes."""
        for connection in list(self.le_connections.values()):
            peer = self.link.find_le_controller(connection.peer_address)
            if peer and connection.self_address in peer.le_connections:
                peer.on_le_disconnected(
                    peer.le_connections[connection.self_address], CONNECTION_TIMEOUT)
        self.le_connections.clear()
        self.pending_le_connection = None
        self.le_scan_enable = False

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.accepted.clear()
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        entry = _entry(command.address_type, command.address)
        if entry not in self.accepted:
            if len(self.accepted) >= self.filter_accept_list_size:
                return HCI_StatusReturnParameters(HCI_ErrorCode.MEMORY_CAPACITY_EXCEEDED_ERROR)
            self.accepted.append(entry)
        log.debug("accept %s", entry[1])
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        entry = _entry(command.address_type, command.address)
        if entry in self.accepted:
            self.accepted.remove(entry)
        log.debug("accept no more %s", entry[1])
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def on_hci_le_set_scan_enable_command(self, command):
        self.reported.clear()
        log.debug("scan %s", command.le_scan_enable)
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_create_connection_command(self, command):
        log.debug("connect to %s", command.peer_address)
        return super().on_hci_le_create_connection_command(command)

    def on_hci_le_create_connection_cancel_command(self, command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        log.debug("cancel, pending %s", bool(pending))
        if pending is None:
            return HCI_StatusReturnParameters(HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        asyncio.get_running_loop().call_soon(self.send_hci_packet, _no_connection(pending))
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def on_advertising_pdu(self, pdu):
        address = pdu.advertiser_address
        entry = _entry(address.address_type, address)
        if pending := self.pending_le_connection:
            accepts_all = pending.initiator_filter_policy == 1 and entry in self.accepted
            if pending.peer_address == address or accepts_all:
                self.create_le_connection(address)
        elif self._reports(address):
            self._report(address, pdu.data)

    def looks_for(self, address):
        """Whether an advertisement of this address would be taken in."""
        entry = _entry(address.address_type, address)
        is_open = not self.le_scanning_filter_policy & 1
        return self.le_scan_enable and (is_open or entry in self.accepted)

    def _reports(self, address):
        entry = _entry(address.address_type, address)
        if not self.looks_for(address):
            return False
        if self.filter_duplicates and entry in self.reported:
            return False
        self.reported.add(entry)
        return True

    def _report(self, address, data):
        event = hci.HCI_LE_Advertising_Report_Event
        kinds = [(event.EventType.ADV_IND, data), (event.EventType.SCAN_RSP, b"")]
        for kind, octets in kinds if self.le_scan_type else kinds[:1]:
            self.send_hci_packet(event([event.Report(
                event_type=kind, address_type=address.address_type, address=address,
                data=octets, rssi=-50)]))


def _entry(address_type, address):
    return int(address_type) & 1, str(address).split("/")[0].upper()


def _no_connection(pending):
    return hci.HCI_LE_Connection_Complete_Event(
        status=HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0, role=0,
        peer_address_type=pending.peer_address_type, peer_address=pending.peer_address,
        connection_interval=0, peripheral_latency=0, supervision_timeout=0,
        central_clock_accuracy=0)


class Air:
    """One radio link, with the guest's controller on it while that is plugged in."""

    def __init__(self):
        self.link = Link()
        self.adapter = self._source = self._writer = None

    @property
    def is_plugged(self):
        """Whether the guest has the controller."""
        return self._source is not None

    def hears(self, sensor):
        """Whether the guest's kernel looks for a sensor, be it among others.

        With a bond that has an identity key it looks for all, since the controller resolves none.
        """
        return self.is_plugged and self.adapter.looks_for(sensor.random_address)

    async def listen(self, path):
        """Waits at a socket for the virtual machine, whose relay says hello when it is up."""
        await asyncio.start_unix_server(self._serve, path)

    async def _serve(self, reader, writer):
        self._writer = writer
        await reader.readexactly(1)
        self.plug()
        while octets := await reader.read(65536):
            if self._source:
                self._source.data_received(octets)
        if self.is_plugged:
            self._pull()

    def plug(self):
        """Plugs the controller into the guest."""
        self._source = StreamPacketSource()
        self.adapter = AdapterController(
            "hci0", host_source=self._source, host_sink=StreamPacketSink(self._writer),
            link=self.link, public_address=Address(ADAPTER, Address.PUBLIC_DEVICE_ADDRESS))
        self._writer.write(PLUG)
        log.info("adapter plugged in")

    def unplug(self):
        """Pulls it out, with all its links."""
        self._writer.write(UNPLUG)
        self._pull()

    def _pull(self):
        self.link.controllers.discard(self.adapter)
        self._source = None
        self.adapter.host = None
        self.adapter.drop_links()
        log.info("adapter pulled out")

    def lose(self, sensor):
        """Ends the link with a sensor as when it leaves the room: both sides see a timeout."""
        for connection in list(self.adapter.le_connections.values()):
            if connection.peer_address == sensor.random_address:
                self.adapter.on_le_disconnected(connection, CONNECTION_TIMEOUT)
        for connection in list(sensor.controller.le_connections.values()):
            sensor.controller.on_le_disconnected(connection, CONNECTION_TIMEOUT)
