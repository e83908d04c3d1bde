"""A pulse oximeter and thermometer for bluezoo: a GATT application on its second adapter.

usage: sensor.py ADAPTER DEVICE

ADAPTER is the path of the adapter that the sensor is, DEVICE that of the sensor's object under the
other one. bluezoo knows no GattProfile1: this script also plays the kernel's part and connects the
sensor whenever it is trusted. While somebody listens, values come several times a second.
"""
import asyncio
import sys

import sdbus

BLUEZ = "org.bluez"
ROOT = "/sensor"
# SpO2 97 %, pulse 62; 36.7 degrees Celsius.
VALUES = {"2a5f": bytes([0, 97, 0, 62, 0]), "2a1c": bytes([0, 0x6F, 1, 0, 0xFF])}
FEATURES = {"2a60": bytes([0, 0]), "2a1d": bytes([2])}


def uuid(short):
    """A UUID of the SIG in full."""
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


class Service(sdbus.DbusInterfaceCommonAsync, interface_name="org.bluez.GattService1"):
    """A primary service."""

    def __init__(self, short):
        super().__init__()
        self.short = short

    @sdbus.dbus_property_async("s")
    def UUID(self):
        return uuid(self.short)

    @sdbus.dbus_property_async("b")
    def Primary(self):
        return True


class Characteristic(
        sdbus.DbusInterfaceCommonAsync, interface_name="org.bluez.GattCharacteristic1"):
    """A characteristic that is read, or that sends by itself."""

    def __init__(self, short, service, flag):
        super().__init__()
        self.short, self.service, self.flag = short, service, flag
        self.value = FEATURES.get(short, b"")
        self.notifying = False

    @sdbus.dbus_property_async("s")
    def UUID(self):
        return uuid(self.short)

    @sdbus.dbus_property_async("o")
    def Service(self):
        return self.service

    @sdbus.dbus_property_async("as")
    def Flags(self):
        return [self.flag]

    @sdbus.dbus_property_async("b")
    def Notifying(self):
        return self.notifying

    @sdbus.dbus_property_async("ay")
    def Value(self):
        return self.value

    @Value.setter_private
    def _set_value(self, value):
        self.value = value

    @sdbus.dbus_method_async("a{sv}", "ay")
    async def ReadValue(self, options):
        return self.value

    @sdbus.dbus_method_async()
    async def StartNotify(self):
        self.notifying = True

    @sdbus.dbus_method_async()
    async def StopNotify(self):
        self.notifying = False

    @sdbus.dbus_method_async()
    async def Confirm(self):
        pass


class Advertisement(
        sdbus.DbusInterfaceCommonAsync, interface_name="org.bluez.LEAdvertisement1"):
    """What the sensor advertises."""

    @sdbus.dbus_property_async("s")
    def Type(self):
        return "peripheral"

    @sdbus.dbus_property_async("as")
    def ServiceUUIDs(self):
        return [uuid("1822"), uuid("1809")]

    @sdbus.dbus_property_async("s")
    def LocalName(self):
        return "ZooOxi"

    @sdbus.dbus_property_async("b")
    def Discoverable(self):
        return True


class GattManager(sdbus.DbusInterfaceCommonAsync, interface_name="org.bluez.GattManager1"):
    """Where an application is registered."""

    @sdbus.dbus_method_async("oa{sv}")
    async def RegisterApplication(self, application, options):
        raise NotImplementedError


class AdvertisingManager(
        sdbus.DbusInterfaceCommonAsync, interface_name="org.bluez.LEAdvertisingManager1"):
    """Where an advertisement is registered."""

    @sdbus.dbus_method_async("oa{sv}")
    async def RegisterAdvertisement(self, advertisement, options):
        raise NotImplementedError


class Device(sdbus.DbusInterfaceCommonAsync, interface_name="org.bluez.Device1"):
    """The sensor's object under the other adapter."""

    @sdbus.dbus_method_async()
    async def Connect(self):
        raise NotImplementedError

    @sdbus.dbus_property_async("b")
    def Trusted(self):
        raise NotImplementedError

    @sdbus.dbus_property_async("b")
    def Connected(self):
        raise NotImplementedError


def export():
    """Exports the application; gives its characteristics."""
    manager = sdbus.DbusObjectManagerInterfaceAsync()
    manager.export_to_dbus(ROOT)
    characteristics = []
    for service, members in {
            "1822": [("2a5f", "notify"), ("2a60", "read")],
            "1809": [("2a1c", "indicate"), ("2a1d", "read")]}.items():
        path = f"{ROOT}/service{service}"
        manager.export_with_manager(path, Service(service))
        for short, flag in members:
            characteristic = Characteristic(short, path, flag)
            manager.export_with_manager(f"{path}/char{short}", characteristic)
            characteristics.append(characteristic)
    return manager, characteristics


async def keep_connected(path):
    """Connects the sensor whenever it is trusted, as the kernel does."""
    device = Device.new_proxy(BLUEZ, path)
    while True:
        try:
            if await device.Trusted and not await device.Connected:
                await device.Connect()
        except sdbus.SdBusBaseError:
            pass  # It was not found yet.
        await asyncio.sleep(0.2)


async def send(characteristics):
    """Sends the values of those that somebody listens to."""
    while True:
        for characteristic in characteristics:
            if characteristic.notifying and characteristic.short in VALUES:
                await characteristic.Value.set_async(VALUES[characteristic.short])
        await asyncio.sleep(0.2)


async def main(adapter, device):
    """Registers everything, and goes on until it is ended."""
    _manager, characteristics = export()
    advertisement = Advertisement()
    advertisement.export_to_dbus("/advertisement")
    await GattManager.new_proxy(BLUEZ, adapter).RegisterApplication(ROOT, {})
    await AdvertisingManager.new_proxy(BLUEZ, adapter).RegisterAdvertisement("/advertisement", {})
    print("registered", flush=True)
    await asyncio.gather(keep_connected(device), send(characteristics))


sdbus.set_default_bus(sdbus.sd_bus_open_system())
asyncio.run(main(*sys.argv[1:]))
