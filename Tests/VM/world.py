"""What the scenes play in: the air, the guest with bluetoothd and healthd, and the sensors."""
import contextlib
import signal

from air import Air
from daemon import Daemon
from machine import Machine
from streamers import Oximeter, Strap
from thermometer import TEMPERATURE, Thermometer
from waiting import Failure, check, until

BLUETOOTHD = "exec /usr/libexec/bluetooth/bluetoothd -n"
PASSKEY = 123456
# SpO2 and pulse rate of what an oximeter has stored.
SPOT_CHECKS = [(90 + i % 10, 50 + i) for i in range(30)]
# The Bluetooth radios, in the words of the kernel's /dev/rfkill: all of this kind, blocked or not.
BLOCK_RADIOS, UNBLOCK_RADIOS = (r"\0\0\0\0\2\3\1\0", r"\0\0\0\0\2\3\0\0")


class World:
    """Everything that a scene can turn on, off, or ask."""

    def __init__(self, made, out, binaries):
        self.air = Air()
        self.machine = Machine(made, out)
        self.daemon = Daemon(self.machine, binaries)
        self.bluetoothd = None
        # Lines for the end of the run.
        self.numbers = []
        self.oximeter = Oximeter(self.air, 1, "Oximeter")
        self.strap = Strap(self.air, 2, "Strap")
        self.thermometer = Thermometer(self.air, 3, "Thermometer")
        self.keyed = Thermometer(self.air, 4, "Keyed", passkey=PASSKEY)
        self.spot = Oximeter(self.air, 5, "Spot", stored=SPOT_CHECKS)
        self.sensors = [self.oximeter, self.strap, self.thermometer, self.keyed, self.spot]

    async def begin(self):
        """Boots the guest, without bluetoothd and healthd, and switches the sensors on."""
        for sensor in self.sensors:
            await sensor.start()
        await self.machine.boot(self.air)

    async def restore(self):
        """Puts everything back to where scenes begin: all programs run, all sensors sleep."""
        if not self.air.is_plugged:
            self.air.plug()
        if self.bluetoothd and self.bluetoothd.code is not None:
            await self.start_bluetoothd()
        if self.daemon.log and self.daemon.log.code is not None:
            await self.daemon.start()
        for sensor in self.sensors:
            sensor.end_stream()
            await sensor.sleep()

    def logs(self):
        """What the programs in the guest have said last."""
        named = [("healthd", self.daemon.log), ("bluetoothd", self.bluetoothd)]
        return [f"{name}: {line}" for name, channel in named if channel
                for line in channel.text().splitlines()[-25:]]

    # bluetoothd

    async def start_bluetoothd(self):
        """Starts it, and waits until it has the adapter switched on."""
        self.bluetoothd = self.machine.start(BLUETOOTHD, "bluetoothd")
        await self.until_powered()

    async def stop_bluetoothd(self):
        """Ends it in order."""
        self.bluetoothd.signal(signal.SIGTERM)
        check(await self.bluetoothd.ended() == 0, "bluetoothd did not end in order")

    async def kill_bluetoothd(self):
        """Ends it as a crash does."""
        self.bluetoothd.signal(signal.SIGKILL)
        await self.bluetoothd.ended()

    async def until_powered(self):
        """Waits until bluetoothd says that the adapter is on."""
        async def powered():
            channel = self.machine.start(_property("Get", "Powered"))
            await channel.ended()
            return "boolean true" in channel.text()
        await until(powered, "the adapter is on")

    async def power(self, on):
        """Switches the adapter on or off, as another program would."""
        await self.machine.run(_property("Set", "Powered", f"variant:boolean:{str(on).lower()}"))

    async def block_radios(self, block):
        """Blocks the radios in the kernel, or unblocks them."""
        words = BLOCK_RADIOS if block else UNBLOCK_RADIOS
        await self.machine.run(f"printf '{words}' > /dev/rfkill")

    async def until_waited_for(self, sensor):
        """Waits until the last link has ended for healthd, too, and all is ready for the next."""
        await self.until_bluetoothd_is_used()

        async def waited_for():
            devices = await self.daemon.ask("devices")
            is_up = any(device["device"] == sensor.address and device.get("connected")
                        for device in devices)
            metrics, = await self.daemon.ask("metrics")
            return not is_up and metrics.get("pendingCalls") == 0 and self.air.hears(sensor)
        await until(waited_for, f"healthd waits for {sensor.name}", every=0.05)

    async def acquaint(self, sensor):
        """Wakes a thermometer with nothing to send, so that bluetoothd has its characteristics."""
        mark = sensor.history.mark()
        await sensor.advertise()
        await sensor.history.until("armed", TEMPERATURE, after=mark)
        await sensor.sleep()

    async def say_clock_is_right(self):
        """Leaves the sign that the time service leaves when it has set the host's clock."""
        await self.machine.run("/run/busybox mkdir -p /run/systemd/timesync; "
                               "echo > /run/systemd/timesync/synchronized")

    # The main job

    async def pair(self, sensor, arguments=""):
        """Pairs a sensor that is awake, with no terminal and no questions; what healthctl says."""
        return await self.daemon.say(f"pair {sensor.address} --yes {arguments}")

    def number(self, name, seconds):
        """Keeps a measured time for the end of the run."""
        self.numbers.append(f"{name}: {1000 * seconds:.0f} ms")

    @contextlib.asynccontextmanager
    async def streaming(self, sensor, period=0.05):
        """Lets a sensor stream meanwhile: exactly what it sends is stored, in its order."""
        await sensor.subscribed_to()
        first = len(sensor.sent)
        sensor.stream(period)
        yield
        sensor.end_stream()
        for place, kind in enumerate(sensor.types):
            await self.values_end(kind, sensor, [value[place] for value in sensor.sent[first:]])

    async def streams(self, sensor, count, period=0.05):
        """Lets a sensor send so many values: exactly these are stored, in their order."""
        async with self.streaming(sensor, period):
            await sensor.sends(count)

    async def values_end(self, kind, sensor, expected):
        """Waits until the last values of a sensor are these, in this order; all of its values."""
        got = []

        async def same():
            nonlocal got
            got = await self.daemon.values(kind, sensor.address)
            return got[-len(expected):] == expected
        try:
            await until(same, "values are stored", limit=30)
        except Failure:
            raise Failure(f"{kind} of {sensor.name}: {_difference(got, expected)}") from None
        return got

    async def temperatures_are_stored(self, sensor):
        """Waits until exactly what a thermometer has ever taken is stored.

        What it could not send it still has, and sends when it wakes again.
        """
        for _ in range(3):
            if sensor.queue:
                await self.until_waited_for(sensor)
                await sensor.wake(awake=10)
                await sensor.asleep()
        check(not sensor.queue, f"{sensor.name} could not send {len(sensor.queue)} readings")
        try:
            got = await self.values_end("temp", sensor, sensor.taken)
            check(len(got) == len(sensor.taken), f"{len(got)} of {len(sensor.taken)} temperatures")
        finally:
            # The scenes that follow are not to fail for this one.
            sensor.taken = await self.daemon.values("temp", sensor.address)

    # Trouble

    async def until_bluetoothd_is_used(self):
        """Waits until healthd has found bluetoothd."""
        await self.daemon.finds_no_more("bluetoothd-absent")

    async def plug(self, into):
        """Plugs the adapter in, or pulls it out."""
        if into:
            self.air.plug()
        else:
            self.air.unplug()


def _property(method, name, value=""):
    return ("dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 "
            f"org.freedesktop.DBus.Properties.{method} "
            f"string:org.bluez.Adapter1 string:{name} {value}")


def _difference(got, expected):
    missing = [value for value in expected if value not in got]
    return (f"of {len(expected)} values {len(missing)} are missing: {missing[:10]}; "
            f"the last stored are {got[-10:]}, the last sent {expected[-10:]}")
