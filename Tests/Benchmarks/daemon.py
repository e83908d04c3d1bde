"""A daemon of our own, and clients of it."""
import json
import os
import shutil
import socket
import subprocess
import time


class Daemon:
    """A running healthd with a store in a directory."""

    def __init__(self, binaries, directory, interval="10s"):
        self.ctl = os.path.join(binaries, "healthctl")
        self.path = os.path.join(directory, "healthd.sock")
        self.store = os.path.join(directory, "state", "healthd.db")
        os.makedirs(directory, exist_ok=True)
        config = os.path.join(directory, "healthd.conf")
        with open(config, "w") as file:
            file.write(f"[store]\ncommit_interval = {interval}\n")
        self.environment = dict(os.environ, HEALTHD_SOCKET=self.path)
        self.process = subprocess.Popen(
            [os.path.join(binaries, "healthd"), "--config", config, "--source", "none",
             "--state-dir", os.path.dirname(self.store), "--socket", self.path],
            stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        self.directory = directory
        self._wait()

    def _wait(self):
        for _ in range(1000):
            try:
                return Client(self.path).close()
            except OSError:
                time.sleep(0.02)
        raise SystemExit("healthd does not answer")

    def metric(self, name):
        """One of the daemon's own counts."""
        return json.loads(Client(self.path).ask("metrics")[0])[name]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Client:
    """A connection to a daemon."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest = b""
        self.greeting = self.line()

    def close(self):
        """Ends the connection."""
        self.socket.close()

    def send(self, text):
        """Sends a request, or lines of a recording."""
        self.socket.sendall(text.encode())

    def line(self):
        """The next line without its end."""
        while b"\n" not in self.rest:
            piece = self.socket.recv(65536)
            if not piece:
                raise OSError("healthd has hung up")
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def ask(self, request):
        """The lines of a reply, the last of them its end."""
        self.send(request + "\n")
        lines = [self.line()]
        while not lines[-1].startswith(("OK", "ERR")):
            lines.append(self.line())
        if lines[-1].startswith("ERR"):
            raise SystemExit(f"{request}: {lines[-1]}")
        return lines

    def octets(self, request):
        """How many octets a reply has, which are thrown away."""
        self.send(request + "\n")
        count, tail = 0, b""
        buffer = bytearray(262_144)
        while not (tail.endswith(b"\n") and b"\nOK" in tail):
            got = self.socket.recv_into(buffer)
            count += got
            tail = (tail + buffer[max(0, got - 200):got])[-200:]
        return count

    def begin_replay(self):
        """Makes the daemon ready for lines of a recording."""
        self.send("replay\n")
        while self.line() != "# send":
            pass

    def end_replay(self):
        """Ends a recording; how the daemon accounts for it."""
        self.send(".\n")
        while not (line := self.line()).startswith('{"class":"replay"'):
            pass
        self.line()
        return line


def remove(directory):
    """Removes what a daemon has left."""
    shutil.rmtree(directory, ignore_errors=True)
