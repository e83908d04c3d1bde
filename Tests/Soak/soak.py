"""A day of eight virtual sensors in minutes, with clients that come, go and misbehave.

What the daemon holds (memory, descriptors, threads, the log of its store) must be as much at the end of
the day as in the morning, and every packet must be stored once.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Benchmarks"))
import proc  # noqa: E402
from daemon import Client, Daemon  # noqa: E402

SENSORS = 8
HOURS = 24
# What may be more at the end than after the first quarter of the day.
SLACK = {"memory": 3_000_000, "descriptors": 0, "threads": 0, "log": 4_200_000}


def recording(binaries, number):
    """The lines of a sensor's day, with an address of its own, and how many of them are readings."""
    generator = os.path.join(binaries, "gattlog-generator")
    kind = ["oximeter", "oximeter", "strap", "thermometer"][number % 4]
    out = subprocess.run(
        [generator, kind, "--days", "1", "--seed", str(number + 1)],
        stdout=subprocess.PIPE, check=True, text=True)
    lines = []
    for line in out.stdout.splitlines(keepends=True):
        fields = line.split('"device":"', 1)
        address = f"00:1C:05:0A:00:{number:02X}"
        lines.append(line if len(fields) < 2 else fields[0] + '"device":"' + address + fields[1][17:])
    measured = ("2a5f", "2a1c", "2a37", "2a19")
    readings = sum(any(f'"characteristic":"{uuid}"' in line for uuid in measured) for line in lines)
    return lines, readings


def part(lines, hour):
    """A twenty-fourth of a recording."""
    size = (len(lines) + HOURS - 1) // HOURS
    return lines[hour * size:(hour + 1) * size]


class Day:
    """The daemon, and what is done to it hour by hour."""

    def __init__(self, daemon, recordings):
        self.daemon = daemon
        self.recordings = recordings
        self.accounts = []
        self.samples = []

    def hour(self, number):
        """All sensors send, while clients ask, follow, hang and vanish."""
        hanging = self.hanging()
        threads = [threading.Thread(target=self.replay, args=(part(lines, number),))
                   for lines in self.recordings]
        for thread in threads:
            thread.start()
        self.strangers()
        self.questions()
        os.kill(self.daemon.pid, signal.SIGHUP)
        for thread in threads:
            thread.join()
        for client in hanging:
            client.close()
        self.measure()

    def replay(self, lines):
        """One sensor's hour."""
        client = Client(self.daemon.path)
        client.begin_replay()
        client.send("".join(lines))
        self.accounts.append(json.loads(client.end_replay()))
        client.close()

    def hanging(self):
        """Followers that read nothing, and clients that stop in the middle of a line."""
        clients = [Client(self.daemon.path) for _ in range(8)]
        for client in clients[:4]:
            client.send("follow since=start\n")
        for client in clients[4:]:
            client.send("samples sp")
        return clients

    def strangers(self):
        """Connections that end at once, and one that sends rubbish."""
        for _ in range(50):
            Client(self.daemon.path).close()
        client = Client(self.daemon.path)
        client.send("\x01\x02 nonsense\n" * 100)
        client.close()

    def questions(self):
        """What people ask while sensors send."""
        client = Client(self.daemon.path)
        for request in ("latest", "samples spo2 limit=1000 order=desc", "devices", "status",
                        "changes since=start limit=100"):
            client.ask(request)
        client.close()

    def measure(self):
        """What the daemon holds once it rests."""
        client = Client(self.daemon.path)
        client.ask("checkpoint")
        client.close()
        proc.settle(self.daemon.pid)
        pid = self.daemon.pid
        log = self.daemon.store + "-wal"
        self.samples.append({
            "memory": proc.status(pid, "VmRSS") * 1024,
            "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": proc.status(pid, "Threads"),
            "log": os.path.getsize(log) if os.path.exists(log) else 0,
        })

    def verdict(self, readings):
        """Prints what was held in the morning and in the evening; whether all is well."""
        morning, evening = self.samples[HOURS // 4 - 1], self.samples[-1]
        good = True
        for key, slack in SLACK.items():
            flat = evening[key] <= morning[key] + slack
            good = good and flat
            print(f"{key:12} {morning[key]:>12,} {evening[key]:>12,}  {'flat' if flat else 'GROWS'}")
        stored = sum(account["stored"] for account in self.accounts)
        whole = stored == readings
        print(f"{'readings':12} {readings:>12,} {stored:>12,}  {'all stored' if whole else 'MISSING'}")
        return good and whole


def main():
    """Plays the day in a folder that vanishes."""
    binaries = sys.argv[1]
    recordings = [recording(binaries, number) for number in range(SENSORS)]
    with tempfile.TemporaryDirectory(prefix="healthd-soak-", dir="/var/tmp") as directory:
        with Daemon(binaries, os.path.join(directory, "daemon")) as daemon:
            day = Day(daemon, [lines for lines, _ in recordings])
            for hour in range(HOURS):
                day.hour(hour)
            print(f"{'':12} {'after 6 h':>12} {'after 24 h':>12}")
            good = day.verdict(sum(readings for _, readings in recordings))
    sys.exit(0 if good else 1)


main()
