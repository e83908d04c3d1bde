"""Virtual sensors: what all have in common."""
import asyncio
import logging
import struct
import time

from bumble import gatt
from bumble.controller import Controller
from bumble.core import AdvertisingData, ProtocolError, UUID
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate

from air import REMOTE_USER_TERMINATED
from waiting import History

log = logging.getLogger("sensor")
Properties = Characteristic.Properties
READABLE, WRITEABLE = Characteristic.READABLE, Characteristic.WRITEABLE
BATTERY = 88
# 2023-11-14 22:13:20 UTC: when the first stored reading was taken.
FIRST_READING = 1_700_000_000


def sfloat(mantissa, exponent=0):
    """An IEEE 11073 SFLOAT."""
    return ((exponent & 0xF) << 12 | mantissa & 0xFFF).to_bytes(2, "little")


def float32(mantissa, exponent=0):
    """An IEEE 11073 FLOAT."""
    return (mantissa & 0xFFFFFF).to_bytes(3, "little") + (exponent & 0xFF).to_bytes(1, "little")


def date_time(seconds):
    """A Date Time of the UTC calendar."""
    t = time.gmtime(seconds)
    return struct.pack("<HBBBBB", t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec)


class Delegate(PairingDelegate):
    """Somebody who holds the sensor while it is paired."""

    def __init__(self, sensor):
        super().__init__(sensor.capability)
        self.sensor = sensor

    async def accept(self):
        return self.sensor.bonds

    async def generate_passkey(self):
        return self.sensor.passkey

    async def display_number(self, number, digits=6):
        self.sensor.history.add("shows", f"{number:06}")


class Sensor:
    """A sensor on the air, silent until it is told to advertise.

    What happens to it is in its history: `link`, `encrypted`, `armed` (with the characteristic that
    was subscribed to), `notified` and `confirmed` (with the octets), `wrote` (with the
    characteristic), `down`.
    """

    services = []
    capability = PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT
    passkey = 0
    bonds = True

    def __init__(self, air, number, name):
        self.air, self.name = air, name
        self.address = f"C0:FF:EE:00:00:{number:02X}"
        self.random_address = Address(self.address, Address.RANDOM_DEVICE_ADDRESS)
        self.history = History(f"{name} {self.address}")
        self.connection = None
        # Whether it goes on advertising after each link.
        self.is_awake = False
        self.subscribed = set()
        self.characteristics = {}

    async def start(self):
        """Switches it on."""
        self.controller = Controller(self.name, link=self.air.link)
        configuration = DeviceConfiguration(
            name=self.name, address=self.random_address, le_enabled=True, classic_enabled=False,
            irk=self.address.encode()[:16])
        self.device = Device(config=configuration, host=Host(self.controller, self.controller))
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=self.passkey != 0, bonding=True, delegate=Delegate(self))
        self.device.add_services(self._services())
        self.device.on("connection", self._on_connection)
        await self.device.power_on()
        return self

    def _services(self):
        battery = Service(UUID.from_16_bits(0x180F), [
            self.characteristic(0x2A19, Properties.READ | Properties.NOTIFY, bytes([BATTERY]))])
        information = Service(UUID.from_16_bits(0x180A), [
            self.characteristic(0x2A29, Properties.READ, b"Virtual Ltd"),
            self.characteristic(0x2A24, Properties.READ, self.name.encode())])
        return self.health_services() + [battery, information]

    def characteristic(self, number, properties, value=b"", write=None, read=None):
        """A characteristic by its SIG number, with octets or with functions behind it."""
        if write or read:
            value = CharacteristicValue(read=read, write=write)
        permissions = (READABLE if properties & Properties.READ else 0) | (
            WRITEABLE if properties & Properties.WRITE else 0)
        made = Characteristic(UUID.from_16_bits(number), properties, permissions, value)
        made.on(Characteristic.EVENT_SUBSCRIPTION,
                lambda _, notify, indicate: self._on_subscription(number, notify or indicate))
        self.characteristics[number] = made
        return made

    async def advertise(self, again=True):
        """Advertises every 100 ms; again after each link, or only until the next."""
        self.history.add("advertises")
        self.is_awake = again
        await self.device.start_advertising(
            auto_restart=again, advertising_data=bytes(AdvertisingData([
                (AdvertisingData.FLAGS, bytes([0x06])),
                (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
                 struct.pack(f"<{len(self.services)}H", *self.services)),
                (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode())])),
            advertising_interval_min=100, advertising_interval_max=100)

    async def sleep(self):
        """Advertises no more, and ends its link."""
        self.is_awake = False
        await self.device.stop_advertising()
        await self.hang_up()

    def end_stream(self):
        """Sends no more by itself."""

    async def hang_up(self):
        """Ends its link in order, if it has one."""
        if not self.connection:
            return
        mark = self.history.mark()
        try:
            await self.connection.disconnect(REMOTE_USER_TERMINATED)
        except ProtocolError as error:
            log.info("%s: %s", self.name, error)
        await self.history.until("down", after=mark)

    async def notify(self, number, octets):
        """Notifies of a value, if it is subscribed to."""
        if number in self.subscribed:
            await self.device.notify_subscribers(self.characteristics[number], octets)
            self.history.add("notified", octets)

    async def indicate(self, number, octets):
        """Indicates a value, and waits for the confirmation, 5 s at most."""
        if not self.connection:
            return
        # Whoever asks Bumble to indicate to subscribers is not told that no confirmation came.
        indication = self.device.gatt_server._indicate_single_bearer(
            self.connection, self.characteristics[number], octets, True)
        await asyncio.wait_for(indication, 5)
        self.history.add("confirmed", octets)

    def _on_connection(self, connection):
        self.connection = connection
        connection.on("disconnection", self._on_disconnection)
        connection.on("connection_encryption_change", lambda: self.on_encryption(connection))
        connection.on("pairing", lambda _: self.history.add("paired"))
        connection.on("pairing_failure", lambda reason: self.history.add("not paired", reason))
        self.history.add("link")

    def on_encryption(self, connection):
        """The link is encrypted from now on."""
        self.history.add("encrypted")

    def _on_disconnection(self, reason):
        self.on_down(self.connection)
        self.connection = None
        self.subscribed.clear()
        self.history.add("down", reason)

    def on_down(self, connection):
        """The link has ended."""

    def _on_subscription(self, number, wanted):
        (self.subscribed.add if wanted else self.subscribed.discard)(number)
        self.history.add("armed" if wanted else "disarmed", number)
        self.on_armed(number, wanted)

    def on_armed(self, number, wanted):
        """The central has subscribed to a characteristic, or does no more."""
