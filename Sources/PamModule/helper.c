#define _GNU_SOURCE /* close_range, and SOCK_CLOEXEC */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether only root can change what we are about to run as root. */
static int is_safe(const char *program) {
    struct stat status;
    return program[0] == '/' && stat(program, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0
        && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Becomes the helper. Only functions that POSIX allows between fork and exec in a program with threads. */
static void become_helper(int socket, unsigned int lifetime, char *const arguments[], char *const environment[]) {
    /* setuid programs such as sudo call us with the user's real identity. */
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(0, 0, 0) != 0 || setresuid(0, 0, 0) != 0)) return;
    struct sigaction usual;
    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) (void)sigaction(number, &usual, NULL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    const struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)umask(077);
    if (setsid() < 0 || chdir("/") != 0) return;
    int nowhere = open("/dev/null", O_RDWR);
    /* The socket may have any number, so it is moved out of the way first. */
    int kept = fcntl(socket, F_DUPFD, 3);
    if (nowhere < 0 || kept < 0) return;
    if (dup2(nowhere, STDERR_FILENO) < 0 || dup2(kept, STDIN_FILENO) < 0 || dup2(kept, STDOUT_FILENO) < 0) return;
    if (close_range(3, ~0U, 0) != 0) return;
    /* A helper that hangs ends all the same: alarms survive exec. */
    (void)alarm(lifetime);
    (void)execve(arguments[0], arguments, environment);
}

enum helper_fault helper_start(const char *program, const char *root, unsigned int lifetime, int *descriptor) {
    if (!is_safe(program)) return HELPER_UNSAFE;
    char path[4096], folder[4096];
    if ((size_t)snprintf(path, sizeof path, "%s", program) >= sizeof path) return HELPER_FAILED;
    if ((size_t)snprintf(folder, sizeof folder, "%s", root) >= sizeof folder) return HELPER_FAILED;
    char admin[] = "admin", pam[] = "pam", verb[] = "authenticate", option[] = "--root";
    char *const arguments[] = {path, admin, pam, verb, option, folder, NULL};
    /* A helper that crashes ends at once: its crash reporter would keep the person waiting. */
    char search[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin", language[] = "LANG=C.UTF-8", home[] = "HOME=/", crash[] = "SWIFT_BACKTRACE=enable=no";
    char *const environment[] = {search, language, home, crash, NULL};

    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return HELPER_FAILED;
    pid_t child = fork();
    if (child == 0) {
        /* Twice: the helper becomes a child of init, and the host never has to wait for it. */
        pid_t helper = fork();
        if (helper == 0) become_helper(ends[1], lifetime, arguments, environment);
        _exit(helper < 0 ? 1 : 0);
    }
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return HELPER_FAILED;
    }
    /* A host that lets the kernel reap its children gets ECHILD here, and that is fine. */
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    *descriptor = ends[0];
    return HELPER_STARTED;
}

int helper_reach(const char *root, const char *token) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(
        address.sun_path, sizeof address.sun_path, "%s/run/countersign/pam/%s", strcmp(root, "/") == 0 ? "" : root,
        token);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (const struct sockaddr *)&address, sizeof address) != 0) {
        (void)close(descriptor);
        return -1;
    }
    return descriptor;
}
