"""The virtual machine: Debian's kernel in QEMU with this machine's files, read-only."""
import asyncio
import os
import struct
import subprocess

from waiting import LIMIT, Failure, check

# Frames that the agent in the guest knows; see guest/agent.c.
RUN, RUN_ON_TERMINAL, CONNECT, INPUT, END_INPUT, SIGNAL, POWER_OFF = b"rtciekp"
OUTPUT, ENDED = b"ox"
CHUNK = 4096
# What systemd's guest can write.
DISK_SIZE = 1 << 30
# Where mkfs is, which is not on everybody's path.
PLACES = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
# What the kernel is told where systemd is the guest's first process; see guest/systemd.sh.
SYSTEMD = (" vm.systemd systemd.unit=vm.target systemd.show_status=0 systemd.log_level=notice "
           "systemd.gpt_auto=0")


class Channel:
    """A program that runs in the guest, or a connection to a socket there."""

    def __init__(self, machine, number, name):
        self._machine, self.number, self.name = machine, number, name
        self.output, self.code = b"", None
        self._taken, self._news = 0, asyncio.Event()

    def write(self, text):
        """Gives it input."""
        octets = text.encode()
        for start in range(0, len(octets), CHUNK):
            self._machine.send(INPUT, self.number, octets[start:start + CHUNK])

    def end_input(self):
        """Tells it that no more input comes."""
        self._machine.send(END_INPUT, self.number)

    def signal(self, number):
        """Sends a signal to the program and to all that it started."""
        self._machine.send(SIGNAL, self.number, bytes([number]))

    async def ended(self, limit=LIMIT):
        """Waits for its end; its exit code, or 128 and the signal that ended it."""
        await self._until(lambda: self.code is not None, "does not end", limit)
        return self.code

    async def line(self, limit=LIMIT):
        """The next line of its output that was not taken yet."""
        await self._until(lambda: b"\n" in self.output[self._taken:], "says no more", limit)
        end = self.output.index(b"\n", self._taken)
        line, self._taken = self.output[self._taken:end], end + 1
        return line.decode(errors="replace").rstrip("\r")

    async def says(self, text, limit=LIMIT):
        """Waits until its output, after what was taken, has this text."""
        octets = text.encode()
        await self._until(lambda: octets in self.output[self._taken:], f"has not “{text}”", limit)
        self._taken = self.output.index(octets, self._taken) + len(octets)

    async def _until(self, condition, fault, limit):
        try:
            async with asyncio.timeout(limit):
                while not condition():
                    check(self.code is None, f"{self.name} {fault} but has ended: {self.last()}")
                    await self._news.wait()
        except TimeoutError:
            raise Failure(f"{self.name} {fault} in {limit} s: {self.last()}") from None

    def text(self):
        """All that it has said."""
        return self.output.decode(errors="replace")

    def last(self):
        """The end of what it has said."""
        return self.text()[-600:]

    def take(self, kind, payload):
        """Something came from it."""
        if kind == OUTPUT:
            self.output += payload
        else:
            self.code = payload[0]
        self._news.set()
        self._news = asyncio.Event()


class Machine:
    """A running virtual machine."""

    def __init__(self, made, out, systemd=False):
        self.made, self.out, self.systemd = made, out, systemd
        self.channels, self._free = {}, list(range(1, 256))
        self._up = asyncio.Event()
        self._writer = self._process = None
        # What systemd's guest writes is still there when it boots again.
        self._disk = os.path.join(out, "layer.ext4") if systemd else None

    async def boot(self, air):
        """Starts it, and waits until its agent answers."""
        # Names and not paths, since the path of a socket must be short.
        os.chdir(self.out)
        await air.listen("hci.sock")
        await asyncio.start_unix_server(self._serve, "agent.sock")
        if self._disk:
            with open(self._disk, "wb") as disk:
                disk.truncate(DISK_SIZE)
            subprocess.run(["mkfs.ext4", "-q", "-F", self._disk], check=True, env=PLACES)
        await self._start()

    async def _start(self):
        self._process = await asyncio.create_subprocess_exec(
            *self._command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        async with asyncio.timeout(3 * LIMIT):
            await self._up.wait()

    async def reboot(self):
        """Ends it as systemd does, all services in order, and starts it once more."""
        self.start("systemctl start --no-block poweroff.target")
        async with asyncio.timeout(2 * LIMIT):
            await self._process.wait()
        self.channels, self._free = {}, list(range(1, 256))
        self._up.clear()
        await self._start()

    def _command(self):
        """QEMU without KVM, since the machine that this runs on may be virtual itself."""
        out, made = self.out, self.made
        return [
            "qemu-system-x86_64", "-accel", "tcg,thread=single,tb-size=256", "-M", "q35",
            "-cpu", "qemu64", "-smp", "1", "-m", "512", "-nodefaults", "-no-user-config",
            "-display", "none", "-no-reboot",
            "-kernel", f"{made}/vmlinux", "-initrd", f"{made}/disk.cpio",
            "-append", self._kernel_options(),
            "-serial", f"file:{out}/console.log", "-device", "virtio-rng-pci",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=hci,path=hci.sock",
            "-device", "virtserialport,chardev=hci,nr=1,name=hci",
            "-chardev", f"socket,id=agent,path=agent.sock",
            "-device", "virtserialport,chardev=agent,nr=2,name=agent",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,"
            "multidevs=remap",
            "-virtfs", f"local,path={out},mount_tag=out,security_model=none", *self._drive()]

    def _drive(self):
        options = f"file={self._disk},format=raw,if=virtio,cache=unsafe"
        return ["-drive", options] if self._disk else []

    def _kernel_options(self):
        frequency = subprocess.run([f"{self.made}/tsc"], capture_output=True, text=True)
        return ("console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable "
                f"cryptomgr.notests tsc_early_khz={frequency.stdout.strip()} "
                f"vm.programs={self.made}" + (SYSTEMD if self.systemd else ""))

    async def _serve(self, reader, writer):
        self._writer = writer
        while True:
            try:
                kind, number, count = struct.unpack("<BBH", await reader.readexactly(4))
                payload = await reader.readexactly(count)
            except asyncio.IncompleteReadError:
                return
            if number == 0:
                self._up.set()
            elif channel := self.channels.get(number):
                channel.take(kind, payload)
                if kind == ENDED:
                    self._free.append(number)

    def send(self, kind, number=0, payload=b""):
        """Sends a frame to the agent."""
        self._writer.write(struct.pack("<BBH", kind, number, len(payload)) + payload)

    def _open(self, kind, what, name):
        channel = Channel(self, self._free.pop(0), name or what)
        self.channels[channel.number] = channel
        self.send(kind, channel.number, what.encode())
        return channel

    def start(self, command, name=None, terminal=False):
        """Starts a shell command in the guest, on a terminal if that is wanted."""
        return self._open(RUN_ON_TERMINAL if terminal else RUN, command, name)

    def connect(self, path):
        """Connects to a Unix socket in the guest; the channel ends at once if that is refused."""
        return self._open(CONNECT, path, path)

    async def run(self, command, limit=LIMIT):
        """Runs a shell command in the guest; what it says."""
        channel = self.start(command)
        code = await channel.ended(limit)
        check(code == 0, f"{command}: exit code {code}: {channel.last()}")
        return channel.text()

    async def power_off(self):
        """Ends it."""
        if self._writer:
            self.send(POWER_OFF)
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
