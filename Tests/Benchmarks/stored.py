"""What a store takes, and how fast statistics come out of it."""
import calendar
import os
import statistics
import time

import proc
from daemon import Client
from single import SQLITE

YEAR = 365
DAILY = (
    "SELECT at / 86400000, count(*), min(value), max(value), avg(value) FROM sample "
    "WHERE series = 1 GROUP BY 1")


def measure(report, daemon, month):
    """Everything, on the month that was replayed."""
    proc.run([daemon.ctl, "checkpoint", "-q"], daemon.environment)
    client = Client(daemon.path)
    peer = Peer(daemon, month)
    size(report, daemon, client, peer)
    daily(report, client, peer, month)
    one_day(report, client, month)
    latest(report, client)
    desaturations(report, client, month)
    peer.remove()


class Peer:
    """The oxygen saturations as rows of a table with a covering index, as many programs keep them."""

    def __init__(self, daemon, month):
        self.base = os.path.join(daemon.directory, "samples.db")
        self.rows = os.path.join(daemon.directory, "samples.csv")
        client = Client(daemon.path)
        self.count = self._write(client)
        client.close()
        proc.run([
            SQLITE, self.base, "PRAGMA journal_mode = WAL",
            "CREATE TABLE sample(series INTEGER, at INTEGER, value REAL)",
            "CREATE INDEX sample_time ON sample(series, at, value)",
            f".import --csv {self.rows} sample"])
        os.remove(self.rows)

    def _write(self, client):
        """Writes the rows of series, time and value; how many there are."""
        client.send("samples spo2 format=tsv\n")
        count = 0
        with open(self.rows, "w") as table:
            while not (line := client.line()).startswith("OK"):
                if line.startswith("#"):
                    continue
                fields = line.split("\t")
                table.write(f"1,{milliseconds(fields[0])},{fields[3]}\n")
                count += 1
        return count

    def remove(self):
        """Removes the table."""
        os.remove(self.base)


def milliseconds(text, known={}):
    """The ms since 1970 of a time in UTC; days are looked up."""
    day = text[:10]
    if day not in known:
        known[day] = calendar.timegm(time.strptime(day, "%Y-%m-%d"))
    hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
    return (known[day] + hour * 3600 + minute * 60 + second) * 1000 + int(text[20:23])


def timed(client, request, runs):
    """The median of a request's ms, and its lines."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        lines = client.ask(request)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times), lines


def size(report, daemon, client, peer):
    """What one sample takes on the disk, indices, summaries and all."""
    ask = "samples spo2 hr pi modality=all quality=all format=tsv"
    samples = count_lines(client, ask)
    octets = os.path.getsize(daemon.store)
    ours, theirs = octets / samples, os.path.getsize(peer.base) / peer.count
    report.row(
        f"{samples:,} samples on the disk", f"{ours:.2f} octets each", "5",
        f"rows of series, time and value, with a covering index: {theirs:.1f}", ours <= 5)


def count_lines(client, request):
    """How many lines a reply has before its end."""
    client.send(request + "\n")
    return int(next_end(client).split("n=")[1].split()[0])


def next_end(client):
    """The last line of a reply."""
    while not (line := client.line()).startswith("OK"):
        pass
    return line


def daily(report, client, peer, month):
    """Statistics of each day, beside the shell's over the rows."""
    ours, lines = timed(client, "series spo2 bucket=1d fn=count,min,max,avg", 5)
    theirs = proc.run([SQLITE, peer.base, DAILY])[0] * 1000
    days, limit = len(lines) - 2, 100 * month.days / YEAR
    report.row(
        f"statistics of each of {days} days", f"{ours:.1f} ms, {theirs / ours:.0f} times faster",
        f"100 times, {limit:.1f} ms (100 ms a year)", f"sqlite3 over the rows: {theirs:.0f} ms",
        theirs >= 100 * ours and ours <= limit)


def one_day(report, client, month):
    """Statistics of one day that begins between two quarters of an hour."""
    day = month.first[:10]
    ours, _ = timed(client, f"stats spo2 start={day}T01:07:00Z end={day}T22:52:00Z", 20)
    report.row("statistics of one day", f"{ours:.2f} ms", "5 ms", "", ours <= 5)


def latest(report, client):
    """The newest saturation."""
    ours, _ = timed(client, "latest spo2", 200)
    report.row("`latest` in the daemon", f"{ours:.2f} ms", "1 ms", "", ours <= 1)


def desaturations(report, client, month):
    """The report that decodes every packet."""
    ours, _ = timed(client, "report odi", 1)
    limit = 5000 * month.days / YEAR
    report.row(
        f"desaturations of {month.days} days", f"{ours:.0f} ms", f"{limit:.0f} ms (5 s a year)",
        "", ours <= limit)
