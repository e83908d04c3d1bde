"""What is measured of files of other programs."""
import os
import random
import subprocess
import sys
import time
import zipfile

import proc

MEGABYTES = 100
START = 1_262_304_000
PREFIX = "HKQuantityTypeIdentifier"
WATCH = ("Anna’s Apple\u00a0Watch", "Apple Watch", "Watch6,1")
PHONE = ("Anna’s iPhone", "iPhone", "iPhone12,1")
# A type, its share of all records, its unit, what saves it, its values, and how long it lasts, in s.
KINDS = [
    ("ActiveEnergyBurned", 40, "kcal", WATCH, lambda: f"{random.random():.6g}", 60),
    ("HeartRate", 30, "count/min", WATCH, lambda: str(random.randint(50, 150)), 0),
    ("DistanceWalkingRunning", 12, "km", PHONE, lambda: f"{random.random() / 9:.6g}", 300),
    ("StepCount", 12, "count", PHONE, lambda: str(random.randint(1, 900)), 300),
    ("OxygenSaturation", 5, "%", WATCH, lambda: f"0.{random.randint(90, 99)}", 15),
    ("BodyTemperature", 1, "degC", PHONE, lambda: f"3{random.randint(60, 75) / 10:.1f}", 0),
]

# What Python does for the same question: the records of the types, with their values and times.
PARSER = """
import sys
import xml.etree.ElementTree as tree
wanted = {"HKQuantityTypeIdentifier" + name for name in sys.argv[2:]}
count = 0
for _, element in tree.iterparse(sys.argv[1]):
    if element.tag == "Record" and element.get("type") in wanted:
        count += 1
        float(element.get("value")), element.get("startDate"), element.get("endDate")
    element.clear()
print(count)
"""


def text(seconds):
    """A time as Apple writes it."""
    days, rest = divmod(seconds, 86_400)
    year, day = divmod(days - START // 86_400, 336)
    return (f"{2010 + year}-{day // 28 + 1:02}-{day % 28 + 1:02} "
            f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02} +0900")


def record(kind, seconds):
    """A record of a kind."""
    name, _, unit, (source, device, hardware), value, lasts = kind
    start, end = text(seconds), text(seconds + lasts)
    return (
        f' <Record type="{PREFIX}{name}" sourceName="{source}" sourceVersion="7.1" '
        f'device="&lt;&lt;HKDevice: 0x{random.getrandbits(33):x}&gt;, name:{device}, '
        f'manufacturer:Apple Inc., model:{device}, hardware:{hardware}, software:7.1&gt;" '
        f'unit="{unit}" creationDate="{end}" startDate="{start}" endDate="{end}" '
        f'value="{value()}"/>\n')


def write(path):
    """An export of so many MB, in the order in which a phone writes it: type by type."""
    random.seed(1)
    total = sum(kind[1] for kind in KINDS)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n'
                   '<!ELEMENT HealthData ANY>\n]>\n<HealthData locale="en_US">\n')
        for kind in KINDS:
            end = file.tell() + MEGABYTES * 1_000_000 * kind[1] // total
            seconds = START
            while file.tell() < end:
                file.write("".join(record(kind, seconds + i * 301) for i in range(200)))
                seconds += 200 * 301
        file.write("</HealthData>\n")


def measured(arguments, environment=None):
    """Runs a program; the seconds it took, and the most memory it had in use, in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(
        arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = proc.peak(process)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)}: exit {process.returncode}")
    return time.perf_counter() - start, most


def health(report, daemon):
    """An export of Apple Health, as XML and as an archive, beside Python's parser."""
    path = os.path.join(daemon.directory, "export.xml")
    archive = os.path.join(daemon.directory, "export.zip")
    write(path)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.write(path, "apple_health_export/export.xml")
    size = os.path.getsize(path) / 1e6
    names = ["HeartRate", "StepCount", "OxygenSaturation", "BodyTemperature"]
    python, held = measured([sys.executable, "-c", PARSER, path, *names])
    for file, what in ((path, "export.xml"), (archive, "the same in export.zip, all known")):
        before = proc.processor_seconds(daemon.pid)
        wall = proc.run([daemon.ctl, "import", "-q", file], daemon.environment)
        used = proc.processor_seconds(daemon.pid) - before + wall[1]
        _, peak = measured([daemon.ctl, "import", "-q", "--dry-run", file], daemon.environment)
        report.row(
            f"import {size:.0f} MB of {what}",
            f"{size / wall[0]:.0f} MB/s ({used:.1f} s of processor), client {peak:.1f} MB",
            "20 MB/s, 20 MB",
            f"Python's iterparse, which stores nothing: {size / python:.0f} MB/s, {held:.0f} MB",
            size / wall[0] >= 20 and peak <= 20)
    for file in (path, archive):
        os.remove(file)
