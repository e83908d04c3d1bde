#!/usr/bin/env python3
"""Measures what docs/BENCHMARKS.md describes, with the programs of a release build.

usage: bench.py BINARIES [--days N] [--seconds N] [--directory DIR]

All it makes is in a directory of its own, which it removes; the store must be on a real disk, since
what is written is counted.
"""
import argparse
import os
import tempfile

import captures
import imports
import live
import many
import single
import stored
from daemon import Daemon, remove
from recording import Month
from report import Report


def arguments():
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Measures healthd.")
    parser.add_argument("binaries", help="the folder of the release build")
    parser.add_argument("--days", type=int, default=30, help="days of the recording")
    parser.add_argument("--seconds", type=int, default=60, help="seconds with many clients")
    parser.add_argument("--directory", default="/var/tmp", help="a folder on a disk")
    return parser.parse_args()


def measure(options, directory):
    """All measurements, each on a daemon that has not worked before."""
    report = Report()
    home = os.path.join(directory, "daemon")
    single.decode(report, options.binaries)
    captures.convert(report, options.binaries, directory)
    month = Month(options.binaries, directory, options.days)
    with Daemon(options.binaries, home) as daemon:
        single.replay(report, daemon, month)
        stored.measure(report, daemon, month)
    with Daemon(options.binaries, home) as daemon:
        single.idle(report, daemon)
        single.latest(report, daemon)
    with Daemon(options.binaries, home) as daemon:
        single.print_rows(report, daemon, month, min(1_000_000, month.packets * 8 // 10))
    with Daemon(options.binaries, home) as daemon:
        many.lagging(report, daemon)
    with Daemon(options.binaries, home) as daemon:
        many.mixed(report, daemon, options.seconds)
    with Daemon(options.binaries, home, interval="100ms") as daemon:
        single.write_volume(report, daemon)
    with Daemon(options.binaries, os.path.join(directory, "imports")) as daemon:
        imports.health(report, daemon)
    live.sensors(report, options.binaries)


def main():
    """Measures, and leaves nothing behind."""
    options = arguments()
    directory = tempfile.mkdtemp(prefix="healthd-bench-", dir=options.directory)
    try:
        measure(options, directory)
    finally:
        remove(directory)


if __name__ == "__main__":
    main()
