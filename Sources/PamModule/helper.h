/* The program that does the work: started apart from the host program, and reached over a socket. */
#ifndef COUNTERSIGN_PAM_HELPER_H
#define COUNTERSIGN_PAM_HELPER_H

/* Why no helper runs. */
enum helper_fault { HELPER_STARTED, HELPER_UNSAFE, HELPER_FAILED };

/*
 * Starts `program admin pam authenticate --root ROOT`, and puts our end of its socket into `descriptor`.
 *
 * The helper is no child of the host program: it may outlive it, and nobody has to wait for it. It has no descriptor,
 * no signal handler and no environment of the host. The kernel ends it `lifetime` seconds after its start, unless it
 * takes that back.
 *
 * HELPER_UNSAFE: the program is not a file that only root can change.
 */
enum helper_fault helper_start(const char *program, const char *root, unsigned int lifetime, int *descriptor);

/* Reaches the helper that stays for a session: the socket `token` below ROOT. Returns a descriptor, or -1. */
int helper_reach(const char *root, const char *token);

#endif
