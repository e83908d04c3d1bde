"""What 64 MB cost: large.py BINARIES checks memory, and that four times the input is not 16 times the work."""

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "Tests/CapturesTests/Captures"
MB = 1 << 20
SIZE = 64 * MB
MEMORY = 256 * MB
# Four times the work for four times the input, and as much again for what the machine does meanwhile.
GROWTH = 8


def capture(name, header):
    octets = (CAPTURES / name).read_bytes()
    return octets[:header], octets[header:], 1


def start(name, header):
    return (CAPTURES / name).read_bytes()[:header]


SCENE = (CAPTURES / "scene.gattlog").read_bytes()
BLOCK = 0x40000
# What a file begins with, what is repeated behind it, and how much larger it is than the file.
INPUTS = {
    "btsnoop": capture("h4-1002.btsnoop", 16),
    "btsnoop of btmon": capture("monitor-2001.btsnoop", 16),
    "pcap": capture("air-256-nano.pcap", 24),
    "pcap of Nordic": capture("nordic-272.pcap", 24),
    "pcapng": capture("two-sniffers-big.pcapng", 0),
    "gattlog": (b"", SCENE, 1),
    "damaged lines": (b"", b"{nothing\n", 1),
    "one long line": (b"", b"{", 1),
    "zeros in btsnoop": (start("h4-1002.btsnoop", 16), bytes(24), 1),
    "zeros in pcap": (start("h4-187.pcap", 24), bytes(16), 1),
    "largest blocks": (
        start("h4-187.pcapng", 28),
        b"\6\0\0\0" + BLOCK.to_bytes(4, "little") + bytes(BLOCK - 12) + BLOCK.to_bytes(4, "little"),
        1),
    "a bomb in gzip": (b"", gzip.compress(SCENE[:1000] + b"\n" * MB, mtime=0), 500),
    "zeros": (b"", bytes(4096), 1),
}


def write(path, size, head, unit, growth):
    """Writes in pieces: what this process holds would count as memory of those that it starts."""
    piece = unit * max(1, MB // len(unit))
    left = size // growth
    with open(path, "wb") as file:
        file.write(head)
        while left > 0:
            left -= file.write(piece[:left])


def cost(binary, path):
    """The memory and the processor time that converting a file takes."""
    child = subprocess.Popen(
        [binary, "convert", "--quiet", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 65):
        sys.exit(f"exit status {child.returncode} where 0 or 65 is due: {path}")
    return usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def check(binary, parts, folder):
    times, memory = [], 0
    for size in (SIZE // 4, SIZE):
        path = Path(folder) / "input"
        write(path, size, *parts)
        costs = [cost(binary, path) for _ in range(3)]
        times.append(min(time for _, time in costs))
        memory = max(memory, *(octets for octets, _ in costs))
    # Below a twentieth of a second the start of the program is most of it.
    return memory, times[1] / max(times[0], 0.05), times[1]


def main():
    binary = Path(sys.argv[1]) / "healthctl"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, parts in INPUTS.items():
            memory, growth, time = check(binary, parts, folder)
            went_well = memory < MEMORY and growth < GROWTH
            failed += not went_well
            print(
                f"{name:<18} {memory // MB:>4} MB {time:6.2f} s,"
                f" four times the input {growth:4.1f} times the work"
                + ("" if went_well else ": TOO MUCH"), flush=True)
    print(f"{len(INPUTS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
