"""healthd as a package and a service of systemd, with the real bluetoothd as another service."""
import glob

from daemon import Client, Daemon
from machine import Machine
from waiting import Failure, check, until
from world import World

UNIT = "healthd.service"
STATE = "/var/lib/healthd"
CONFIGURATION = "/etc/healthd/healthd.conf"
# dpkg and systemctl take long in an emulated machine.
LIMIT = 120


class Service(Daemon):
    """The installed healthd; systemd starts and ends it."""

    async def start(self):
        """Starts it, and waits until it answers."""
        await self.machine.run(f"systemctl start {UNIT}", LIMIT)
        self.client = await until(self._answering, "healthd answers")

    async def _answering(self):
        client = Client(self.machine)
        try:
            await client.greeting()
            return client
        except Failure:
            return None

    async def stop(self):
        """Ends it in order."""
        await self.machine.run(f"systemctl stop {UNIT}", LIMIT)

    def ctl(self, arguments, terminal=False):
        """Starts the installed healthctl."""
        return self.machine.start(f"exec healthctl {arguments}", f"healthctl {arguments}", terminal)

    async def said(self, user, arguments):
        """How healthctl ends for a user, and what it says."""
        channel = self.machine.start(f"exec runuser -u {user} -- healthctl {arguments}")
        return await channel.ended(), channel.text()

    async def property(self, name):
        """A property of the unit."""
        return (await self.machine.run(f"systemctl show -P {name} {UNIT}")).strip()

    async def pid(self):
        """The number of its process; 0 if there is none."""
        return int(await self.property("MainPID"))

    async def restarted(self, before):
        """Waits until it answers as another process."""
        async def other():
            is_active = await self.property("ActiveState") == "active"
            return is_active and await self.pid() not in (0, before)
        await until(other, "healthd runs again", limit=LIMIT)
        self.client = await until(self._answering, "healthd answers")

    async def journal(self, *arguments):
        """What it has said."""
        return await self.machine.run(f"journalctl -o cat -u {UNIT} {' '.join(arguments)}")


class ServiceWorld(World):
    """A guest with systemd, and the packages to install in it."""

    def __init__(self, made, out, binaries):
        super().__init__(made, out, binaries)
        self.machine = Machine(made, out, systemd=True)
        self.daemon = Service(self.machine, binaries)
        self.package, self.newer = sorted(glob.glob(f"{made}/packages/*.deb"), key=len)

    async def begin(self):
        """Boots the guest, and waits until bluetoothd has the adapter."""
        await super().begin()
        await self._settled()

    async def _settled(self):
        self.daemon.log = self.machine.start(
            f"exec journalctl -f -n 0 -o cat -u {UNIT} -u bluetooth.service", "journal")
        await self.until_powered()

    async def reboot(self):
        """Boots the guest once more, and waits until its healthd answers, which nobody starts."""
        await self.machine.reboot()
        await self._settled()
        await self.daemon.restarted(0)

    async def install(self, package):
        """Installs a package as its user would; what is said."""
        return await self.dpkg(f"-i {package}")

    async def dpkg(self, arguments):
        """Runs dpkg, not the one of the shell, which is busybox; what is said."""
        return await self.machine.run(f"/usr/bin/dpkg {arguments} 2>&1", LIMIT)

    async def wakes_and_streams(self):
        """Lets the oximeter wake, and send a few values: exactly these are stored."""
        await self.daemon.start()
        await self.oximeter.sleep()
        await self.until_waited_for(self.oximeter)
        await self.streams(self.oximeter, 10)

    async def until_bob_gets(self, code):
        """Waits until a member of the group who asks for SpO2 gets this exit code."""
        async def got():
            return (await self.daemon.said("bob", "samples spo2"))[0] == code
        await until(got, f"bob gets {code}")

    async def is_there(self, path):
        """Whether there is such a file."""
        channel = self.machine.start(f"test -e {path}")
        return await channel.ended() == 0

    async def mode(self, path):
        """Rights and owners of a file."""
        return (await self.machine.run(f"stat -c '%a %U:%G' {path}")).strip()

