"""healthd's own endings, and an idle evening."""
from scene import scene
from streamers import CONTINUOUS
from waiting import check, until

EVENING = 20


@scene("J2: healthd is killed while a sensor streams, and started again")
async def killed(world):
    sensor, daemon = world.oximeter, world.daemon
    await world.streams(sensor, 50)
    before = await daemon.values("spo2", sensor.address)
    mark = sensor.history.mark()
    await daemon.kill()
    await daemon.start()
    await sensor.history.until("armed", CONTINUOUS, after=mark)
    after = await daemon.values("spo2", sensor.address)
    check(after[:len(before)] == before, "values are gone that a client has seen")
    await world.streams(sensor, 50)


@scene("D14: after a start, a sensor that is away is not called broken, and comes back")
async def away(world):
    await world.daemon.stop()
    await world.daemon.start()
    await world.daemon.finds("never-seen", world.oximeter.address)
    await world.streams(world.oximeter, 20)
    await world.daemon.finds("live", world.oximeter.address)


@scene("H: healthd is stopped while a thermometer sleeps: readings wait in it until the next start")
async def stopped(world):
    sensor = world.thermometer
    await world.acquaint(sensor)
    sensor.take(3)
    world.number("healthd stops in order, without a link", await world.daemon.stop())
    await sensor.wake()
    await sensor.asleep()
    check(len(sensor.queue) == 3, f"{3 - len(sensor.queue)} readings were taken by nobody")
    await world.daemon.start()
    await world.until_waited_for(sensor)
    await sensor.wake()
    await sensor.asleep()
    await world.temperatures_are_stored(sensor)


@scene("H4: a thermometer that is not wanted keeps its readings until it is, also over a start")
async def unwanted(world):
    sensor, daemon = world.thermometer, world.daemon
    await world.acquaint(sensor)
    sensor.take(3)
    try:
        await daemon.want((sensor, "no"), (world.oximeter, "yes"))
        await _sleeps_with_its_readings(world, sensor)
        await daemon.stop()
        await daemon.start()
        await _sleeps_with_its_readings(world, sensor)
    finally:
        async with world.streaming(world.oximeter):
            await daemon.want()
            await world.until_waited_for(sensor)
            await sensor.wake()
            await sensor.asleep()
    await world.temperatures_are_stored(sensor)


async def _sleeps_with_its_readings(world, sensor):
    async def left():
        finding = (await world.daemon.findings(sensor.address)).get("disabled")
        return finding and "keeps its readings" in finding["evidence"]
    await until(left, "the sensor is left")
    await sensor.wake()
    await sensor.asleep()
    check(len(sensor.queue) == 3, f"{3 - len(sensor.queue)} readings were taken by nobody")


@scene("J: an idle evening with all sensors away wakes nothing in healthd")
async def idle(world):
    async def quiet():
        switches = await world.machine.run(_SWITCHES.format(seconds=EVENING), limit=3 * EVENING)
        return int(switches) == 0
    await until(quiet, "an evening without a wake-up", limit=5 * EVENING)
    world.numbers.append(f"wake-ups of healthd in {EVENING} idle seconds: 0")


# How often healthd's threads were woken in a span of time, as the kernel counts.
_SWITCHES = """
count() {{
    sum=0
    for status in /proc/$(/run/busybox pidof healthd)/task/*/status; do
        while read -r key value; do
            [ "$key" = voluntary_ctxt_switches: ] && sum=$((sum + value))
        done < $status
    done
    echo $sum
}}
before=$(count)
/run/busybox sleep {seconds}
echo $(($(count) - before))
"""


@scene("G11: a sensor is forgotten, and its readings stay")
async def forgotten(world):
    sensor, daemon = world.strap, world.daemon
    await world.streams(sensor, 5)
    before = await daemon.values("hr", sensor.address)
    await sensor.sleep()
    await daemon.say(f"forget {sensor.address} --yes")
    check(await daemon.values("hr", sensor.address) == before, "readings went with the bond")
