# Read by init.sh where systemd is to be the guest's first process after it. Of this machine's units only
# those run that the scenes need: each one costs the virtual machine a tenth of a second or more.

# dpkg would read the list of files of each installed package over 9p, which takes ten seconds.
before_overlay() {
    $B mkdir -p /layer/upper/var/lib/dpkg/info
    for list in /host/var/lib/dpkg/info/*.list; do : > "/layer/upper/${list#/host/}"; done
}

before_systemd() {
    units=/root/lib/systemd/system
    own=/root/run/systemd/system
    [ -e /layer/began ] || before_first_boot
    $B mount -t tmpfs -o mode=755,size=4k tmpfs /root/lib/systemd/system-generators
    $B mkdir -p $own /root/run/systemd/journald.conf.d /root/run/lock
    for unit in tmp.mount systemd-remount-fs.service systemd-journald-audit.socket \
        systemd-update-utmp.service systemd-logind.service systemd-hostnamed.service; do
        $B ln -s /dev/null $own/$unit
    done
    printf '[Journal]\nStorage=volatile\nRateLimitBurst=0\nAudit=no\n' \
        > /root/run/systemd/journald.conf.d/vm.conf
    own_units
    $B ln -s /run/busybox /root/run/bin/sh
}

# What stays in the layer, and must not undo at a later boot what packages have done since.
before_first_boot() {
    # This is no container, and packages may start services.
    $B rm -f /root/.dockerenv /root/usr/sbin/policy-rc.d
    # To index all of this machine's manuals would take minutes.
    $B rm -f /root/var/lib/man-db/auto-update
    # systemd reads them again and again: out of the layer, and not over 9p.
    $B cp -a /units/. $units/
    $B rm -rf $units/sysinit.target.wants $units/sockets.target.wants $units/timers.target.wants \
        $units/multi-user.target.wants /root/etc/systemd/system/*.wants
    pulls sysinit.target systemd-journald.service
    pulls sockets.target dbus.socket systemd-journald.socket systemd-journald-dev-log.socket
    : > /layer/began
}

# Has a target start units.
pulls() {
    $B mkdir -p $units/$1.wants
    target=$1
    shift
    for unit; do $B ln -s ../$unit $units/$target.wants/$unit; done
}

own_units() {
    $B cat > $own/vm.target << END
[Unit]
Requires=basic.target
After=basic.target
AllowIsolate=yes
Wants=vm-relay.service vm-agent.service bluetooth.service multi-user.target
END
    $B cat > $own/vm-relay.service << END
[Unit]
DefaultDependencies=no
Before=bluetooth.service
[Service]
ExecStart=$programs/relay $(port p1)
StandardError=append:/out/guest.log
END
    $B cat > $own/vm-agent.service << END
[Unit]
After=basic.target
[Service]
ExecStart=$programs/agent $(port p2)
Environment=PATH=/run/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
Environment=DEBIAN_FRONTEND=noninteractive SYSTEMD_PAGER= SYSTEMD_COLORS=0
StandardOutput=append:/out/guest.log
StandardError=append:/out/guest.log
TasksMax=infinity
END
}

# The virtio-serial port whose name ends so.
port() { for path in /root/dev/vport*$1; do echo "${path#/root}"; done; }
