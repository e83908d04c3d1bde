"""What sensors send is what is stored."""
import asyncio
import statistics

from scene import scene
from thermometer import DATE_TIME, REST
from waiting import check, now, until

WAKES = 100
READINGS_PER_WAKE = 3
# A reading that is stored later, in seconds, was sent in a later wake.
KEPT = 3
FOREVER = 3600


@scene("H1: an oximeter comes back by itself and streams: 300 pairs of values, each of them stored")
async def continuous(world):
    await world.streams(world.oximeter, 300, period=0.03)


@scene("H5: a bonded thermometer wakes for two seconds, again and again: no reading is lost")
async def sleepy(world):
    sensor, arrivals = world.thermometer, {}
    follower = await world.daemon.follow("temp")
    listening = asyncio.create_task(_listen(follower, arrivals))
    woken = []
    for _ in range(WAKES):
        await world.until_waited_for(sensor)
        sensor.take(READINGS_PER_WAKE)
        woken.append(await sensor.wake())
        await sensor.asleep()
    await world.temperatures_are_stored(sensor)
    taken = sensor.taken[-WAKES * READINGS_PER_WAKE:]
    await until(lambda: _are_in(taken, arrivals), "a follower is told of all readings")
    follower.send("quit")
    await listening
    _report(world, woken, [arrivals[value] for value in taken])


async def _listen(follower, arrivals):
    while sample := await follower.sample(limit=FOREVER):
        arrivals.setdefault(sample["value"], now())


async def _are_in(values, arrivals):
    return all(value in arrivals for value in values)


def _report(world, woken, arrived):
    firsts, lasts = arrived[::READINGS_PER_WAKE], arrived[READINGS_PER_WAKE - 1::READINGS_PER_WAKE]
    delays = [first - start for start, first in zip(woken, firsts)]
    kept = sum(last < start + KEPT for start, last in zip(woken, lasts))
    world.number(f"thermometer awake to reading stored, median of {WAKES}",
                 statistics.median(delays))
    world.numbers.append(f"readings stored in the two seconds they were sent in: "
                         f"{kept} of {WAKES} wakes")
    check(kept >= WAKES * 9 // 10, f"only {kept} of {WAKES} wakes were kept")


@scene("H5: two thermometers and an oximeter at once")
async def together(world):
    sleepers = [world.thermometer, world.keyed]
    async with world.streaming(world.oximeter):
        for _ in range(3):
            for sensor in sleepers:
                await world.until_waited_for(sensor)
                sensor.take(READINGS_PER_WAKE)
            for sensor in sleepers:
                # The controller makes one link after the other.
                await sensor.wake(awake=10)
            for sensor in sleepers:
                await sensor.asleep()
    for sensor in sleepers:
        await world.temperatures_are_stored(sensor)


@scene("I5, H6: a thermometer's clock is an hour fast: it is set after its readings are in")
async def clock(world):
    sensor = world.thermometer
    await world.say_clock_is_right()
    # It stays long enough for that.
    sensor.clock_error, sensor.rest = 3600, 5
    sensor.take(READINGS_PER_WAKE)
    mark = sensor.history.mark()
    try:
        await sensor.wake(awake=10)
        written = await sensor.history.until("wrote", DATE_TIME, after=mark)
        await sensor.asleep()
    finally:
        sensor.rest = REST
    confirmed = sensor.history.since(mark, "confirmed")
    check(len(confirmed) == READINGS_PER_WAKE and confirmed[-1] < written,
          "the clock was set before the readings were in")
    check(abs(sensor.clock_error) < 60, f"the clock is {sensor.clock_error:.0f} s wrong")
    await world.temperatures_are_stored(sensor)


@scene("C15: another program scans: it is said, and readings come all the same")
async def scanning(world):
    other = world.machine.start("exec bluetoothctl", terminal=True)
    await other.says("Agent registered")
    other.write("scan le\n")
    await world.daemon.finds("searched-by-others")
    world.thermometer.take(READINGS_PER_WAKE)
    await world.thermometer.wake(awake=10)
    await world.thermometer.asleep()
    await world.temperatures_are_stored(world.thermometer)
    other.write("scan off\nquit\n")
    await other.ended()
    await world.daemon.finds_no_more("searched-by-others")
