#include "frames.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

int64_t frame_now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return INT64_MAX;
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits until the descriptor is ready; signals that the host program handles do not end the wait. */
static enum frame_outcome wait_for(int descriptor, short events, int interrupt, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - frame_now();
        if (left <= 0) return FRAME_LATE;
        /* poll leaves out what is negative. */
        struct pollfd polled[2] = {{.fd = descriptor, .events = events}, {.fd = interrupt, .events = POLLIN}};
        int ready = poll(polled, 2, left > INT_MAX ? INT_MAX : (int)left);
        if (ready > 0) return polled[0].revents != 0 ? FRAME_DONE : FRAME_INTERRUPTED;
        if (ready < 0 && errno != EINTR) return FRAME_BROKEN;
    }
}

static enum frame_outcome send_all(int descriptor, const char *bytes, size_t count, int64_t deadline) {
    while (count > 0) {
        enum frame_outcome outcome = wait_for(descriptor, POLLOUT, -1, deadline);
        if (outcome != FRAME_DONE) return outcome;
        /* MSG_NOSIGNAL: a helper that is gone must not kill the host program. */
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (sent <= 0) return FRAME_BROKEN;
        bytes += sent;
        count -= (size_t)sent;
    }
    return FRAME_DONE;
}

static enum frame_outcome receive_all(
    int descriptor, int interrupt, char *bytes, size_t count, int64_t deadline) {
    while (count > 0) {
        enum frame_outcome outcome = wait_for(descriptor, POLLIN, interrupt, deadline);
        if (outcome != FRAME_DONE) return outcome;
        ssize_t received = recv(descriptor, bytes, count, MSG_DONTWAIT);
        if (received < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        /* Zero bytes are the end: the helper is gone. */
        if (received <= 0) return FRAME_BROKEN;
        bytes += received;
        count -= (size_t)received;
    }
    return FRAME_DONE;
}

enum frame_outcome frame_send(int descriptor, char kind, const char *body, size_t length, int64_t deadline) {
    if (length > FRAME_MAXIMUM) return FRAME_BROKEN;
    const char head[3] = {kind, (char)(unsigned char)(length >> 8), (char)(unsigned char)(length & 0xFF)};
    enum frame_outcome outcome = send_all(descriptor, head, sizeof head, deadline);
    return outcome == FRAME_DONE ? send_all(descriptor, body, length, deadline) : outcome;
}

enum frame_outcome frame_receive(int descriptor, int interrupt, struct frame *frame, int64_t deadline) {
    char head[3];
    enum frame_outcome outcome = receive_all(descriptor, interrupt, head, sizeof head, deadline);
    if (outcome != FRAME_DONE) return outcome;
    size_t length = (size_t)(unsigned char)head[1] << 8 | (size_t)(unsigned char)head[2];
    if (length > FRAME_MAXIMUM) return FRAME_BROKEN;
    frame->kind = head[0];
    frame->length = length;
    outcome = receive_all(descriptor, interrupt, frame->body, length, deadline);
    if (outcome == FRAME_DONE) frame->body[length] = 0;
    return outcome;
}

int frame_is_text(const struct frame *frame) { return memchr(frame->body, 0, frame->length) == NULL; }
