#!/bin/sh
# Shows the main job with the binaries in the folder $1: a private daemon is started, recordings are
# replayed into it, and it is asked what a person would ask. Leaves nothing running and no files.
set -eu

binaries=$(cd "$1" && pwd)
directory=$(mktemp -d)
cd "$(dirname "$0")/../ReplayTests/Recordings"
daemon=

finish() {
    [ -z "$daemon" ] || { kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true; }
    rm -rf "$directory"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT TERM
trap 'exit 141' PIPE

show() {
    printf '\n$ healthctl %s\n' "$*"
    "$binaries/healthctl" --no-pager "$@"
}

export HEALTHD_SOCKET="$directory/healthd.sock"
"$binaries/healthd" --source none --state-dir "$directory/state" --socket "$HEALTHD_SOCKET" &
daemon=$!
tries=0
until [ -S "$HEALTHD_SOCKET" ]; do
    kill -0 "$daemon" 2>/dev/null || { echo "healthd did not start" >&2; exit 1; }
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { echo "healthd does not answer" >&2; exit 1; }
    sleep 0.1
done

for name in nonin3230-continuous thermometer-celsius-fahrenheit heartrate-strap; do
    show replay "$name.gattlog"
done
show latest
for type in spo2 hr pi temp rr battery; do
    show samples "$type" -n 10
done
show devices
show status
