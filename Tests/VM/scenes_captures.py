"""What btmon has captured is what was recorded, and what was recorded is what btmon reads."""
import asyncio
import json
import os
import signal

from scene import scene
from waiting import check, until

VALUES = 20
STARTED = ["btmon.btsnoop", "recorded.gattlog", "recorded.btsnoop"]


@scene("btmon and healthctl watch a pairing and a stream: all three files give the same readings")
async def captures(world):
    sensor = world.oximeter
    await world.daemon.say(f"forget {sensor.address} --yes")
    recorders = await _recorders(world)
    await sensor.advertise()
    sensor.stream()
    await world.pair(sensor)
    sensor.end_stream()
    await world.streams(sensor, VALUES)
    for recorder in recorders:
        recorder.signal(signal.SIGINT)
        await recorder.ended()
    captured, recorded, written = [await _readings(world, name) for name in STARTED]
    check(len(recorded) >= VALUES, f"{len(recorded)} of {VALUES} values were recorded")
    check(captured == recorded, f"btmon: {len(captured)} readings, recorded: {len(recorded)}")
    check(written == recorded, f"written: {len(written)} readings, recorded: {len(recorded)}")
    text = await world.machine.run("btmon -r /out/recorded.btsnoop")
    # The btmon of Debian 12 has no name for the characteristic.
    for words in ("LE Connection Complete", "Handle Value Notification",
                  "Pulse Oximeter (0x1822)", "(0x2a5f)"):
        check(words in text, f"btmon does not say “{words}” of the written capture")


async def _recorders(world):
    """Starts all three, and waits until each has begun its file."""
    recorders = [world.machine.start("exec btmon -w /out/btmon.btsnoop", "btmon"),
                 world.daemon.ctl("record /out/recorded.gattlog"),
                 world.daemon.ctl("record --btsnoop /out/recorded.btsnoop")]

    async def have_begun():
        return all(os.path.exists(path) and os.path.getsize(path) > 0
                   for path in (os.path.join(world.machine.out, name) for name in STARTED))
    await until(have_begun, "all three record")
    return recorders


async def _readings(world, name):
    """The notified values in a file, with what they are of."""
    process = await asyncio.create_subprocess_exec(
        f"{world.daemon.binaries}/healthctl", "convert", os.path.join(world.machine.out, name),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    lines, remarks = await process.communicate()
    check(process.returncode == 0, f"convert {name}: {remarks.decode()}")
    check(b"damaged" not in remarks, f"convert {name}: {remarks.decode()}")
    events = [json.loads(line) for line in lines.splitlines() if line.startswith(b"{")]
    return [(event["device"], event["service"], event["characteristic"], event["value"])
            for event in events if event["event"] in ("notify", "indicate")]
