#!/usr/bin/env python3
"""Plays scenes with the real bluetoothd and kernel in a virtual machine, and virtual sensors.

usage: run.py MADE BINARIES [WORD…]

MADE is the folder that test.sh has filled, BINARIES that of a release build. Words choose the
scenes whose names have one of them, and with them those that others build on: the first contacts,
and where the word is `service` the life of the package. What was seen is left in MADE/out; with
VM_MONITOR in the environment also all that went over D-Bus.
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
import scenes_service
from scene import SCENES
from service import ServiceWorld
from waiting import Failure, now
from world import World

# No scene takes longer, whatever else the machine does.
LIMIT = 240


def main():
    """Plays the scenes; the exit code says whether all went as they must."""
    made, binaries = (os.path.abspath(folder) for folder in sys.argv[1:3])
    out = os.path.join(made, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(os.path.join(out, "service"))
    logging.basicConfig(filename=os.path.join(out, "run.log"), level=logging.DEBUG,
                        format="%(asctime)s %(name)s: %(message)s")
    for noisy in ("bumble", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    failed = 0
    bare, service = chosen(sys.argv[3:])
    if bare:
        failed += asyncio.run(play(lambda: World(made, out, binaries), bare))
    if service:
        failed += asyncio.run(play(lambda: ServiceWorld(
            made, os.path.join(out, "service"), binaries), service))
    sys.exit(1 if failed else 0)


def chosen(words):
    """The scenes to play without and with systemd."""
    first, life = scenes_pairing.__name__, scenes_service.__name__
    service = [scene for scene in SCENES if scene.__module__ == life]
    bare = [scene for scene in SCENES if scene not in service]
    if not words:
        return bare, service
    named = [scene for scene in bare if any(word in scene.__name__ for word in words)]
    if named:
        named = [scene for scene in bare if scene in named or scene.__module__ == first]
    return named, service if "service" in words else []


async def play(make_world, scenes):
    """Plays scenes in one boot; how many failed."""
    started, failed, world = now(), 0, make_world()
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
