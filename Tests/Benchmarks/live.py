"""What is measured with sensors of a fake bluetoothd."""
import os
import subprocess


def sensors(report, binaries):
    """The rows of the program that measures them."""
    with subprocess.Popen(
            [os.path.join(binaries, "live-benchmark")], stdout=subprocess.PIPE, text=True) as program:
        for line in program.stdout:
            *cells, verdict = line.rstrip("\n").split("\t")
            report.row(*cells, verdict == "PASS")
    if program.returncode != 0:
        raise subprocess.CalledProcessError(program.returncode, program.args)
