"""Replays the corpora and fuzzes every parser for a time: fuzz.py [--seconds N] FUZZER [TARGET…]"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import seeds

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / ".build/fuzz/corpus"
ARTIFACTS = ROOT / ".build/fuzz/found"
# What a parser may need, in MB, with the sanitizer's own memory.
MEMORY = 256
# Seeds are replayed whole; what grows of them is cut to so many octets, since short inputs are faster.
LENGTH = 8192
# A single input may take so many seconds: a thousand times more than any does.
TIMEOUT = 10
ENVIRONMENT = {
    **os.environ,
    # Freed memory is kept a while to see who still uses it; by default more than all that is allowed.
    "ASAN_OPTIONS": "quarantine_size_mb=16:detect_leaks=0:abort_on_error=0",
    # The backtrace of Swift's runtime would wait for a terminal.
    "SWIFT_BACKTRACE": "enable=no",
}


def run(fuzzer, target, *options):
    command = [
        fuzzer, target, f"-rss_limit_mb={MEMORY}", f"-timeout={TIMEOUT}",
        f"-artifact_prefix={ARTIFACTS / target}-", "-print_final_stats=1", *options]
    return subprocess.run(
        command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def fuzz(fuzzer, target, seconds):
    """What happened with one target: whether it went well, and what to say."""
    corpus = CORPUS / target
    shutil.rmtree(corpus, ignore_errors=True)
    seeds.write(target, corpus / "seeds")
    (corpus / "grown").mkdir()
    replay = run(fuzzer, target, "-runs=0", str(corpus / "seeds"))
    if replay.returncode != 0:
        return False, failure(target, replay)
    count = len(list((corpus / "seeds").iterdir()))
    if seconds == 0:
        return True, f"{target:<16} {count:>5} seeds"
    folders = [str(corpus / "grown"), str(corpus / "seeds")]
    result = run(fuzzer, target, f"-max_total_time={seconds}", f"-max_len={LENGTH}", *folders)
    if result.returncode != 0:
        return False, failure(target, result)
    runs = re.search(r"number_of_executed_units: (\d+)", result.stdout)
    memory = re.search(r"peak_rss_mb: *(\d+)", result.stdout)
    return True, (
        f"{target:<16} {count:>5} seeds {int(runs[1]):>10,} inputs"
        f" {len(list((corpus / 'grown').iterdir())):>6,} kept {int(memory[1]):>4} MB")


def failure(target, result):
    found = re.search(r"Test unit written to (\S+)", result.stdout)
    lines = "\n".join(result.stdout.splitlines()[-60:])
    again = f"\n{target}: again with: .build/fuzz/release/fuzzer {target} {found[1]}" if found else ""
    return f"{lines}\n{target}: exit status {result.returncode}{again}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fuzzer")
    parser.add_argument("targets", nargs="*", default=[])
    parser.add_argument("--seconds", type=int, default=15)
    options = parser.parse_args()
    known = subprocess.run([options.fuzzer], stdout=subprocess.PIPE, text=True).stdout.split()
    assert sorted(known) == sorted(seeds.CORPORA), "every target has seeds, and every seed a target"
    unknown = sorted(set(options.targets) - set(known))
    if unknown:
        sys.exit(f"there is no target {unknown[0]}; there are {', '.join(known)}")
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        work = lambda target: fuzz(options.fuzzer, target, options.seconds)
        for went_well, text in pool.map(work, options.targets or known):
            print(text, flush=True)
            failed += not went_well
    print(f"{len(options.targets or known) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
