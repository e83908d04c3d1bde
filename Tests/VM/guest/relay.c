// relay PORT: carries HCI packets between a virtio-serial port, behind which the host has a virtual
// Bluetooth controller, and /dev/vhci, where the kernel sees that controller as hci0.
//
// Packets are framed as in H4, which the host also says two octets of its own in: 0xF1 plugs the
// controller in, 0xF0 pulls it out.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLUG = 0xF1, UNPLUG = 0xF0, COMMAND = 1, ACL = 2, SCO = 3, EVENT = 4, ISO = 5, VENDOR = 0xFF };

static int port, vhci = -1;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void write_all(const unsigned char *octets, size_t count) {
    while (count) {
        ssize_t written = write(port, octets, count);
        if (written < 0 && errno != EINTR && errno != EAGAIN) fail("write to the host");
        if (written > 0) { octets += written; count -= written; }
    }
}

static void plug(void) {
    static const unsigned char primary_controller[] = { VENDOR, 0 };
    if (vhci >= 0) return;
    vhci = open("/dev/vhci", O_RDWR | O_NONBLOCK);
    if (vhci < 0 || write(vhci, primary_controller, 2) != 2) fail("/dev/vhci");
}

static void unplug(void) {
    if (vhci >= 0) close(vhci);
    vhci = -1;
}

// The length of the packet at the start of what came, 0 if that cannot be told yet.
static size_t length(const unsigned char *packet, size_t have) {
    switch (packet[0]) {
    case COMMAND: case SCO: return have < 4 ? 0 : 4 + packet[3];
    case ACL: return have < 5 ? 0 : 5 + (packet[3] | packet[4] << 8);
    case EVENT: return have < 3 ? 0 : 3 + packet[2];
    case ISO: return have < 5 ? 0 : 5 + ((packet[3] | packet[4] << 8) & 0x3fff);
    default: return 1;
    }
}

static void take(const unsigned char *packet, size_t count) {
    switch (packet[0]) {
    case PLUG: plug(); break;
    case UNPLUG: unplug(); break;
    default:
        if (vhci >= 0 && write(vhci, packet, count) != (ssize_t)count) perror("write to vhci");
    }
}

static void from_host(void) {
    static unsigned char in[1 << 17];
    static size_t have;
    ssize_t count = read(port, in + have, sizeof in - have);
    /* A port whose other end is not open is always ready and gives nothing: rest, or the loop takes the core. */
    if (count <= 0) { usleep(50000); return; }
    have += count;
    for (size_t need; have && (need = length(in, have)) && need <= have;) {
        take(in, need);
        memmove(in, in + need, have -= need);
    }
}

static void from_kernel(void) {
    unsigned char packet[1 << 12];
    ssize_t count = read(vhci, packet, sizeof packet);
    if (count > 0 && packet[0] != VENDOR) write_all(packet, count);
}

int main(int argc, char **argv) {
    static const unsigned char hello = PLUG;
    if (argc != 2 || (port = open(argv[1], O_RDWR)) < 0) fail("port");
    write_all(&hello, 1);
    for (;;) {
        struct pollfd wait[] = { { port, POLLIN, 0 }, { vhci, POLLIN, 0 } };
        if (poll(wait, vhci >= 0 ? 2 : 1, -1) < 0) continue;
        if (wait[0].revents) from_host();
        if (vhci >= 0 && wait[1].revents & POLLIN) from_kernel();
    }
}
