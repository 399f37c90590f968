// The clock of tomorrow for a program that is loaded with it (LD_PRELOAD): real time and the seconds that the file
// ATTACK_LATER holds, as eight bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("ATTACK_LATER");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) return;
    void *found = mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) ahead = found;
    close(file);
}

int clock_gettime(clockid_t which, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int outcome = real(which, time);
    if (outcome == 0 && ahead && which == CLOCK_REALTIME) time->tv_sec += *ahead;
    return outcome;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
