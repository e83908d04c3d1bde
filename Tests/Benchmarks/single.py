"""What is measured with one client or none."""
import os
import statistics
import subprocess
import time

import proc
from daemon import Client
from recording import packet

SQLITE = "/usr/bin/sqlite3"


def decode(report, binaries):
    """Packets that one core decodes in a second."""
    out = subprocess.run(
        [os.path.join(binaries, "decoding-benchmark")], stdout=subprocess.PIPE, check=True)
    rates = dict(line.split() for line in out.stdout.decode().splitlines())
    fields, samples = (int(rates[key]) / 1e6 for key in ("measurements", "samples"))
    report.row(
        "decode 2A5F, 20 octets, one core", f"{fields:.1f} million packets/s",
        "5 million", f"as 7 samples: {samples:.1f} million packets/s", fields >= 5)


def replay(report, daemon, month):
    """A recording through the socket into the store, beside the shell's import of as many rows."""
    before = proc.processor_seconds(daemon.pid)
    seconds, client = proc.run([daemon.ctl, "replay", "-q", month.gattlog], daemon.environment)
    used = proc.processor_seconds(daemon.pid) - before + client
    imported = import_csv(month, daemon.directory)
    rate = month.packets / seconds
    report.row(
        f"replay {month.packets:,} packets", f"{rate:,.0f} packets/s ({used:.1f} s of processor)",
        "20,000, aim 100,000",
        f"sqlite3 .import: {month.packets / imported[0]:,.0f} rows/s ({imported[1]:.1f} s)",
        rate >= 20_000)


def import_csv(month, directory):
    """The shell's seconds for the same rows into a table with an index."""
    base = os.path.join(directory, "import.db")
    seconds = proc.run([
        SQLITE, base, "PRAGMA journal_mode = WAL",
        "CREATE TABLE reading(stream INTEGER, at TEXT, octets TEXT)",
        "CREATE INDEX reading_time ON reading(stream, at)",
        f".import --csv {month.csv} reading"])
    os.remove(base)
    return seconds


def latest(report, daemon, runs=200):
    """A whole process that asks for the newest values, beside one that opens a file."""
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(proc.run([daemon.ctl, "latest"], daemon.environment)[0])
        theirs.append(proc.run([SQLITE, daemon.store, "select 1"])[0])
    ours, theirs = (statistics.median(times) * 1000 for times in (ours, theirs))
    report.row(
        f"`healthctl latest`, median of {runs}", f"{ours:.2f} ms, {ours / theirs:.2f} times",
        "3 times", f"`sqlite3 file 'select 1'`: {theirs:.2f} ms", ours < 3 * theirs)


def idle(report, daemon, seconds=20):
    """What a daemon costs that nobody asks and no sensor reaches."""
    # What the start notes is on the disk when nothing has run for longer than a commit waits.
    proc.settle(daemon.pid, 12)
    before = proc.switches(daemon.pid)
    time.sleep(seconds)
    woken = proc.switches(daemon.pid) - before
    memory = proc.megabytes(daemon.pid)
    report.row("idle: memory", f"{memory:.1f} MB", "12 MB", "", memory < 12)
    report.row(f"idle: wake-ups in {seconds} s", f"{woken}", "0", "", woken == 0)


def print_rows(report, daemon, month, rows):
    """Samples as TSV, beside the shell's rows with the same two times."""
    client = Client(daemon.path)
    before = proc.processor_seconds(daemon.pid)
    start = time.perf_counter()
    client.octets(f"samples spo2 limit={rows} format=tsv")
    seconds = time.perf_counter() - start
    used = proc.processor_seconds(daemon.pid) - before
    base = table(month, daemon.directory)
    theirs = proc.run([SQLITE, "-separator", "\t", base, query(rows)])
    os.remove(base)
    report.row(
        f"{rows:,} samples as TSV", f"{seconds:.2f} s ({used:.2f} s of processor)",
        "no slower", f"sqlite3 with strftime: {theirs[0]:.2f} s ({theirs[1]:.2f} s)",
        seconds <= theirs[0])


def table(month, directory):
    """A file with the packets as rows, as healthd keeps those that are not sealed yet."""
    base = os.path.join(directory, "rows.db")
    proc.run([
        SQLITE, base, "PRAGMA journal_mode = WAL",
        "CREATE TABLE packet(stream INTEGER, at TEXT, octets TEXT)",
        f".import --csv {month.csv} packet",
        "CREATE TABLE reading(seq INTEGER PRIMARY KEY, stream INTEGER, at INTEGER, octets TEXT)",
        "INSERT INTO reading SELECT rowid, stream, "
        "round((julianday(at) - 2440587.5) * 86400000), octets FROM packet",
        "CREATE INDEX reading_time ON reading(stream, at)"])
    return base


def query(rows):
    """SQL for as many packets in the order of their times, with the time as text twice."""
    time_text = "strftime('%Y-%m-%dT%H:%M:%f+00:00', at / 1000.0, 'unixepoch')"
    return (
        f"SELECT {time_text}, {time_text}, stream, octets, seq FROM reading "
        f"WHERE stream = 1 ORDER BY at, seq LIMIT {rows}")


def write_volume(report, daemon, hours=2):
    """What a 1 Hz stream writes: ten seconds of it at once, as often as they are committed."""
    client = Client(daemon.path)
    client.begin_replay()
    proc.settle(daemon.pid)
    commits, octets = daemon.metric("durableCommits"), proc.written(daemon.pid)
    for group in range(hours * 360):
        client.send("".join(line(group * 10 + number) for number in range(10)))
        time.sleep(0.15)
    proc.settle(daemon.pid)
    octets = proc.written(daemon.pid) - octets
    commits = daemon.metric("durableCommits") - commits
    client.end_replay()
    per_day = octets / commits * 8640 / 1e6
    report.row(
        "written for a 1 Hz stream", f"{per_day:.0f} MB a day", "120 MB",
        f"{octets / 1e6:.1f} MB in {commits} commits of 10 s", per_day < 120)


def line(number):
    """A packet of another oximeter, one a second."""
    return packet("00:1C:05:0A:0B:0C", number * 1000, number)
