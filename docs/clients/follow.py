#!/usr/bin/env python3
"""Prints what happens to samples, a line each, and goes on where it was.

usage: follow.py CURSORFILE [TYPE...]     (HEALTHD_SOCKET names the socket)
The cursor file holds the anchor up to which everything was printed. It moves on only when a seq is
complete: when a record of a greater seq comes, or a heartbeat. Behind the anchor stands what was
printed of a seq that may not be complete, and is not printed again."""
import json, os, signal, socket, sys, time

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly when nobody reads
PATH = os.environ.get("HEALTHD_SOCKET", "/run/healthd/healthd.sock")
PASSING = ("ERR 409", "ERR 429", "ERR 5")

def load(file):
    return json.load(open(file)) if os.path.exists(file) else ["start", 0, []]

def save(file, *place):
    sys.stdout.flush()  # first the output, then the place behind it
    with open(file + ".new", "w") as new:
        json.dump(place, new)
    os.replace(file + ".new", file)

def follow(file, types):
    anchor, last, seen = load(file)  # seen: the ids of the seq `last` that were printed
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.connect(PATH)
        daemon.settimeout(60)  # a heartbeat comes every 15 seconds
        lines = daemon.makefile(encoding="utf-8", newline="\n")
        epoch = dict(word.split("=", 1) for word in lines.readline().split()[2:])["epoch"]
        request = " ".join(["follow", *types, f"since={anchor}\n"])
        daemon.sendall(request.encode(), socket.MSG_NOSIGNAL)
        for line in lines:
            if not line.endswith("\n"):
                return  # the daemon went away inside a line
            elif line.startswith("ERR"):
                raise OSError(line) if line.startswith(PASSING) else SystemExit(line)
            elif line.startswith("# hb"):
                save(file, anchor := line.split("anchor=")[1].split()[0], last := 0, seen := [])
            elif line[0] == "{" and not ((r := json.loads(line))["seq"] == last and r["id"] in seen):
                if last and r["seq"] != last:
                    anchor, seen = f"{epoch}:{last}", []
                print(*map(r.get, ("class", "id", "start", "type", "value", "unit")), sep="\t")
                save(file, anchor, last := r["seq"], seen := seen + [r["id"]])

while True:
    try:
        follow(sys.argv[1], sys.argv[2:])
    except (OSError, LookupError) as error:  # LookupError: no greeting
        print(f"healthd: {error}", file=sys.stderr)
    time.sleep(1)
