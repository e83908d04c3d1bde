#!/bin/sh
# Makes the Debian package .build/healthd_VERSION_ARCHITECTURE.deb of what `make build` has built. $1, if
# there is one, is added to the version. Its name is printed.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
version=$("$source/.build/release/healthctl" --version | cut -d ' ' -f 2)${1:-}
date=$(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y "$source/CHANGELOG.md")}")
package=healthd_${version}_$(dpkg --print-architecture).deb

rm -rf "$source"/.build/deb "$source"/.build/healthd_*.deb
mkdir -p "$source/.build/deb"
cd "$source/.build/deb"
cp -r "$source/packaging/debian" .
cat > debian/changelog << END
healthd ($version) unstable; urgency=medium

  * What is new is told in /usr/share/doc/healthd/changelog.gz.

 -- healthd developers <healthd@healthd.invalid>  $date
END
SOURCE=$source DH_QUIET=1 debian/rules binary > log 2>&1 || { cat log >&2; exit 1; }
echo ".build/$package"
