#!/bin/sh
# Makes the manual pages in the folder $2: healthctl(1) from the table of commands of $1/healthctl,
# healthd.conf(5) from config/healthd.conf, the protocol and recordings from docs/PROTOCOL.md.
set -eu
cd "$(dirname "$0")/.."
binaries=$1
out=$2
version=$("$binaries/healthctl" --version)

# page NAME SECTION: turns Markdown on standard input into a page. What is code there is bold, tables
# have no frames, and their last column takes the room that there is.
page() {
    {
        printf "'%s\n" '\" t'
        lowdown -s -tman --parse-no-intraemph -M title="$1" -M section="$2" \
            -M source="healthd ${version##* }" -M volume="healthd" -M date="$date" |
            sed -e 's/\\fC/\\fB/g' -e 's/\\e|/|/g' -e 's/^\.TH .*/.nr HY 0\n&\n.ad l/' \
                -e 's/ expand allbox;/;/' -e 's/^\(lb\( lb\)*\)$/\1x/' -e 's/^\(l\( l\)*\)\.$/\1x./'
    } > "$out/$1.$2"
}

# name PAGE TEXT: the beginning of a page that is part of another document.
name() {
    printf '# NAME\n\n%s - %s\n\n# DESCRIPTION\n\n' "$1" "$2"
}

# A heading is one level higher in a page than in a document that has a title.
raised() { sed 's/^##\(#*\) /#\1 /'; }

date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y CHANGELOG.md)}" +%F)
mkdir -p "$out"
"$binaries/healthctl" help --man > "$out/healthctl.1"
page healthd 8 < docs/man/healthd.8.md
{
    cat docs/man/healthd.conf.5.md
    awk -f packaging/configuration.awk config/healthd.conf
    printf '# SEE ALSO\n\nhealthd(8), healthctl(1)\n'
} | page healthd.conf 5
{
    name healthd-protocol "the line protocol of healthd"
    sed -e 1d -e '/^## Recordings/,$d' docs/PROTOCOL.md | raised
    printf '\n# SEE ALSO\n\nhealthd(8), healthctl(1), healthd-gattlog(5)\n'
} | page healthd-protocol 7
{
    name healthd-gattlog "recordings of what Bluetooth sensors say (.gattlog)"
    sed -e '1,/^## Recordings/d' docs/PROTOCOL.md | raised
    printf '\n# SEE ALSO\n\nhealthctl(1), healthd-protocol(7)\n'
} | page healthd-gattlog 5
