/*
 * Feeds the PAM module's parsers what a broken or hostile helper could send. Built with sanitizers by scripts/build-pam
 * --check: reading past a buffer ends it.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frames.h"
#include "options.h"

/* A generator with a seed of its own, so that a failure can be repeated. */
static unsigned int seed = 20261126;
static unsigned int next(void) {
    seed = seed * 1664525U + 1013904223U;
    return seed >> 8;
}

/* What receiving makes of bytes after which the other side is gone. */
static enum frame_outcome receive(const char *bytes, size_t count, struct frame *frame) {
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(send(ends[1], bytes, count, MSG_NOSIGNAL) == (ssize_t)count || count == 0);
    assert(close(ends[1]) == 0);
    enum frame_outcome outcome = frame_receive(ends[0], -1, frame, frame_now() + 5000);
    assert(close(ends[0]) == 0);
    return outcome;
}

static void check_bad_frames(void) {
    static const struct {
        const char *bytes;
        size_t count;
    } bad[] = {
        {"", 0}, {"C", 1}, {"C\0", 2}, {"C\0\1", 3}, {"C\0\5abcd", 7},
        /* One byte more than the longest body, and the most that two bytes can say. */
        {"C\x40\x01", 3}, {"C\xFF\xFF", 3},
    };
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++) {
        struct frame frame;
        assert(receive(bad[index].bytes, bad[index].count, &frame) == FRAME_BROKEN);
    }
}

/* Bodies that are longer than the module has room for, and that arrive whole. */
static void check_long_frames(void) {
    static char bytes[3 + 0xFFFF];
    static const size_t lengths[] = {FRAME_MAXIMUM + 1, FRAME_MAXIMUM + 2, 0xFFFF};
    for (size_t index = 0; index < sizeof lengths / sizeof lengths[0]; index++) {
        struct frame frame;
        bytes[0] = 'C';
        bytes[1] = (char)(lengths[index] >> 8);
        bytes[2] = (char)(lengths[index] & 0xFF);
        assert(receive(bytes, 3 + lengths[index], &frame) == FRAME_BROKEN);
    }
}

static void check_good_frames(void) {
    static char bytes[3 + FRAME_MAXIMUM];
    struct frame frame;
    assert(receive("R\0\1y", 4, &frame) == FRAME_DONE && frame.kind == 'R' && strcmp(frame.body, "y") == 0);
    assert(receive("C\0\0", 3, &frame) == FRAME_DONE && frame.length == 0 && frame.body[0] == 0);
    assert(receive("C\0\3a\0b", 6, &frame) == FRAME_DONE && !frame_is_text(&frame));
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "C\x40\x00", 3);
    assert(receive(bytes, sizeof bytes, &frame) == FRAME_DONE && strlen(frame.body) == FRAME_MAXIMUM);
}

static void check_any_bytes(void) {
    for (int round = 0; round < 20000; round++) {
        char bytes[64];
        size_t count = next() % sizeof bytes;
        for (size_t index = 0; index < count; index++) bytes[index] = (char)(next() & 0xFF);
        /* Mostly lengths that could be. */
        if (count > 2 && next() % 4 != 0) {
            bytes[1] = 0;
            bytes[2] = (char)(next() % sizeof bytes);
        }
        struct frame frame;
        if (receive(bytes, count, &frame) == FRAME_DONE) {
            assert(frame.length + 3 <= count && frame.body[frame.length] == 0);
            (void)frame_is_text(&frame);
        }
    }
}

static void check_deadline(void) {
    int ends[2];
    struct frame frame;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(frame_receive(ends[0], -1, &frame, frame_now() + 20) == FRAME_LATE);
    /* Half a frame is late too. */
    assert(send(ends[1], "C\0", 2, 0) == 2);
    assert(frame_receive(ends[0], -1, &frame, frame_now() + 20) == FRAME_LATE);
    /* The person does not want to wait; what is there already counts. */
    int pressed[2];
    assert(pipe(pressed) == 0 && write(pressed[1], "x", 1) == 1);
    assert(frame_receive(ends[0], pressed[0], &frame, frame_now() + 5000) == FRAME_INTERRUPTED);
    assert(send(ends[1], "R\0\1y", 4, 0) == 4);
    assert(frame_receive(ends[0], pressed[0], &frame, frame_now() + 5000) == FRAME_DONE && frame.kind == 'R');
    assert(close(pressed[0]) == 0 && close(pressed[1]) == 0);
    /* Somebody who does not read must not hold the writer, and somebody who is gone must not kill it. */
    static char body[FRAME_MAXIMUM];
    enum frame_outcome outcome = FRAME_DONE;
    for (int count = 0; count < 1000 && outcome == FRAME_DONE; count++) {
        outcome = frame_send(ends[0], 'u', body, sizeof body, frame_now() + 20);
    }
    assert(outcome == FRAME_LATE);
    assert(close(ends[1]) == 0);
    assert(frame_send(ends[0], 'u', body, 1, frame_now() + 20) == FRAME_BROKEN);
    assert(frame_send(ends[0], 'u', body, FRAME_MAXIMUM + 1, frame_now() + 20) == FRAME_BROKEN);
    assert(close(ends[0]) == 0);
}

static void check_options(void) {
    struct options options;
    const char *good[] = {"program=/x", "root=/y", "timeout=5", "prompt", "once", "resume"};
    assert(options_read(&options, 0, NULL) == NULL && options.timeout == 150 && options.prompt == -1);
    assert(options_read(&options, 6, good) == NULL);
    assert(strcmp(options.program, "/x") == 0 && strcmp(options.root, "/y") == 0 && options.timeout == 5);
    assert(options.prompt == 1 && options.once == 1 && options.resume == 1);
    static const char *const bad[] = {
        "", "prompt=yes", "program=x", "program", "root=", "timeout=4", "timeout=601", "timeout=", "timeout=5s",
        "timeout=99999999999999999999", "Once", "debug",
    };
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++) {
        const char *argument = bad[index];
        assert(options_read(&options, 1, &argument) == argument);
    }
}

int main(void) {
    check_bad_frames();
    check_long_frames();
    check_good_frames();
    check_any_bytes();
    check_deadline();
    check_options();
    puts("the PAM module's parsers: good");
    return 0;
}
