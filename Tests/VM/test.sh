#!/bin/bash
# Plays scenes with the binaries in the folder $1, packages of them and the real bluetoothd in a virtual
# machine; further words choose scenes. It is left out only where there can be no such machine.
set -euo pipefail
binaries=$1
shift
made=$PWD/.build/vm

skip() {
    echo "SKIPPED: no scene was played with the real bluetoothd: $*"
    exit 0
}

[ "$(uname -m)" = x86_64 ] || skip "the virtual machine runs this machine's programs on x86-64 only"
command -v qemu-system-x86_64 > /dev/null || skip "QEMU cannot be installed here"

bash "$(dirname "$0")/prepare.sh" "$made"
mkdir -p "$made/packages"
rm -f "$made"/packages/*
for version in +1 ""; do cp "$(sh packaging/deb.sh $version)" "$made/packages/"; done
exec "$made/python/bin/python" -B "$(dirname "$0")/run.py" "$made" "$binaries" "$@"
