"""The life of the package: a service of systemd, in its sandbox, with the real bluetoothd."""
from scene import scene
from service import CONFIGURATION, LIMIT, STATE, UNIT
from thermometer import DATE_TIME, REST
from waiting import check, until

# Tells the kernel what a time server does: by how little its clock is wrong, in microseconds.
SYNCHRONISED = """
import ctypes, struct
MAXIMUM_ERROR = 4
words = struct.pack("<Iiqqq", MAXIMUM_ERROR, 0, 0, 0, 1000)
ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(words, 256))
"""
# The sandbox may be this open at most, as systemd-analyze counts.
EXPOSURE = 0.8


@scene("installed, the service runs, starts at every boot, and lets only its group in")
async def installed(world):
    await world.install(world.package)
    await world.daemon.start()
    await world.machine.run(f"systemctl is-enabled {UNIT}")
    for path, mode in [(STATE, "700 healthd:healthd"), ("/run/healthd", "750 healthd:healthd"),
                       ("/run/healthd/healthd.sock", "660 healthd:healthd")]:
        check(await world.mode(path) == mode, f"{path}: {await world.mode(path)}")
    faults = await world.machine.run(f"systemd-analyze verify {UNIT} 2>&1", LIMIT)
    check(faults == "", f"systemd-analyze verify: {faults}")


@scene("the sandbox is closed")
async def closed(world):
    verdict = await world.machine.run(
        f"systemd-analyze security --no-pager {UNIT} | tail -n 1", LIMIT)
    exposure = float(verdict.split(":")[1].split()[0])
    check(exposure <= EXPOSURE, verdict)
    world.numbers.append(f"exposure of the sandbox: {exposure}")


@scene("a member of the group asks, and a stranger is told what is missing")
async def members(world):
    await world.machine.run("useradd -M alice; useradd -M bob; usermod -aG healthd bob", LIMIT)
    code, text = await world.daemon.said("bob", "status")
    check(code == 0, f"a member got {code}: {text}")
    code, text = await world.daemon.said("alice", "status")
    check(code == 69, f"a stranger got {code}: {text}")
    check("not in group healthd" in text, f"a stranger is told: {text}")


@scene("a sensor is paired and read from inside the sandbox")
async def collects(world):
    sensor = world.oximeter
    await sensor.advertise()
    sensor.stream()
    text = await world.daemon.say("pair --yes")
    check("works" in text, f"pair: {text}")
    sensor.end_stream()
    await world.streams(sensor, 20)
    code, text = await world.daemon.said("bob", "samples spo2 -o csv")
    check(code == 0 and text.count("\n") > 20, f"a member sees: {code}, {text}")
    refused = await world.machine.run("dmesg | grep 'type=1326' || true")
    check(refused == "", f"the sandbox has refused a system call: {refused}")


@scene("B3: a blocked radio is seen from inside the sandbox")
async def blocked(world):
    await world.block_radios(True)
    await world.daemon.finds("adapter-blocked")
    await world.block_radios(False)
    await world.daemon.finds_no_more("adapter-blocked")


@scene("I5: a thermometer's clock is set once timedated says over the bus that the host's is right")
async def clock(world):
    sensor = world.thermometer
    sensor.take(1)
    await sensor.advertise()
    await world.pair(sensor)
    await world.temperatures_are_stored(sensor)
    await sensor.sleep()
    await world.until_waited_for(sensor)
    await world.machine.run(f"python3 -c '{SYNCHRONISED}'", LIMIT)
    # It stays long enough for that.
    sensor.clock_error, sensor.rest = 3600, 5
    sensor.take(1)
    mark = sensor.history.mark()
    try:
        await sensor.wake(awake=10)
        await sensor.history.until("wrote", DATE_TIME, after=mark)
        await sensor.asleep()
    finally:
        sensor.rest = REST
    check(abs(sensor.clock_error) < 60, f"the clock is {sensor.clock_error:.0f} s wrong")
    await world.temperatures_are_stored(sensor)


@scene("killed, it is started again, and has what it had")
async def killed(world):
    before = await world.daemon.values("spo2", world.oximeter.address)
    pid = await world.daemon.pid()
    await world.machine.run(f"kill -KILL {pid}")
    await world.daemon.restarted(pid)
    after = await world.daemon.values("spo2", world.oximeter.address)
    check(after[:len(before)] == before, "values are gone")
    await world.wakes_and_streams()


@scene("J3: hung, it is ended by the watchdog and started again; idle, it is not")
async def hung(world):
    # A shorter time than the unit's, since nobody wants to wait for that.
    await world.machine.run(
        f"mkdir -p /run/systemd/system/{UNIT}.d; "
        f"printf '[Service]\\nWatchdogSec=8s\\n' > /run/systemd/system/{UNIT}.d/vm.conf; "
        f"systemctl daemon-reload; systemctl restart {UNIT}", LIMIT)
    pid, restarts = await world.daemon.pid(), int(await world.daemon.property("NRestarts"))
    await world.machine.run("/run/busybox sleep 20")
    check(await world.daemon.pid() == pid, "it was ended though it turns")
    await world.machine.run(f"kill -STOP {pid}")
    await world.daemon.restarted(pid)
    check(int(await world.daemon.property("NRestarts")) == restarts + 1, "not one restart")
    check("watchdog" in (await world.daemon.journal()).lower(), "the journal does not tell why")
    await world.machine.run(f"rm -r /run/systemd/system/{UNIT}.d; systemctl daemon-reload", LIMIT)


@scene("A2: bluetooth.service is restarted, and readings go on")
async def other_service(world):
    pid = await world.daemon.pid()
    await world.machine.run("systemctl restart bluetooth.service", LIMIT)
    await world.until_powered()
    await world.wakes_and_streams()
    check(await world.daemon.pid() == pid, "healthd was restarted, too")


@scene("reloaded, it has new rules in force; a wrong file is told and not put into force")
async def reloaded(world):
    pid = await world.daemon.pid()
    await world.machine.run(f"printf '[access]\\nuser bob = read hr\\n' >> {CONFIGURATION}")
    await world.machine.run(f"systemctl reload {UNIT}", LIMIT)
    await world.until_bob_gets(77)
    await world.machine.run(f"printf 'user bob = reed\\n' >> {CONFIGURATION}")
    await world.machine.run(f"systemctl reload {UNIT}", LIMIT)

    async def told():
        return "reed" in await world.daemon.journal()
    await until(told, "the journal tells what is wrong")
    await world.until_bob_gets(77)
    await world.machine.run(f"/run/busybox sed -i '/reed/d' {CONFIGURATION}")
    check(await world.daemon.pid() == pid, "it was restarted")


@scene("a wrong configuration is told at the start, and not tried again and again")
async def misconfigured(world):
    await world.machine.run(f"cp {CONFIGURATION} /run/kept; "
                            f"printf '[daemon]\\nsoket = /s\\n' >> {CONFIGURATION}")
    channel = world.machine.start(f"systemctl restart {UNIT}")
    check(await channel.ended(LIMIT) != 0, "it starts with a wrong configuration")
    check(await world.daemon.property("ActiveState") == "failed", "it is tried again")
    check("soket" in await world.daemon.journal("-n 20"), "the journal does not tell why")
    await world.machine.run(f"cp /run/kept {CONFIGURATION}; systemctl reset-failed {UNIT}", LIMIT)
    await world.daemon.start()


@scene("upgraded, it is another process with the same readings and configuration")
async def upgraded(world):
    before = await world.daemon.values("spo2", world.oximeter.address)
    pid = await world.daemon.pid()
    await world.install(world.newer)
    await world.daemon.restarted(pid)
    version = await world.machine.run("dpkg-query -W -f '${Version}' healthd")
    check("+" in version, f"the version is {version}")
    check(await world.daemon.values("spo2", world.oximeter.address) == before, "values are gone")
    await world.until_bob_gets(77)


@scene("after a reboot it runs by itself, has what it had, and reads its sensors")
async def rebooted(world):
    before = await world.daemon.values("spo2", world.oximeter.address)
    boot = await world.machine.run("cat /proc/sys/kernel/random/boot_id")
    await world.reboot()
    check(await world.machine.run("cat /proc/sys/kernel/random/boot_id") != boot, "no reboot")
    check(await world.daemon.values("spo2", world.oximeter.address) == before, "values are gone")
    await world.until_bob_gets(77)
    await world.wakes_and_streams()


@scene("removed, it is gone but for readings and configuration; installed again, it has them")
async def removed(world):
    before = await world.daemon.values("spo2", world.oximeter.address)
    await world.dpkg("-r healthd")
    check(not await world.is_there("/run/healthd"), "the socket is still there")
    check(await world.is_there(f"{STATE}/healthd.db"), "the readings are gone")
    check(await world.is_there(CONFIGURATION), "the configuration is gone")
    await world.install(world.newer)
    await world.daemon.start()
    check(await world.daemon.values("spo2", world.oximeter.address) == before, "values are gone")


@scene("purged, nothing of it is left but its user")
async def purged(world):
    await world.dpkg("-P healthd")
    for path in [STATE, "/etc/healthd", "/run/healthd", "/usr/bin/healthd",
                 f"/etc/systemd/system/multi-user.target.wants/{UNIT}"]:
        check(not await world.is_there(path), f"{path} is left")
    channel = world.machine.start(f"systemctl cat {UNIT}")
    check(await channel.ended(LIMIT) != 0, "the unit is left")
    await world.machine.run("getent passwd healthd")
