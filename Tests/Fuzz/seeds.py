"""Makes the corpora that fuzzing begins with, of the fixtures and vectors that the tests have."""

import gzip
import json
import re
import struct
from pathlib import Path

import blocks
import bus
import files

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "Tests/CapturesTests/Captures"
RECORDINGS = ROOT / "Tests/ReplayTests/Recordings"
FOUND = Path(__file__).parent / "Found"


def vectors():
    lines = (ROOT / "Tests/MeasurementsTests/Vectors/vectors.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line]


def characteristics():
    return {bytes.fromhex(vector["hex"]) for vector in vectors()}


def decode():
    return {f"{vector['characteristic']} {vector['hex']}".encode() for vector in vectors()}


def recordings():
    return [CAPTURES / "scene.gattlog", *sorted(RECORDINGS.glob("*.gattlog"))]


def gattlog():
    """Whole recordings, and each line by itself: short inputs are tried more often."""
    whole = {path.read_bytes() for path in recordings()}
    return whole | {line for octets in whole for line in octets.splitlines(keepends=True)}


def json_texts():
    return {line for line in gattlog() if line.startswith(b"{") and line.count(b"\n") == 1}


def captures(pattern):
    """Whole captures, and the beginning of each."""
    whole = {path.read_bytes() for path in CAPTURES.parent.glob(f"*/{pattern}")}
    return whole | {octets[:2000] for octets in whole}


def compressed():
    small = {gzip.compress(octets[:600], mtime=0) for octets in captures("*.btsnoop")}
    return captures("*.gz") | small


def packets(records):
    """Records as facts, length and octets; a window of them begins with the first ones."""
    framed = [bytes([facts, len(octets)]) + octets for facts, octets in records if len(octets) < 256]
    starts = range(0, len(framed), 40)
    return {b"".join(framed[:60] + framed[start : start + 40]) for start in starts}


def hci():
    octets = (CAPTURES / "h4-1002.btsnoop").read_bytes()
    records, place = [], 16
    while place < len(octets):
        length, flags = struct.unpack_from(">4xII", octets, place)
        records.append((flags & 3, octets[place + 24 : place + 24 + length]))
        place += 24 + length
    return packets(records)


def air():
    octets = (CAPTURES / "nordic-272.pcap").read_bytes()
    records, place = [], 24
    while place < len(octets):
        length = struct.unpack_from("<8xI", octets, place)[0]
        packet = octets[place + 16 : place + 16 + length]
        records.append((packet[8], packet[17:]))
        place += 16 + length
    return packets(records)


def literals(*paths):
    """What stands between quotes in Swift or between backquotes in a text."""
    for path in paths:
        for plain, quoted in re.findall(r'"([^"\n]+)"|`([^`\n]+)`', path.read_text()):
            yield (plain or quoted).encode()


def requests():
    words = {line.split(maxsplit=1)[0] for line in literals(ROOT / "docs/PROTOCOL.md")}
    tests = sorted((ROOT / "Tests/SystemTests").glob("*.swift"))
    lines = set(literals(ROOT / "docs/PROTOCOL.md", *tests))
    return {line for line in lines if line.split(b" ", 1)[0] in words}


def times():
    tests = (ROOT / "Tests/ControlProtocolTests").glob("TimeExpression*.swift")
    return set(literals(*sorted(tests)))


def configuration():
    file = (ROOT / "config/healthd.conf").read_bytes()
    keys = re.sub(rb"(?m)^#(\w+ = )", rb"\1", file)
    test = (ROOT / "Tests/HealthDaemonTests/ConfigurationTests.swift").read_text()
    texts = {text.encode() for text in re.findall(r'"""\n(.*?)"""', test, re.DOTALL)}
    return {file, keys} | texts


CORPORA = {
    "characteristics": characteristics,
    "decode": decode,
    "gattlog": gattlog,
    "btsnoop": lambda: captures("*.btsnoop"),
    "pcap": lambda: captures("*.pcap"),
    "pcapng": lambda: captures("*.pcapng"),
    "gzip": compressed,
    "hci": hci,
    "air": air,
    "dbus": bus.seeds,
    "request": requests,
    "time": times,
    "configuration": configuration,
    "json": json_texts,
    "block": blocks.seeds,
    "line": files.lines,
    "table": files.tables,
    "health": files.documents,
    "archive": files.archives,
}


def write(target, folder):
    """Fills a folder with the seeds of a target and with what was found earlier."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {path.read_bytes() for path in sorted((FOUND / target).glob("*"))}
    for number, octets in enumerate(sorted(CORPORA[target]() | found)):
        (folder / f"seed-{number:04}").write_bytes(octets)
