// agent PORT: does in the guest what the host says over a virtio-serial port: starts programs, also
// on a terminal, connects to Unix sockets, and carries what goes in and comes out.
//
// A frame is one octet for its kind, one for its channel, two for the length of what follows.
// From the host: 'r' run a shell command, 't' run it on a terminal, 'c' connect to a socket,
// 'i' input, 'e' end of input, 'k' send a signal, 'p' power off.
// To the host: 'o' output, 'x' the end with the exit code, or 128 and the signal.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHANNELS = 256, PAYLOAD = 4096 };

// A program or a connection: what is written to it, what is read from it, and its process if any.
// A program has ended when its output has ended and its process too.
static struct channel { int in, out; pid_t pid; int code; } channels[CHANNELS];

static int port;

static void power_off(void) {
    sync();
    reboot(RB_POWER_OFF);
    _exit(1);
}

static void read_all(void *octets, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = read(port, (char *)octets + done, count - done);
        if (got > 0) done += got;
        else if (got == 0 || errno != EINTR) power_off();
    }
}

static void write_all(int to, const void *octets, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t put = write(to, (const char *)octets + done, count - done);
        if (put > 0) done += put;
        else if (errno != EINTR && errno != EAGAIN) return;
    }
}

static void say(char kind, int channel, const void *payload, size_t count) {
    unsigned char frame[4 + PAYLOAD] = { kind, channel, count & 255, count >> 8 };
    memcpy(frame + 4, payload, count);
    write_all(port, frame, 4 + count);
}

static void end_input(struct channel *channel) {
    if (channel->in >= 0 && channel->in == channel->out) shutdown(channel->in, SHUT_WR);
    else if (channel->in >= 0) close(channel->in);
    if (channel->in != channel->out) channel->in = -1;
}

// Tells the host of an end, once nothing more can come.
static void end_if_over(int number) {
    struct channel *channel = &channels[number];
    if (channel->out >= 0 || channel->pid > 0) return;
    unsigned char code = channel->code;
    if (channel->in >= 0) close(channel->in);
    channel->in = -1;
    say('x', number, &code, 1);
}

static void become(const char *command) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execl("/run/bin/sh", "sh", "-c", command, NULL);
    _exit(127);
}

static void run(struct channel *channel, const char *command) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) power_off();
    if ((channel->pid = fork()) == 0) {
        setsid();
        dup2(in[0], 0), dup2(out[1], 1), dup2(out[1], 2);
        become(command);
    }
    close(in[0]), close(out[1]);
    channel->in = in[1], channel->out = out[0];
}

static void run_on_terminal(struct channel *channel, const char *command) {
    struct winsize size = { .ws_row = 50, .ws_col = 200 };
    int terminal;
    if ((channel->pid = forkpty(&terminal, NULL, NULL, &size)) == 0) become(command);
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    channel->in = channel->out = terminal;
}

static void connect_to(int number, const char *path) {
    struct channel *channel = &channels[number];
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(socket_, (struct sockaddr *)&address, sizeof address)) {
        channel->code = errno;
        close(socket_), socket_ = -1;
    }
    channel->in = channel->out = socket_;
    end_if_over(number);
}

// A program and all that it started, since each leads a session of its own.
static void send_signal(struct channel *channel, int number) {
    if (channel->pid > 0) kill(-channel->pid, number);
}

static void from_host(void) {
    unsigned char head[4];
    char payload[PAYLOAD + 1];
    read_all(head, 4);
    size_t count = head[2] | head[3] << 8;
    if (count > PAYLOAD) power_off();
    read_all(payload, count);
    payload[count] = 0;
    struct channel *channel = &channels[head[1]];
    switch (head[0]) {
    case 'r': channel->code = 0; run(channel, payload); break;
    case 't': channel->code = 0; run_on_terminal(channel, payload); break;
    case 'c': channel->code = 0; connect_to(head[1], payload); break;
    case 'i': if (channel->in >= 0) write_all(channel->in, payload, count); break;
    case 'e': end_input(channel); break;
    case 'k': send_signal(channel, payload[0]); break;
    default: power_off();
    }
}

static void from_channel(int number) {
    struct channel *channel = &channels[number];
    char output[PAYLOAD];
    ssize_t count = read(channel->out, output, sizeof output);
    if (count > 0) { say('o', number, output, count); return; }
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    close(channel->out);
    if (channel->in == channel->out) channel->in = -1;
    channel->out = -1;
    end_if_over(number);
}

// Also takes in the orphans, as the first process must.
static void collect_the_dead(int signals) {
    char octets[128];
    while (read(signals, octets, sizeof octets) > 0) continue;
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        for (int i = 0; i < CHANNELS; i++)
            if (channels[i].pid == pid) {
                channels[i].pid = 0;
                channels[i].code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
                end_if_over(i);
            }
}

static int bell[2];

static void ring(int signal) {
    int saved = errno;
    if (signal && write(bell[1], "", 1) < 0) errno = saved;  // full: it has been rung already
    errno = saved;
}

static int wait_list(struct pollfd *list, int *owner) {
    int count = 0;
    list[count++] = (struct pollfd) { port, POLLIN, 0 };
    list[count++] = (struct pollfd) { bell[0], POLLIN, 0 };
    for (int i = 0; i < CHANNELS; i++)
        if (channels[i].out >= 0) {
            owner[count] = i;
            list[count++] = (struct pollfd) { channels[i].out, POLLIN, 0 };
        }
    return count;
}

int main(int argc, char **argv) {
    if (argc != 2 || (port = open(argv[1], O_RDWR | O_CLOEXEC)) < 0) { perror("port"); return 1; }
    if (pipe2(bell, O_CLOEXEC | O_NONBLOCK)) return 1;
    for (int i = 0; i < CHANNELS; i++) channels[i] = (struct channel) { -1, -1, 0, 0 };
    struct sigaction action = { .sa_handler = ring, .sa_flags = SA_RESTART };
    sigaction(SIGCHLD, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    say('o', 0, "ready", 5);
    for (;;) {
        struct pollfd list[CHANNELS + 2];
        int owner[CHANNELS + 2], count = wait_list(list, owner);
        if (poll(list, count, -1) < 0) continue;
        for (int i = 2; i < count; i++) if (list[i].revents) from_channel(owner[i]);
        if (list[1].revents) collect_the_dead(bell[0]);
        if (list[0].revents) from_host();
    }
}
