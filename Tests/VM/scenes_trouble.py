"""What goes wrong between a sensor and healthd, and is over again."""
from scene import scene
from streamers import CONTINUOUS
from waiting import check, now


@scene("D15: a sensor drops its link, and comes back")
async def drop(world):
    sensor = world.oximeter
    await world.streams(sensor, 20)
    mark = sensor.history.mark()
    await sensor.hang_up()
    await sensor.history.until("armed", CONTINUOUS, after=mark)
    await world.streams(sensor, 20)


@scene("D15: a sensor leaves the room while it streams, and comes back")
async def loss(world):
    sensor = world.oximeter
    await sensor.subscribed_to()
    sensor.stream()
    await sensor.sends(10)
    mark = sensor.history.mark()
    world.air.lose(sensor)
    await sensor.history.until("armed", CONTINUOUS, after=mark)
    sensor.end_stream()
    await world.streams(sensor, 20)


@scene("A3: bluetoothd is ended in order and started again while a sensor streams")
async def bluetoothd_stops(world):
    await _bluetoothd_ends(world, world.stop_bluetoothd)


@scene("A3: bluetoothd is killed and started again while a sensor streams")
async def bluetoothd_is_killed(world):
    await _bluetoothd_ends(world, world.kill_bluetoothd)


async def _bluetoothd_ends(world, end):
    sensor = world.oximeter
    await world.streams(sensor, 20)
    await end()
    await world.daemon.finds("bluetoothd-absent")
    mark, started = sensor.history.mark(), now()
    await world.start_bluetoothd()
    armed = await sensor.history.until("armed", CONTINUOUS, after=mark)
    world.number("bluetoothd started to armed again", armed - started)
    await world.streams(sensor, 20)
    await world.until_bluetoothd_is_used()


@scene("H2: after bluetoothd's restart a sensor is armed as soon as it is back")
async def first_link(world):
    await world.kill_bluetoothd()
    await world.start_bluetoothd()
    await world.until_waited_for(world.oximeter)
    mark, back = world.oximeter.history.mark(), now()
    await world.oximeter.advertise()
    armed = await world.oximeter.history.until("armed", CONTINUOUS, after=mark)
    world.number("sensor back after bluetoothd's restart to armed again", armed - back)
    await world.streams(world.oximeter, 20)


@scene("H2: what a thermometer pushes at the first link after a restart may be lost: it is said")
async def possible_loss(world):
    sensor = world.thermometer
    await world.kill_bluetoothd()
    await world.start_bluetoothd()
    await world.until_waited_for(sensor)
    sensor.take(3)
    await sensor.wake(awake=10)
    await sensor.asleep()
    stored = await world.daemon.values("temp", sensor.address)
    if len(stored) < len(sensor.taken):
        await world.daemon.finds("possible-loss", sensor.address)
    # What was lost was confirmed to the sensor, which does not send it again.
    sensor.taken = [value for value in sensor.taken if value in stored]
    sensor.take(3)
    await sensor.wake()
    await sensor.asleep()
    await world.temperatures_are_stored(sensor)


@scene("B4: the adapter is switched off and on again")
async def power(world):
    await _trouble(world, "adapter-off", lambda on: world.power(on))


@scene("B3: the kernel blocks the radio, and unblocks it")
async def radio_block(world):
    await _trouble(world, "adapter-blocked", lambda on: world.block_radios(not on))


@scene("B5, B6: the adapter is pulled out and plugged in again")
async def unplug(world):
    await _trouble(world, "no-adapter", lambda on: world.plug(on))


async def _trouble(world, code, switch):
    sensor = world.oximeter
    await world.streams(sensor, 20)
    await switch(False)
    await world.daemon.finds(code)
    mark = sensor.history.mark()
    await switch(True)
    await sensor.history.until("armed", CONTINUOUS, after=mark)
    await world.streams(sensor, 20)
    await world.daemon.finds_no_more(code)


@scene("I9: what went wrong so far is told as the cause of gaps")
async def gaps(world):
    found = await world.daemon.ask(f"gaps device={world.oximeter.address} min=1s")
    causes = {gap["cause"] for gap in found}
    for gap in found:
        check(gap["text"] and gap["evidence"], f"a gap without a sentence or evidence: {gap}")
    for cause in ("bluetoothd-down", "adapter-off", "adapter-removed", "link-down"):
        check(cause in causes, f"no gap has the cause {cause}: {causes}")
