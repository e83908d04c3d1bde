"""What is measured with many clients at once."""
import multiprocessing
import selectors
import time

import proc
from daemon import Client
from recording import packet
from report import quantile

CLIENTS = 64
PACE = 500
DEVICE = "00:1C:05:0D:0E:0F"


def lagging(report, daemon):
    """The memory that followers cost who take nothing."""
    proc.settle(daemon.pid)
    before = proc.megabytes(daemon.pid)
    clients = [Client(daemon.path) for _ in range(CLIENTS)]
    for client in clients:
        client.send("follow since=start\n")
    proc.settle(daemon.pid)
    added = proc.megabytes(daemon.pid) - before
    report.row(
        f"{CLIENTS} followers that lag", f"{added:.1f} MB more", "20 MB", "", added < 20)


def mixed(report, daemon, seconds):
    """Packets that come in while many clients ask and follow."""
    sent = multiprocessing.Array("d", seconds * PACE, lock=False)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        crowd = pool.apply_async(Crowd.watch, (daemon.path, len(sent)))
        watcher = pool.apply_async(watch, (daemon.path, len(sent)))
        time.sleep(1)
        account = feed(daemon.path, sent)
        taken, (asked, counts) = watcher.get(30), crowd.get(30)
    delays = [there - here for here, there in zip(sent, taken)]
    complete = f'"stored":{len(sent)},' in account and len(delays) == len(sent)
    report.row(
        f"{CLIENTS} clients, {PACE} packets/s, {seconds} s: packets lost",
        "none" if complete and set(counts) == {len(sent)} else f"some: {account} {counts}",
        "none", f"{len(counts) + 1} follow, {len(asked)} times `latest`",
        complete and set(counts) == {len(sent)})
    milliseconds(report, "the same: `latest`, p99", asked, 20)
    milliseconds(report, "the same: packet sent to line read, p99", delays, 5)


def milliseconds(report, what, times, limit):
    """A row for the slowest of a hundred."""
    slow, half = (quantile(times, share) * 1000 for share in (0.99, 0.5))
    report.row(what, f"{slow:.1f} ms", f"{limit} ms", f"median {half:.1f} ms", slow < limit)


def feed(path, sent):
    """Sends packets at an even pace and notes when; how the daemon accounts for them."""
    client = Client(path)
    client.begin_replay()
    start = time.monotonic()
    for number in range(len(sent)):
        time.sleep(max(0, start + number / PACE - time.monotonic()))
        line = packet(DEVICE, number * 1000 // PACE, number)
        sent[number] = time.monotonic()
        client.send(line)
    return client.end_replay()


def watch(path, count):
    """Follows, and notes when each packet's line has come."""
    client = Client(path)
    client.send("follow spo2\n")
    taken = []
    while len(taken) < count:
        if client.line().startswith('{"class":"add"'):
            taken.append(time.monotonic())
    return taken


class Crowd:
    """All other clients: a third follows, the others ask once a second."""

    REQUESTS = ("follow spo2", "latest", "samples spo2 hr limit=20 order=desc")

    def __init__(self, path):
        self.selector = selectors.DefaultSelector()
        self.members = [
            Member(path, self.REQUESTS[number % 3], number / CLIENTS)
            for number in range(CLIENTS - 1)]
        for member in self.members:
            self.selector.register(member.socket, selectors.EVENT_READ, member)

    @classmethod
    def watch(cls, path, count):
        """The times that `latest` took, and how many records each follower has got."""
        crowd = cls(path)
        followers = [member for member in crowd.members if member.is_follower]
        while any(follower.records < count for follower in followers):
            crowd.turn()
        asked = [time for member in crowd.members if member.request == "latest"
                 for time in member.times]
        return asked, [follower.records for follower in followers]

    def turn(self):
        """Asks what is due, and takes what has come."""
        now = time.monotonic()
        for member in self.members:
            if member.due <= now:
                member.ask()
        wait = min(member.due for member in self.members) - time.monotonic()
        for key, _ in self.selector.select(max(0, min(wait, 1))):
            key.data.take()


class Member:
    """One client of the crowd."""

    def __init__(self, path, request, delay):
        self.socket = Client(path).socket
        self.request = request
        self.is_follower = request.startswith("follow")
        self.due = time.monotonic() + delay
        self.asked = 0
        self.tail = b""
        self.records = 0
        self.times = []

    def ask(self):
        """Asks; a follower only once."""
        self.asked = time.monotonic()
        self.due = float("inf") if self.is_follower else self.due + 1
        self.socket.sendall(self.request.encode() + b"\n")

    def take(self):
        """Counts records, or notes the time of a reply's end."""
        text = self.tail + self.socket.recv(262_144)
        whole, _, self.tail = text.rpartition(b"\n")
        lines = b"\n" + whole
        self.records += lines.count(b'\n{"class":"add"')
        if b"\nOK" in lines:
            self.times.append(time.monotonic() - self.asked)
