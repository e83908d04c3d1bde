#!/bin/bash
# Makes in the folder $1 what the virtual machine is started with: Debian's kernel, an initial RAM
# disk, the programs of the guest, and a Python with the virtual sensors' Bluetooth stack. What is
# there already is kept.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin
source=$(cd "$(dirname "$0")/guest" && pwd)
mkdir -p "$1"
cd "$1"

# Root file system over 9p; a disk for what is written; serial ports; Bluetooth, and the ciphers that it takes: ctr, sha512 and
# drbg before bluetooth, or pairing has no keys.
modules="virtio_pci 9pnet_virtio 9p overlay virtio_blk crc32c_generic ext4 virtio_console virtio_rng
    ctr sha512_generic drbg bluetooth hci_vhci cmac ecb algif_hash algif_skcipher uhid"

python() {
    [ -f python/done ] && return
    rm -rf python
    python3 -m venv python
    python/bin/pip -q --disable-pip-version-check install bumble==0.0.236
    touch python/done
}

kernel() {
    [ -f modules/list ] && [ "$(cat modules/wanted 2> /dev/null)" = "$modules" ] && return
    rm -rf kernel modules
    mkdir kernel modules
    fetch_kernel
    # The kernel's own decompression takes five seconds in the virtual machine.
    python3 -B "$source/extract_vmlinux.py" kernel/boot/vmlinuz-* vmlinux
    module_files | while read -r file; do
        cp "$file" modules/
        basename "$file"
    done > kernel/list
    echo "$modules" > modules/wanted
    mv kernel/list modules/
    rm -r kernel
}

fetch_kernel() {
    root=
    [ "$(id -u)" -eq 0 ] || root=sudo
    $root apt-get -qq update
    name=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image-6/ {print $2; exit}')
    (cd kernel && apt-get -qq -o APT::Sandbox::User=root download "$name")
    dpkg -x kernel/"$name"_*.deb kernel
    version=$(ls kernel/lib/modules)
    depmod -b kernel "$version"
}

# The files of the modules, each after those that it needs.
module_files() {
    for module in $modules; do
        modprobe -d kernel -S "$version" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ {print $2}'
}

programs() {
    for name in relay agent tsc; do
        [ $name -nt "$source/$name.c" ] || cc -O2 -static -o $name "$source/$name.c"
    done
}

ram_disk() {
    rm -rf disk
    mkdir -p disk/{bin,proc,sys,dev,host,layer,root}
    cp -r modules disk/
    cp /bin/busybox disk/bin/
    cp "$source/init.sh" disk/init
    cp "$source/start.sh" "$source/systemd.sh" disk/
    cp -a /lib/systemd/system disk/units
    chmod +x disk/init
    (cd disk && find . | cpio -o -H newc --quiet) > disk.cpio
    rm -r disk
}

python
kernel
programs
ram_disk
