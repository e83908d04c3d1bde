"""Messages of bluetoothd as they are on the wire: D-Bus Specification, "Message Format"."""

import struct

NUMBERS = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4


def alignment(signature):
    if signature[0] in NUMBERS:
        return struct.calcsize(NUMBERS[signature[0]])
    return {"s": 4, "o": 4, "g": 1, "v": 1, "a": 4, "(": 8, "{": 8}[signature[0]]


def types(signature):
    """The complete types of a signature, one after another."""
    while signature:
        end = length(signature)
        yield signature[:end]
        signature = signature[end:]


def length(signature):
    if signature[0] == "a":
        return 1 + length(signature[1:])
    end = depth = 0
    while True:
        depth += (signature[end] in "({") - (signature[end] in ")}")
        end += 1
        if depth == 0:
            return end


def pad(octets, size):
    octets.extend(bytes(-len(octets) % size))


def put(octets, signature, value):
    pad(octets, alignment(signature))
    kind = signature[0]
    if kind in NUMBERS:
        octets.extend(struct.pack("<" + NUMBERS[kind], value))
    elif kind in "sog":
        text = value.encode()
        octets.extend(struct.pack("<B" if kind == "g" else "<I", len(text)) + text + b"\0")
    elif kind == "v":
        put(octets, "g", value[0])
        put(octets, *value)
    elif kind == "a":
        put_array(octets, signature[1:], value)
    else:
        for part, one in zip(types(signature[1:-1]), value):
            put(octets, part, one)


def put_array(octets, element, values):
    place = len(octets)
    octets.extend(bytes(4))
    pad(octets, alignment(element))
    start = len(octets)
    for value in values.items() if isinstance(values, dict) else values:
        put(octets, element, value)
    struct.pack_into("<I", octets, place, len(octets) - start)


def message(kind, fields, signature="", *values):
    body = bytearray()
    for part, value in zip(types(signature), values):
        put(body, part, value)
    if signature:
        fields = [*fields, (8, ("g", signature))]
    head = bytearray(struct.pack("<cBBBII", b"l", kind, 0, 1, len(body), 7))
    put(head, "a(yv)", fields)
    pad(head, 8)
    return bytes(head + body)


def signal(path, interface, member, signature, *values):
    fields = [(1, ("o", path)), (2, ("s", interface)), (3, ("s", member)), (7, ("s", ":1.4"))]
    return message(SIGNAL, fields, signature, *values)


ADAPTER = "/org/bluez/hci0"
DEVICE = ADAPTER + "/dev_00_1C_05_01_02_03"
SERVICE = DEVICE + "/service000c"
VALUE = SERVICE + "/char000d"
PROPERTIES = "org.freedesktop.DBus.Properties"
MANAGER = "org.freedesktop.DBus.ObjectManager"
UUID = "0000{}-0000-1000-8000-00805f9b34fb"

OBJECTS = {
    ADAPTER: {
        "org.bluez.Adapter1": {
            "Address": ("s", "00:00:00:00:00:01"), "Powered": ("b", True), "Discovering": ("b", False)},
        "org.bluez.GattManager1": {},
    },
    DEVICE: {
        "org.bluez.Device1": {
            "Address": ("s", "00:1C:05:01:02:03"), "AddressType": ("s", "public"),
            "Name": ("s", "Nonin3230"), "Appearance": ("q", 3137), "RSSI": ("n", -60),
            "Paired": ("b", True), "Bonded": ("b", True), "Trusted": ("b", True),
            "Connected": ("b", True), "ServicesResolved": ("b", True),
            "UUIDs": ("as", [UUID.format("1822"), UUID.format("180f")]), "Adapter": ("o", ADAPTER),
            "ManufacturerData": ("a{qv}", {18: ("ay", b"\1\2")})},
        "org.bluez.Battery1": {"Percentage": ("y", 77)},
    },
    SERVICE: {"org.bluez.GattService1": {"UUID": ("s", UUID.format("1822")), "Device": ("o", DEVICE)}},
    VALUE: {
        "org.bluez.GattCharacteristic1": {
            "UUID": ("s", UUID.format("2a5f")), "Service": ("o", SERVICE),
            "Flags": ("as", ["notify", "read"]), "Notifying": ("b", True)}},
}


def seeds():
    """Each message by itself, and all in the order in which bluetoothd tells them."""
    story = [
        message(REPLY, [(5, ("u", 3))], "a{oa{sa{sv}}}", OBJECTS),
        *[signal("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", *one) for one in OBJECTS.items()],
        changed(VALUE, "org.bluez.GattCharacteristic1", Value=("ay", bytes([0, 97, 0, 72, 0]))),
        changed(DEVICE, "org.bluez.Device1", Connected=("b", False), RSSI=("n", -70)),
        changed(ADAPTER, "org.bluez.Adapter1", Powered=("b", False)),
        changed(DEVICE, "org.bluez.Battery1", Percentage=("y", 76)),
        signal(DEVICE, "org.bluez.Device1", "Disconnected", "ss", "org.bluez.Reason.Timeout", "gone"),
        signal("/", MANAGER, "InterfacesRemoved", "oas", DEVICE, ["org.bluez.Device1"]),
        message(
            ERROR, [(4, ("s", "org.bluez.Error.Failed")), (5, ("u", 3))], "s",
            "Operation failed with ATT error: 0x05"),
    ]
    return {*story, b"".join(story)}


def changed(path, interface, **properties):
    return signal(
        path, PROPERTIES, "PropertiesChanged", "sa{sv}as", interface, properties, ["RSSI"])
