#!/bin/sh
# Prints what happens to samples, a line each, and goes on where it was.
#
# usage: follow.sh CURSORFILE [TYPE...]     (HEALTHD_SOCKET names the socket)
#
# The cursor file holds the anchor up to which everything was printed. It moves on only when a seq
# is complete: when a record of a greater seq comes, or a heartbeat. What was printed of a seq that
# may not be complete is in CURSORFILE.seen and is not printed again. Needs nc -U, or socat.
set -f
file=$1
shift
pipe=$(mktemp -d)/pipe && mkfifo "$pipe" || exit 1
trap 'kill $client 2> /dev/null; rm -r "${pipe%/*}"' EXIT
trap 'exit 130' INT TERM HUP PIPE

connect() {
    socket=${HEALTHD_SOCKET:-/run/healthd/healthd.sock}
    if command -v nc > /dev/null; then exec nc -U "$socket"; fi
    exec socat -t 1000000000 - "UNIX-CONNECT:$socket"
}

save() { echo "$1" > "$file.new" && mv "$file.new" "$file" && : > "$file.seen"; }

take() { # a record; $seen is its seq and the ids of that seq that were printed
    seq=${1#*\"seq\":} seq=${seq%%[!0-9]*}
    id=${1#*\"id\":\"} id=${id%%\"*}
    case "$seen " in "$seq:"*" $id "*) return ;; esac
    last=${seen%%:*}
    if [ "${last:-$seq}" != "$seq" ]; then save "$epoch:$last" && seen=; fi
    echo "$1" && seen="${seen:-$seq:} $id" && echo "$seen" > "$file.seen"
}

[ -s "$file" ] || save start
while :; do
    echo "follow $* since=$(cat "$file")" | connect > "$pipe" & client=$!
    seen=$(cat "$file.seen" 2> /dev/null)
    while read -r line; do
        case $line in
        HEALTHD*) epoch=${line#*epoch=} epoch=${epoch%% *} ;;
        "# hb "*) anchor=${line#*anchor=} && save "${anchor%% *}" && seen= ;;
        "{"*) take "$line" ;;
        "ERR 409"* | "ERR 429"* | "ERR 5"*) echo "$line" >&2 ;; # it may pass
        ERR*) echo "$line" >&2 && exit 1 ;;
        esac
    done < "$pipe"
    sleep 1
done
