"""What the kernel tells of processes."""
import os
import time

QUIET = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)]


def status(pid, key):
    """A number of /proc/PID/status, such as VmRSS in KiB."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key + ":"))


def megabytes(pid):
    """The memory that a process has in use, in MB."""
    return status(pid, "VmRSS") * 1024 / 1e6


def peak(process):
    """The most memory that a program had in use, in MB, looked at until it ends.

    What wait4 tells is at least what this program itself has in use: it is kept across fork and exec.
    """
    most = 0
    while process.poll() is None:
        try:
            most = max(most, status(process.pid, "VmHWM"))
        except StopIteration:  # it has ended, and nobody has waited for it yet
            pass
        time.sleep(0.01)
    return most * 1024 / 1e6


def switches(pid):
    """How often the threads of a process have run since they were started."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        total += status(f"{pid}/task/{thread}", "voluntary_ctxt_switches")
        total += status(f"{pid}/task/{thread}", "nonvoluntary_ctxt_switches")
    return total


def processor_seconds(pid):
    """The time that a process has spent on a processor."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def written(pid):
    """The octets that a process has caused to be written to the disk."""
    with open(f"/proc/{pid}/io") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("write_bytes:"))


def run(arguments, environment=None, quiet=QUIET):
    """Runs a program; the seconds it took, and those of the processor."""
    start = time.perf_counter()
    pid = os.posix_spawn(
        arguments[0], arguments, environment or os.environ, file_actions=quiet)
    _, code, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if code:
        raise SystemExit(f"{' '.join(arguments)}: exit {code}")
    return seconds, usage.ru_utime + usage.ru_stime


def settle(pid, seconds=0.5):
    """Waits until a process has not run for a while."""
    before = None
    while before != (before := switches(pid)):
        time.sleep(seconds)
