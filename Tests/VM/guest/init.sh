#!/bin/busybox sh
# The first process in the initial RAM disk: loads the modules, and makes the host's root file system
# the guest's, shared over 9p read-only under a layer that takes what is written: in memory, or on a disk
# if there is one, which outlives the guest.
B=/bin/busybox
die() { echo "the guest cannot start: $*" > /dev/ttyS0; $B poweroff -f; }
before_overlay() { :; }
before_systemd() { :; }
first="/run/busybox sh /run/start.sh"
share="-t 9p -o trans=virtio,version=9p2000.L,msize=524288"

$B mount -t proc proc /proc
$B mount -t sysfs sys /sys
$B mount -t devtmpfs dev /dev
for word in $($B cat /proc/cmdline); do
    case $word in
    vm.programs=*) programs=${word#*=};;
    vm.systemd) . /systemd.sh; first=/lib/systemd/systemd;;
    esac
done
while read -r module; do
    $B insmod "/modules/$module" 2> /dev/null || echo "insmod $module failed" > /dev/kmsg
done < /modules/list

$B mount $share,ro,cache=loose host /host || die "no root file system"
if [ -b /dev/vda ]; then
    $B mount -t ext4 /dev/vda /layer || die "no layer"
else
    $B mount -t tmpfs tmpfs /layer
fi
[ -d /layer/upper ] || { $B mkdir /layer/upper /layer/work; before_overlay; }
$B mount -t overlay -o lowerdir=/host,upperdir=/layer/upper,workdir=/layer/work overlay /root \
    || die "no overlay"
$B mkdir -p /root/out
$B mount $share,rw,cache=none out /root/out || die "no folder for what is found"

for directory in proc sys dev; do $B mount --move /$directory /root/$directory; done
$B mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /root/run
$B mkdir -p /root/dev/shm /root/dev/pts /root/run/bin
$B mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /root/dev/pts
$B mount -t tmpfs -o mode=1777 tmpfs /root/dev/shm
$B cp $B /start.sh /root/run/
before_systemd
exec $B switch_root /root $first
