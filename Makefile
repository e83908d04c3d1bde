# Everything goes through `swift build` and `swift test`; this file names the ways to call them.

SWIFT ?= swift
# Further flags for building and testing, such as those that the continuous integration sets.
SWIFTFLAGS ?=
RELEASE := .build/release

# What Debian 12 must have beside the Swift toolchain: libraries to build with, tools to test with.
PACKAGES := libbluetooth-dev libcctz-dev libdbus-1-dev libexpat1-dev libjson-c-dev libsqlite3-dev \
	libstdc++-12-dev pkg-config tzdata zlib1g-dev
TEST_PACKAGES := dbus e2fsprogs fish less netcat-openbsd socat strace tmux python3 python3-venv \
	sqlite3 util-linux zsh
VM_PACKAGES := bluez busybox-static cpio dbus e2fsprogs gcc kmod libc6-dev python3-venv qemu-system-x86 zstd

# How many seconds each parser is fuzzed, and which; none means all.
SECONDS := 60
TARGETS :=

# What makes the manual and the Debian package.
MANUAL_PACKAGES := lowdown
DEB_PACKAGES := debhelper dpkg-dev lintian

# Where `make install` puts what, below DESTDIR where that is set.
PREFIX := /usr/local
SYSCONFDIR := /etc
UNITDIR := $(PREFIX)/lib/systemd/system
ZSHDIR := $(PREFIX)/share/zsh/site-functions
SHARE := .build/share

# Words in the names of the scenes to play in the virtual machine; none means all.
SCENES :=

# The benchmark's days of recording, and further options such as a folder on another disk.
DAYS := 30
BENCHFLAGS :=

.PHONY: run test test-vm bench fuzz soak sanitize setup setup-test build install deb clean

## Build, and show the main job: a private daemon, a recording replayed, its samples queried.
run: build
	@sh Tests/Demo/demo.sh $(RELEASE)

## Build and run all tests.
test: setup-test
	$(SWIFT) test $(SWIFTFLAGS)

## Build, and play scenes with the real bluetoothd and virtual sensors in a virtual machine.
test-vm: build
	@($(call install,$(VM_PACKAGES) $(DEB_PACKAGES))) || true
	@bash Tests/VM/test.sh $(RELEASE) $(SCENES)

## Build, and measure what docs/BENCHMARKS.md describes.
bench: build setup-test
	@python3 -B Tests/Benchmarks/bench.py $(RELEASE) --days $(DAYS) $(BENCHFLAGS)

## Replay the corpora of all parsers, fuzz each for SECONDS, and convert files of 64 MB.
fuzz: build
	@HEALTHD_FUZZ=1 $(SWIFT) build -c release --product fuzzer --sanitize=fuzzer \
		--scratch-path .build/fuzz -Xswiftc -sanitize=fuzzer,address $(SWIFTFLAGS)
	@python3 -B Tests/Fuzz/fuzz.py --seconds $(SECONDS) .build/fuzz/release/fuzzer $(TARGETS)
	@python3 -B Tests/Fuzz/large.py $(RELEASE)

## Build, and let a day of eight virtual sensors pass in minutes: what the daemon holds must stay flat.
soak: build setup-test
	@python3 -B Tests/Soak/soak.py $(RELEASE)

## Run all tests twice, looking for races between threads and for wrong uses of memory.
sanitize: setup-test
	@$(call sanitize,thread,TSAN_OPTIONS,suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt)
	@$(call sanitize,address,ASAN_OPTIONS,detect_leaks=0)

## Build healthd and healthctl in .build/release, their manual and completions in .build/share.
build: setup
	$(SWIFT) build -c release $(SWIFTFLAGS)
	@sh packaging/manual.sh $(RELEASE) $(SHARE)
	@for shell in bash zsh fish; do $(RELEASE)/healthctl completion $$shell > $(SHARE)/$$shell; done

## Install what `make build` has built; a configuration that is there is left as it is.
install:
	@test -e $(SHARE)/fish || { echo "nothing is built: make build" >&2; exit 1; }
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(RELEASE)/healthd $(RELEASE)/healthctl
	for section in 1 5 7 8; do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$$section $(SHARE)/*.$$section; done
	install -D -m 644 $(SHARE)/bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/healthctl
	install -D -m 644 $(SHARE)/fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/healthctl.fish
	install -D -m 644 $(SHARE)/zsh $(DESTDIR)$(ZSHDIR)/_healthctl
	install -D -m 644 systemd/healthd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/healthd.conf
	install -D -m 644 -t $(DESTDIR)$(UNITDIR) systemd/healthd.service
	sed -i 's|/usr/bin/|$(PREFIX)/bin/|' $(DESTDIR)$(UNITDIR)/healthd.service
	[ -e $(DESTDIR)$(SYSCONFDIR)/healthd/healthd.conf ] || install -D -m 644 -t \
		$(DESTDIR)$(SYSCONFDIR)/healthd config/healthd.conf
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/healthd README.md docs/*.md
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/share/doc/healthd/clients docs/clients/*
	@[ -n "$(DESTDIR)" ] || echo "It starts with:" \
		"systemd-sysusers && systemctl daemon-reload && systemctl enable --now healthd"

## Build the Debian package .build/healthd_*.deb.
deb: build
	@$(call install,$(DEB_PACKAGES))
	lintian --fail-on error $$(sh packaging/deb.sh)

## Install what is missing to build.
setup:
	@$(call install,$(PACKAGES) $(MANUAL_PACKAGES))

## Install what is missing to build and test.
setup-test:
	@$(call install,$(PACKAGES) $(TEST_PACKAGES))
	@$(MAKE) --no-print-directory .build/bluezoo/installed

# An org.bluez that others have written, in an environment of its own.
.build/bluezoo/installed: Tests/Bluezoo/requirements.txt
	@python3 -m venv .build/bluezoo
	@.build/bluezoo/bin/pip -q --disable-pip-version-check install -r $<
	@touch $@

## Remove what was built.
clean:
	rm -rf .build

# Installs those of the packages that dpkg does not list as installed, without asking.
define install
command -v $(SWIFT) >/dev/null || { \
	echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }; \
missing=; for package in $(1); do \
	dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed \
		|| missing="$$missing $$package"; \
done; \
[ -z "$$missing" ] || { \
	echo "installing$$missing"; \
	root=; [ "$$(id -u)" -eq 0 ] || root=sudo; \
	$$root apt-get -qq update && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing; }
endef

# Runs all tests with the sanitizer $(1), whose options are in the variable $(2). Its findings go to
# files, since daemons that tests start have findings too.
define sanitize
rm -f .build/$(1)/found.*; \
$(2)="log_path=$(CURDIR)/.build/$(1)/found $(3)" \
	$(SWIFT) test --sanitize=$(1) --scratch-path .build/$(1) $(SWIFTFLAGS) || exit 1; \
for found in .build/$(1)/found.*; do [ ! -e "$$found" ] || { cat "$$found" >&2; exit 1; }; done
endef
