/*
 * What the module and its helper say to each other: frames of a kind, a length and a body.
 *
 * A frame is one letter, two bytes of length (big-endian) and so many bytes. Nothing that arrives is believed: a frame
 * that is too long, cut off or late ends the conversation, and then nobody is signed in.
 */
#ifndef COUNTERSIGN_PAM_FRAMES_H
#define COUNTERSIGN_PAM_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* The longest body, in bytes: a QR code as text has about 8,000. */
enum { FRAME_MAXIMUM = 16384 };

/* How sending or receiving ended. */
enum frame_outcome { FRAME_DONE, FRAME_LATE, FRAME_BROKEN, FRAME_INTERRUPTED };

/* A frame that arrived. A zero byte follows the body, so that it is a string if it has no other. */
struct frame {
    char kind;
    size_t length;
    char body[FRAME_MAXIMUM + 1];
};

/* Milliseconds on a clock that only goes forward. */
int64_t frame_now(void);

/* Sends a frame. The deadline is a time of frame_now. */
enum frame_outcome frame_send(int descriptor, char kind, const char *body, size_t length, int64_t deadline);

/* Waits for a frame; until the descriptor `interrupt` can be read, unless it is -1. */
enum frame_outcome frame_receive(int descriptor, int interrupt, struct frame *frame, int64_t deadline);

/* Whether the body is text: no zero byte in it. */
int frame_is_text(const struct frame *frame);

#endif
