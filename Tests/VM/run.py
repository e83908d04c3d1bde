#!/usr/bin/env python3
"""Plays scenes with the real bluetoothd and kernel in a virtual machine, and virtual sensors.

usage: run.py MADE BINARIES [WORD…]

MADE is the folder that prepare.sh has filled, BINARIES that of a release build. Words choose the
scenes whose names have one of them; the first contacts are always played. What was seen is left
in MADE/out; with VM_MONITOR in the environment also all that went over D-Bus.
"""
import asyncio
import logging
import os
import shutil
import sys
import traceback

import scenes_pairing
import scenes_readings
import scenes_captures
import scenes_trouble
import scenes_daemon
from scene import SCENES
from waiting import Failure, now
from world import World

# No scene takes longer, whatever else the machine does.
LIMIT = 240


def main():
    """Plays the scenes; the exit code says whether all went as they must."""
    made, binaries = (os.path.abspath(folder) for folder in sys.argv[1:3])
    out = os.path.join(made, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    logging.basicConfig(filename=os.path.join(out, "run.log"), level=logging.DEBUG,
                        format="%(asctime)s %(name)s: %(message)s")
    for noisy in ("bumble", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    failed = asyncio.run(play(World(made, out, binaries), chosen(sys.argv[3:])))
    sys.exit(1 if failed else 0)


def chosen(words):
    """The scenes to play."""
    first = scenes_pairing.__name__
    return [scene for scene in SCENES if not words or scene.__module__ == first
            or any(word in scene.__name__ for word in words)]


async def play(world, scenes):
    """Plays scenes in one boot; how many failed."""
    started, failed = now(), 0
    await world.begin()
    if os.environ.get("VM_MONITOR"):
        world.machine.start("exec dbus-monitor --system > /out/monitor.txt 2>&1")
    print(f"booted in {now() - started:.0f} s", flush=True)
    try:
        for scene in scenes:
            failed += not await plays(scene, world)
    finally:
        await world.machine.power_off()
    print(*world.numbers, f"in all: {now() - started:.0f} s", sep="\n")
    print(f"{len(scenes) - failed} passed, {failed} failed")
    return failed


async def plays(scene, world):
    """Plays one scene; whether it went as it must."""
    logging.info("scene %s", scene.title)
    started, fault = now(), None
    try:
        async with asyncio.timeout(LIMIT):
            await world.restore()
            await scene(world)
    except Failure as failure:
        fault = str(failure)
    except Exception:
        fault = traceback.format_exc()
    print(f"{'ok  ' if fault is None else 'FAIL'} {now() - started:4.0f} s  {scene.title}",
          flush=True)
    if fault is not None:
        logging.info("failed: %s", fault)
        print(fault, *world.logs(), sep="\n    ", flush=True)
    return fault is None


if __name__ == "__main__":
    main()
