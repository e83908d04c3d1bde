"""A large capture, beside what Wireshark's tshark takes to find the same operations in it."""
import os
import shutil
import struct
import subprocess

HEADER = b"btsnoop\0" + struct.pack(">II", 1, 1002)
# 2026-11-15 in microseconds since the year 0, as btsnoop counts.
START = 0x00E03AB44A676000 + 848_000_000_000_000
NOTIFICATIONS = 1_000_000
# What an oximeter sends with every field that it can have, and a vendor's remark behind it: 100 octets a record.
VALUE = bytes.fromhex("1fd4f36300d4f36000caf363000001000000cee2") + bytes(44)


def record(octets, flags, time):
    """A record of btsnoop."""
    return struct.pack(">IIIIQ", len(octets), len(octets), flags, 0, time) + octets


def data(operation, is_sent, time):
    """An operation of the Attribute Protocol on link 0x0040."""
    packet = struct.pack("<HH", len(operation), 4) + operation
    handle = 0x0040 if is_sent else 0x2040
    return record(b"\2" + struct.pack("<HH", handle, len(packet)) + packet, int(not is_sent), time)


def write(path):
    """A million notifications behind a connection and a discovery."""
    connected = bytes([4, 0x3E, 19, 1, 0, 0x40, 0, 0, 0, 3, 2, 1, 5, 0x1C, 0, 24, 0, 0, 0, 72, 0, 0])
    with open(path, "wb") as file:
        file.write(HEADER + record(connected, 3, START))
        file.write(data(bytes([0x10, 1, 0, 0xFF, 0xFF, 0, 0x28]), True, START))
        file.write(data(bytes([0x11, 6, 1, 0, 0x20, 0, 0x22, 0x18]), False, START))
        file.write(data(bytes([8, 1, 0, 0xFF, 0xFF, 3, 0x28]), True, START))
        file.write(data(bytes([9, 7, 0x0B, 0, 0x10, 0x0C, 0, 0x5F, 0x2A]), False, START))
        for number in range(NOTIFICATIONS):
            file.write(data(b"\x1B\x0C\0" + VALUE, False, START + 1_000_000 * number // 10))


def cost(arguments):
    """Seconds of processor time, and MB at most, of a program whose output is thrown away."""
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{arguments[0]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def convert(report, binaries, directory):
    """The best of three, since other programs can only make it slower."""
    path = os.path.join(directory, "million.btsnoop")
    write(path)
    size = os.path.getsize(path) / 1e6
    costs = [cost([f"{binaries}/healthctl", "convert", "--quiet", path]) for _ in range(3)]
    seconds, memory = min(costs)[0], max(cost[1] for cost in costs)
    report.row(
        f"capture of {size:.0f} MB, a million notifications", f"{size / seconds:.0f} MB/s",
        "150 MB/s", f"{memory:.0f} MB of memory (64 MB)", size / seconds >= 150 and memory < 64)
    if shutil.which("tshark"):
        beside, _ = cost(["tshark", "-r", path, "-Y", "btatt"])
        report.row(
            "the same, less than tshark's processor time", f"{beside / seconds:.0f} times",
            "20 times", f"tshark -Y btatt: {beside:.1f} s", beside >= 20 * seconds)
    os.unlink(path)
