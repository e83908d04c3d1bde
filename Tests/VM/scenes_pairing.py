"""First contacts."""
from scene import scene
from waiting import check
from world import SPOT_CHECKS


@scene("A1: healthd answers before there is a bluetoothd, and says so")
async def no_bluetoothd(world):
    await world.daemon.start()
    await world.daemon.finds("bluetoothd-absent")
    await world.start_bluetoothd()
    await world.until_bluetoothd_is_used()


@scene("G1: an oximeter is found and paired without an address, a terminal or a question")
async def first_contact(world):
    sensor = world.oximeter
    await sensor.advertise()
    sensor.stream()
    text = await world.daemon.say("pair --yes")
    check(sensor.address in text, f"pair does not name the sensor: {text}")
    check("works" in text, f"pair does not say that it works: {text}")
    sensor.end_stream()
    await world.streams(sensor, 20)


@scene("G8: a heart rate strap that cannot bond is used without a bond")
async def unbonded(world):
    sensor = world.strap
    await sensor.advertise()
    sensor.stream()
    await world.pair(sensor)
    check(not sensor.history.since(0, "paired"), "the strap is bonded")
    sensor.end_stream()
    await world.streams(sensor, 20)


@scene("G7: a thermometer is bonded, hands over its reading and hangs up")
async def bonded(world):
    sensor = world.thermometer
    sensor.take(1)
    await sensor.advertise()
    await world.pair(sensor)
    check(sensor.history.since(0, "paired"), "the thermometer is not bonded")
    await world.temperatures_are_stored(sensor)


@scene("G3: a thermometer's passkey is asked for on the terminal")
async def passkey(world):
    sensor = world.keyed
    sensor.take(1)
    await sensor.advertise()
    terminal = world.daemon.ctl(f"pair {sensor.address}", terminal=True)
    await sensor.history.until("shows")
    await terminal.says("Which number")
    terminal.write(f"{sensor.passkey:06}\n")
    check(await terminal.ended() == 0, f"pair: {terminal.last()}")
    await world.temperatures_are_stored(sensor)


@scene("F: what an oximeter has stored is fetched by RACP, and stays in the sensor")
async def record_access(world):
    sensor = world.spot
    await sensor.advertise()
    await world.pair(sensor)
    for place, kind in enumerate(["spo2", "hr"]):
        expected = [values[place] for values in SPOT_CHECKS]
        got = await world.values_end(kind, sensor, expected)
        check(got == expected, f"{kind}: {len(got)} values of 30 records")
    check(len(sensor.stored) == len(SPOT_CHECKS), "records were deleted that nobody wanted deleted")
