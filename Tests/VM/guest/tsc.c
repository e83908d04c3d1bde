// Prints how many thousand times a second this processor's time stamp counter counts.
//
// The guest's kernel is told, since it would find out wrongly now and then on a loaded host, and its
// clock would run several times too fast.
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(void) {
    const struct timespec pause = { 0, 100000000 };
    double started = now();
    unsigned long long first = __rdtsc();
    nanosleep(&pause, NULL);
    double ended = now();
    printf("%.0f\n", (__rdtsc() - first) / (ended - started) / 1000);
    return 0;
}
