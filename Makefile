# Everything goes through `swift build` and `swift test`; this file names the ways to call them.

SWIFT ?= swift
# Further flags for building and testing, such as those that the continuous integration sets.
SWIFTFLAGS ?=
RELEASE := .build/release

# What Debian 12 must have beside the Swift toolchain: libraries to build with, tools to test with.
PACKAGES := libbluetooth-dev libcctz-dev libdbus-1-dev libexpat1-dev libjson-c-dev libsqlite3-dev \
	libstdc++-12-dev pkg-config tzdata zlib1g-dev
TEST_PACKAGES := dbus e2fsprogs netcat-openbsd socat strace python3 python3-venv sqlite3 util-linux
VM_PACKAGES := bluez busybox-static cpio dbus gcc kmod libc6-dev python3-venv qemu-system-x86 zstd

# Words in the names of the scenes to play in the virtual machine; none means all.
SCENES :=

# The benchmark's days of recording, and further options such as a folder on another disk.
DAYS := 30
BENCHFLAGS :=

.PHONY: run test test-vm bench sanitize setup setup-test build clean

## Build, and show the main job: a private daemon, a recording replayed, its samples queried.
run: build
	@sh Tests/Demo/demo.sh $(RELEASE)

## Build and run all tests.
test: setup-test
	$(SWIFT) test $(SWIFTFLAGS)

## Build, and play scenes with the real bluetoothd and virtual sensors in a virtual machine.
test-vm: build
	@($(call install,$(VM_PACKAGES))) || true
	@bash Tests/VM/test.sh $(RELEASE) $(SCENES)

## Build, and measure what docs/BENCHMARKS.md describes.
bench: build setup-test
	@python3 -B Tests/Benchmarks/bench.py $(RELEASE) --days $(DAYS) $(BENCHFLAGS)

## Run all tests twice, looking for races between threads and for wrong uses of memory.
sanitize: setup-test
	@$(call sanitize,thread,TSAN_OPTIONS,suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt)
	@$(call sanitize,address,ASAN_OPTIONS,detect_leaks=0)

## Build healthd and healthctl in .build/release.
build: setup
	$(SWIFT) build -c release $(SWIFTFLAGS)

## Install what is missing to build.
setup:
	@$(call install,$(PACKAGES))

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
