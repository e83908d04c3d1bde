#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

/* struct ucred, which the C library hides from Swift: the process at the other end of a socket. */
struct clinux_peer {
    int pid;
    unsigned int uid;
    unsigned int gid;
};

/* Fills peer for a connected AF_UNIX socket; 0, or -1 with errno. */
static inline int clinux_peer_of(int fd, struct clinux_peer *peer) {
    socklen_t length = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

/* The next waiting connection, not blocking and not inherited; -1 with errno. */
static inline int clinux_accept(int listener) {
    int fd = accept(listener, 0, 0);
    if (fd < 0) return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

/* A descriptor for the signals that end or reload a daemon, blocked in the caller and its threads. */
static inline int clinux_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, 0) != 0) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The number of the next signal waiting in fd, or -1. */
static inline int clinux_next_signal(int fd) {
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}

/* A counter to wake a poll loop with. */
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* A counter that every read waits for and takes one from. */
static inline int clinux_semaphore(void) { return eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE); }

/* Takes the whole-file lock that ends with its descriptor; 0, or -1 where another holds it. */
static inline int clinux_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

/* open(2) is variadic, which Swift does not import. */
static inline int clinux_open(const char *path, int flags, unsigned int mode) {
    return open(path, flags, mode);
}

/* Names the calling thread, in at most 15 octets, for ps and debuggers. */
static inline int clinux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/* The groups of the process at the other end of a socket; their number, or -1 with errno. */
static inline int clinux_peer_groups(int fd, unsigned int *groups, int room) {
    socklen_t length = (socklen_t)room * sizeof *groups;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0) return -1;
    return (int)(length / sizeof *groups);
}

/* A timer on the clock that goes on while the host sleeps; -1 with errno. */
static inline int clinux_boot_timer(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/* Has a boot timer ring at so many milliseconds since the start of the machine; at 0, never. */
static inline int clinux_set_boot_timer(int fd, long long milliseconds) {
    struct itimerspec time = {{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000000}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &time, 0);
}

/* Has a clock watch wait for the next time that the wall clock is set; 0, or -1 with errno. */
static inline int clinux_watch_clock(int fd) {
    struct itimerspec time = {{0, 0}, {(time_t)1 << 33, 0}}; /* in the year 2242 */
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, 0);
}

/* A descriptor that can be read once the wall clock was set; -1 with errno. */
static inline int clinux_clock_watch(void) {
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd >= 0) clinux_watch_clock(fd);
    return fd;
}

/* Whether the kernel takes its clock for synchronised; asks only, and changes nothing. */
static inline int clinux_is_clock_synchronised(void) {
    struct timex time = {0};
    return adjtimex(&time) >= 0 && !(time.status & STA_UNSYNC);
}
