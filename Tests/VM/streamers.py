"""Sensors that stream: oximeters and a heart rate strap."""
import asyncio
import struct

from bumble.att import ATT_Error
from bumble.core import UUID
from bumble.gatt import Service

from sensor import FIRST_READING, Properties, Sensor, date_time, sfloat

SPOT_CHECK, CONTINUOUS, PLX_FEATURES, RECORD_ACCESS = 0x2A5E, 0x2A5F, 0x2A60, 0x2A52
HEART_RATE = 0x2A37


class Streamer(Sensor):
    """A sensor that sends values while it is subscribed to."""

    # The characteristic that the values are in, and the types of sample that they make.
    streamed, types = 0, []

    def __init__(self, air, number, name):
        super().__init__(air, number, name)
        # All values that were ever sent while it was subscribed to, each a tuple of the types.
        self.sent = []
        self._streaming = None

    async def subscribed_to(self):
        """Wakes up if it sleeps, and waits until the central has subscribed."""
        mark = self.history.mark()
        if not self.is_awake:
            await self.advertise()
        if self.streamed not in self.subscribed:
            await self.history.until("armed", self.streamed, after=mark)

    def stream(self, period=0.1):
        """Sends a new value in each period from now on."""
        self._streaming = self._streaming or asyncio.create_task(self._stream(period))

    def end_stream(self):
        if self._streaming:
            self._streaming.cancel()
        self._streaming = None

    async def _stream(self, period):
        while True:
            if self.streamed in self.subscribed:
                self.sent.append(self.value(len(self.sent)))
                await self.notify(self.streamed, self.octets(self.sent[-1]))
            await asyncio.sleep(period)

    async def sends(self, count):
        """Waits until it has sent so many values from now on."""
        await self.history.until("notified", after=self.history.mark(), count=count)


class Oximeter(Streamer):
    """Streams values, and keeps spot checks for RACP."""

    services = [0x1822]
    streamed, types = CONTINUOUS, ["spo2", "hr"]

    def __init__(self, air, number, name, stored=()):
        super().__init__(air, number, name)
        self.stored = [self._record(i, *values) for i, values in enumerate(stored)]
        self.requests = []

    @staticmethod
    def _record(index, spo2, pulse):
        time = date_time(FIRST_READING + 60 * index)
        return bytes([0x01]) + sfloat(spo2) + sfloat(pulse) + time

    def health_services(self):
        return [Service(UUID.from_16_bits(0x1822), [
            self.characteristic(CONTINUOUS, Properties.NOTIFY),
            self.characteristic(PLX_FEATURES, Properties.READ, struct.pack("<H", self._features()))
        ] + self._spot_check())]

    def _features(self):
        return 1 << 2 if self.stored else 0

    def _spot_check(self):
        if not self.stored:
            return []
        return [self.characteristic(SPOT_CHECK, Properties.INDICATE),
                self.characteristic(RECORD_ACCESS, Properties.WRITE | Properties.INDICATE,
                                    write=self._on_request)]

    @staticmethod
    def value(index):
        """SpO2 and pulse rate: no two of 3,000 in a row are the same."""
        return 70 + index % 30, 40 + index // 30 % 100

    @staticmethod
    def octets(value):
        """A continuous measurement."""
        return bytes([0]) + sfloat(value[0]) + sfloat(value[1])

    def _on_request(self, connection, value):
        if RECORD_ACCESS not in self.subscribed:
            raise ATT_Error(0xFD)
        self.requests.append(bytes(value))
        self.history.add("wrote", RECORD_ACCESS)
        asyncio.create_task(self._answer(bytes(value)))

    async def _answer(self, request):
        if request == b"\x04\x01":
            answer = b"\x05\x00" + struct.pack("<H", len(self.stored))
        elif request == b"\x01\x01":
            for record in self.stored:
                await self.indicate(SPOT_CHECK, record)
            answer = bytes([6, 0, 1, 1 if self.stored else 6])
        elif request == b"\x02\x01":
            self.stored.clear()
            answer = b"\x06\x00\x02\x01"
        else:
            answer = bytes([6, 0, request[0], 2])
        await self.indicate(RECORD_ACCESS, answer)


class Strap(Streamer):
    """A heart rate strap that cannot bond."""

    services = [0x180D]
    streamed, types = HEART_RATE, ["hr"]
    bonds = False

    def health_services(self):
        return [Service(UUID.from_16_bits(0x180D), [
            self.characteristic(HEART_RATE, Properties.NOTIFY)])]

    @staticmethod
    def value(index):
        """A heart rate: no two of 150 in a row are the same."""
        return 50 + index % 150,

    @staticmethod
    def octets(value):
        """A heart rate measurement."""
        return bytes([0, value[0]])
