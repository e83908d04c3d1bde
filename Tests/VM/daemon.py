"""healthd in the guest, and clients of it."""
import json
import logging
import signal
from decimal import Decimal

from waiting import LIMIT, Failure, check, now, until

log = logging.getLogger("daemon")
HOME = "/run/healthd"
SOCKET = f"{HOME}/healthd.sock"
CONFIGURATION = "[store]\\ncommit_interval = 1s\\n[time]\\nzone = Etc/UTC\\n"


class Daemon:
    """A healthd with one store, which is started and ended again and again."""

    def __init__(self, machine, binaries):
        self.machine, self.binaries = machine, binaries
        self.log = self.client = None
        self.sensors = ""

    async def start(self):
        """Starts it, and waits until it answers."""
        self.log = self.machine.start(
            f"{self._configure}; exec {self.binaries}/healthd --config {HOME}/healthd.conf "
            f"--state-dir {HOME}/state --socket {SOCKET}", "healthd")
        self.client = await until(self._answering, "healthd answers")

    @property
    def _configure(self):
        """Words of a shell that write the configuration."""
        return f"mkdir -p {HOME}; printf '{CONFIGURATION}{self.sensors}' > {HOME}/healthd.conf"

    async def want(self, *sensors):
        """Names the sensors that are wanted, and those with `enabled = no`; none names all."""
        self.sensors = "".join(f"[sensor {sensor.address}]\\nenabled = {enabled}\\n"
                               for sensor, enabled in sensors)
        await self.machine.run(self._configure)
        self.log.signal(signal.SIGHUP)

    async def _answering(self):
        check(self.log.code is None, f"healthd has ended: {self.log.last()}")
        client = Client(self.machine)
        try:
            await client.greeting()
            return client
        except Failure:
            return None

    async def kill(self):
        """Ends it as a crash does."""
        self.log.signal(signal.SIGKILL)
        check(await self.log.ended() == 128 + signal.SIGKILL, "healthd has not been killed")

    async def stop(self):
        """Ends it in order; how many seconds that took."""
        started = now()
        self.log.signal(signal.SIGTERM)
        code = await self.log.ended()
        check(code == 0, f"healthd ended with {code}: {self.log.last()}")
        return now() - started

    async def ask(self, request):
        """The objects of a reply that succeeds."""
        return await self.client.ask(request)

    async def follow(self, *types):
        """A connection that is told of new samples."""
        client = Client(self.machine)
        await client.greeting()
        client.send(f"follow {' '.join(types)} since=now")
        return client

    def ctl(self, arguments, terminal=False):
        """Starts healthctl."""
        return self.machine.start(
            f"HEALTHD_SOCKET={SOCKET} exec {self.binaries}/healthctl {arguments}",
            f"healthctl {arguments}", terminal)

    async def say(self, arguments):
        """What healthctl prints, which must succeed."""
        channel = self.ctl(arguments)
        code = await channel.ended()
        check(code == 0, f"{channel.name}: exit code {code}: {channel.last()}")
        return channel.text()

    async def values(self, kind, device):
        """The values of a sensor's samples of one type, in their order."""
        samples = await self.ask(f"samples {kind} device={device}")
        return [sample["value"] for sample in samples]

    async def findings(self, device=None):
        """What holds for a sensor, or for bluetoothd and the adapters, by code."""
        found = await self.ask(f"why {device}" if device else "why")
        return {finding["code"]: finding for finding in found}

    async def finds(self, code, device=None):
        """Waits until it says that this holds: with a sentence and evidence."""
        findings = {}

        async def found():
            nonlocal findings
            findings = await self.findings(device)
            return findings.get(code)
        try:
            finding = await until(found, code)
        except Failure:
            raise Failure(f"why {device or ''}: not {code}, but {list(findings)}") from None
        check(finding["text"] and finding["evidence"], f"{code}: no sentence or no evidence")
        log.info("%s: %s (%s)", code, finding["text"], finding["evidence"])

    async def finds_no_more(self, code, device=None):
        """Waits until it does not say any more that this holds."""
        async def gone():
            return code not in await self.findings(device)
        await until(gone, f"{code} is over")


class Client:
    """A connection to healthd's socket."""

    def __init__(self, machine):
        self.channel = machine.connect(SOCKET)

    async def greeting(self):
        """Waits for the greeting."""
        line = await self.channel.line()
        check(line.startswith("HEALTHD 1."), f"greeting: {line}")

    def send(self, request):
        """Sends a request."""
        self.channel.write(request + "\n")

    async def ask(self, request):
        """The objects of a reply that succeeds."""
        self.send(request)
        found = []
        while not (line := await self.channel.line()).startswith(("OK", "ERR")):
            if line.startswith("{"):
                found.append(json.loads(line, parse_float=Decimal))
        check(line.startswith("OK"), f"{request}: {line}")
        return found

    async def sample(self, limit=LIMIT):
        """The next sample that a follower is told of; None after the last."""
        while not (line := await self.channel.line(limit)).startswith('{"class":"add"'):
            check(not line.startswith("ERR"), line)
            if line.startswith("OK"):
                return None
        return json.loads(line, parse_float=Decimal)
