"""A thermometer that sleeps."""
import asyncio
import calendar
import struct
import time
from decimal import Decimal

from bumble.core import UUID
from bumble.gatt import Service
from bumble.pairing import PairingDelegate

from sensor import FIRST_READING, Properties, Sensor, date_time, float32
from waiting import Failure, now

TEMPERATURE, TEMPERATURE_TYPE, DATE_TIME = 0x2A1C, 0x2A1D, 0x2A08
BODY = 2
# Seconds between the last confirmation and hanging up.
REST = 0.3


class Thermometer(Sensor):
    """Sleeps; when it wakes it indicates what it has stored, and hangs up.

    A bonded central's subscription outlives the link, as the standard has it: the readings are sent as
    soon as the link is encrypted. Without a bond they are sent when the central subscribes.
    """

    services = [0x1809]

    def __init__(self, air, number, name, passkey=0):
        super().__init__(air, number, name)
        self.passkey = passkey
        if passkey:
            self.capability = PairingDelegate.IoCapability.DISPLAY_OUTPUT_ONLY
        # What it has still to send, and the temperatures that it has ever taken, in degrees Celsius.
        self.queue, self.taken, self._count = [], [], 0
        # What its clock is fast, in seconds.
        self.rest, self.clock_error = REST, 0
        self._subscriber, self._burst, self._bedtime = None, None, None

    def health_services(self):
        return [Service(UUID.from_16_bits(0x1809), [
            self.characteristic(TEMPERATURE, Properties.INDICATE),
            self.characteristic(TEMPERATURE_TYPE, Properties.READ, bytes([BODY])),
            self.characteristic(DATE_TIME, Properties.READ | Properties.WRITE,
                                read=lambda _: date_time(time.time() + self.clock_error),
                                write=self._on_clock)])]

    def take(self, count):
        """Takes so many readings, and stores them: each warmer by 0.01 °C and a minute later.

        They are stamped by its clock, right or wrong.
        """
        for _ in range(count):
            hundredths, time_taken = 3000 + self._count, FIRST_READING + 60 * self._count
            stamp = time_taken + round(self.clock_error)
            self._count += 1
            self.taken.append(Decimal(hundredths) / 100)
            self.queue.append(bytes([0x02]) + float32(hundredths, -2) + date_time(stamp))

    async def wake(self, awake=2.0):
        """Advertises, and sleeps again after so many seconds at the latest; does not wait for that."""
        await self.advertise(again=False)
        self._bedtime = asyncio.create_task(self._go_to_bed(awake))
        return now()

    async def asleep(self):
        """Waits until it sleeps again."""
        await self._bedtime

    async def _go_to_bed(self, awake):
        mark = self.history.mark()
        try:
            await self.history.until("down", after=mark, limit=awake)
        except Failure:
            await self.sleep()

    def on_encryption(self, connection):
        super().on_encryption(connection)
        if self._subscriber == str(connection.peer_address):
            self.subscribed.add(TEMPERATURE)
            self._send()

    def on_armed(self, number, wanted):
        if number == TEMPERATURE and wanted:
            self._send()

    def on_down(self, connection):
        if connection.encryption:
            subscribed = TEMPERATURE in self.subscribed
            self._subscriber = str(connection.peer_address) if subscribed else None
        if self._burst:
            self._burst.cancel()

    def _send(self):
        if self.queue and (self._burst is None or self._burst.done()):
            self._burst = asyncio.create_task(self._send_queue())

    async def _send_queue(self):
        while self.queue:
            await self.indicate(TEMPERATURE, self.queue[0])
            self.queue.pop(0)
        await asyncio.sleep(self.rest)
        await self.hang_up()

    def _on_clock(self, connection, value):
        year, *others = struct.unpack("<HBBBBB", value)
        self.clock_error = calendar.timegm((year, *others)) - time.time()
        self.history.add("wrote", DATE_TIME)
