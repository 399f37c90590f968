#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef COUNTERSIGN_PROGRAM
#define COUNTERSIGN_PROGRAM "/usr/bin/countersign"
#endif

enum { USUAL_TIMEOUT = 150, SHORTEST_TIMEOUT = 5, LONGEST_TIMEOUT = 600 };

/* The value of NAME=VALUE, or NULL. */
static const char *value(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static int read_timeout(const char *text, int *timeout) {
    char *end = NULL;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != 0 || number < SHORTEST_TIMEOUT || number > LONGEST_TIMEOUT) return 0;
    *timeout = (int)number;
    return 1;
}

const char *options_read(struct options *options, int count, const char **arguments) {
    *options = (struct options){
        .program = COUNTERSIGN_PROGRAM, .root = "/", .timeout = USUAL_TIMEOUT, .prompt = -1, .once = 0, .resume = 0};
    for (int index = 0; index < count; index++) {
        const char *argument = arguments[index], *text;
        if ((text = value(argument, "program")) != NULL && text[0] == '/') options->program = text;
        else if ((text = value(argument, "root")) != NULL && text[0] == '/') options->root = text;
        else if ((text = value(argument, "timeout")) != NULL && read_timeout(text, &options->timeout)) continue;
        else if (strcmp(argument, "prompt") == 0) options->prompt = 1;
        else if (strcmp(argument, "noprompt") == 0) options->prompt = 0;
        else if (strcmp(argument, "once") == 0) options->once = 1;
        else if (strcmp(argument, "resume") == 0) options->resume = 1;
        else return argument;
    }
    return NULL;
}
