/* What a line in /etc/pam.d says behind the module's name. */
#ifndef COUNTERSIGN_PAM_OPTIONS_H
#define COUNTERSIGN_PAM_OPTIONS_H

struct options {
    /* program=FILE: the helper. */
    const char *program;
    /* root=FOLDER: where etc/countersign/pam and run/countersign/pam are; for tests. */
    const char *root;
    /* timeout=SECONDS: until when somebody has signed in, 5 to 600. */
    int timeout;
    /* prompt or noprompt: whether the code comes with a question; -1 is "as the service needs it". */
    int prompt;
    /* once: the wallet does not stay. */
    int once;
    /* resume: a lock screen; a lost session of the same user goes on. */
    int resume;
};

/* Reads them. Returns NULL, or the option that there is not. */
const char *options_read(struct options *options, int count, const char **arguments);

#endif
