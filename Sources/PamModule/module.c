/*
 * pam_countersign: signs a user in when the wallet that was paired for them scans a code.
 *
 * It shows what the helper says and returns what the helper decides. All else is the helper's: this part runs inside
 * sshd, sudo and login, so it has no threads, no network, no cryptography and no file of its own. Whatever is
 * unexpected ends with PAM_AUTHINFO_UNAVAIL, and the next line of the stack decides.
 */
#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <syslog.h>
#include <unistd.h>

#include "frames.h"
#include "helper.h"
#include "options.h"

/* Where the name of a staying helper's socket goes from the process that authenticates to the one that opens the session. */
#define STAY "COUNTERSIGN_PAM_STAY"
#define STAY_DATA "countersign_pam_stay"

/* Set when the host program is to end: sudo tries again all the same. */
#define ENDED_DATA "countersign_pam_ended"

enum { TOKEN_LENGTH = 16, VALUE_MAXIMUM = 255, SESSION_PATIENCE = 5000 };

#define QUESTION "Press Enter when your wallet has signed you in, or type p for another way: "

/* A conversation with a helper. */
struct run {
    pam_handle_t *pam;
    int socket;
    int64_t deadline;
};

static int is_token(const char *text) {
    return strlen(text) == TOKEN_LENGTH && strspn(text, "0123456789abcdef") == TOKEN_LENGTH;
}

/* Tells the helper something. What is not known is left out; what is too long is never cut. */
static int tell(const struct run *run, char kind, const char *text) {
    if (text == NULL) return 1;
    size_t length = strlen(text);
    return length <= VALUE_MAXIMUM && frame_send(run->socket, kind, text, length, run->deadline) == FRAME_DONE;
}

static int tell_item(const struct run *run, char kind, int item) {
    const void *value = NULL;
    if (pam_get_item(run->pam, item, &value) != PAM_SUCCESS || value == NULL) return 1;
    /* Service, terminal and host only inform; none of them is worth a refusal. */
    return strlen(value) > VALUE_MAXIMUM || tell(run, kind, value);
}

/* Which of the user's sessions it is about. A lock screen has it in its own environment; there it only narrows. */
static int tell_session(const struct run *run, int is_open) {
    const char *session = pam_getenv(run->pam, "XDG_SESSION_ID");
    if (session == NULL && is_open) session = getenv("XDG_SESSION_ID");
    return tell(run, 'x', session);
}

/* Shows a text with a question; 0 if the answer asks for another way, or if nobody can be asked. */
static int ask(const struct run *run, const char *text) {
    char *answer = NULL;
    /*
     * One message: sshd shows texts only together with a question. And never one without echo: sshd's own password
     * method would answer it with the password.
     */
    int status = pam_prompt(run->pam, PAM_PROMPT_ECHO_ON, &answer, "%s\n%s", text, QUESTION);
    int goes_on = status == PAM_SUCCESS && answer != NULL && strcmp(answer, "p") != 0;
    if (answer != NULL) {
        /* Somebody may have typed a password. */
        explicit_bzero(answer, strlen(answer));
        free(answer);
    }
    return goes_on;
}

/* Keeps the name of the staying helper for the session that may follow. */
static int keep_token(pam_handle_t *pam, const char *token) {
    char setting[sizeof STAY + 1 + TOKEN_LENGTH];
    (void)snprintf(setting, sizeof setting, "%s=%s", STAY, token);
    return pam_putenv(pam, setting) == PAM_SUCCESS;
}

/* What a verdict is for PAM: a letter, and behind a yes perhaps a token. */
static int outcome(pam_handle_t *pam, const struct frame *frame) {
    if (!frame_is_text(frame) || frame->length == 0) return PAM_AUTHINFO_UNAVAIL;
    const char *token = frame->body + 1;
    if (frame->body[0] != 'y') {
        if (frame->length != 1) return PAM_AUTHINFO_UNAVAIL;
        switch (frame->body[0]) {
        case 'n': return PAM_AUTH_ERR;
        case 's': return PAM_USER_UNKNOWN;
        default: return PAM_AUTHINFO_UNAVAIL;
        }
    }
    if (frame->length == 1) return PAM_SUCCESS;
    return is_token(token) && keep_token(pam, token) ? PAM_SUCCESS : PAM_AUTHINFO_UNAVAIL;
}

/*
 * Waits for the helper, or until the person at the terminal wants another way.
 *
 * sudo and others only note such a signal, and would go on to wait. SIGINT is the person's answer to us; the others are
 * for the host, which gets them afterwards.
 */
static enum frame_outcome next_frame(const struct run *run, struct frame *frame) {
    sigset_t ending, before;
    (void)sigemptyset(&ending);
    (void)sigaddset(&ending, SIGINT);
    (void)sigaddset(&ending, SIGHUP);
    (void)sigaddset(&ending, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &ending, &before) != 0) return FRAME_BROKEN;
    int signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    enum frame_outcome outcome = frame_receive(run->socket, signals, frame, run->deadline);
    struct signalfd_siginfo what;
    ssize_t count = outcome == FRAME_INTERRUPTED ? read(signals, &what, sizeof what) : 0;
    if (signals >= 0) (void)close(signals);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (count == (ssize_t)sizeof what && what.ssi_signo != SIGINT) {
        (void)pam_set_data(run->pam, ENDED_DATA, run->pam, NULL);
        (void)raise((int)what.ssi_signo);
    }
    return outcome;
}

/* Shows and logs what the helper says until it decides. */
static int converse(const struct run *run, int asks) {
    struct frame frame;
    for (;;) {
        enum frame_outcome received = next_frame(run, &frame);
        /* Ctrl-C: another way. */
        if (received == FRAME_INTERRUPTED) return PAM_AUTHINFO_UNAVAIL;
        if (received != FRAME_DONE) {
            pam_syslog(
                run->pam, LOG_ERR, received == FRAME_LATE ? "the helper is late" : "the helper has ended unexpectedly");
            return PAM_AUTHINFO_UNAVAIL;
        }
        if (frame.kind == 'R') return outcome(run->pam, &frame);
        if (!frame_is_text(&frame)) return PAM_AUTHINFO_UNAVAIL;
        switch (frame.kind) {
        case 'C':
            if (asks ? !ask(run, frame.body) : pam_info(run->pam, "%s", frame.body) != PAM_SUCCESS) {
                return PAM_AUTHINFO_UNAVAIL;
            }
            break;
        case 'E': (void)pam_error(run->pam, "%s", frame.body); break;
        case 'L': pam_syslog(run->pam, LOG_NOTICE, "%s", frame.body); break;
        default: return PAM_AUTHINFO_UNAVAIL;
        }
    }
}

static int read_options(pam_handle_t *pam, struct options *options, int count, const char **arguments) {
    const char *unknown = options_read(options, count, arguments);
    if (unknown != NULL) pam_syslog(pam, LOG_ERR, "there is no option '%s', or it has another value", unknown);
    return unknown == NULL;
}

/* Whether a service shows texts only with a question. */
static int needs_question(pam_handle_t *pam, const struct options *options) {
    const void *service = NULL;
    if (options->prompt >= 0) return options->prompt;
    return pam_get_item(pam, PAM_SERVICE, &service) == PAM_SUCCESS && service != NULL && strcmp(service, "sshd") == 0;
}

int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **arguments) {
    struct options options;
    const char *user = NULL;
    const void *ended = NULL;
    /* PAM_SILENT, which sudo sets, is about messages. The code is what has to be answered, so it is shown all the same. */
    (void)flags;
    if (pam_get_data(pam, ENDED_DATA, &ended) == PAM_SUCCESS) return PAM_AUTHINFO_UNAVAIL;
    if (!read_options(pam, &options, count, arguments)) return PAM_AUTHINFO_UNAVAIL;
    if (pam_get_user(pam, &user, NULL) != PAM_SUCCESS || user == NULL) return PAM_AUTHINFO_UNAVAIL;

    struct run run = {.pam = pam, .socket = -1, .deadline = frame_now() + (int64_t)options.timeout * 1000};
    enum helper_fault fault =
        helper_start(options.program, options.root, (unsigned int)options.timeout + 5, &run.socket);
    if (fault != HELPER_STARTED) {
        pam_syslog(
            pam, LOG_ERR,
            fault == HELPER_UNSAFE ? "%s is missing, or others than root can change it" : "%s cannot be started",
            options.program);
        return PAM_AUTHINFO_UNAVAIL;
    }
    int asks = needs_question(pam, &options);
    int result = PAM_AUTHINFO_UNAVAIL;
    if (tell(&run, 'u', user) && tell_item(&run, 's', PAM_SERVICE) && tell_item(&run, 't', PAM_TTY)
        && tell_item(&run, 'h', PAM_RHOST) && (!options.once || tell(&run, 'm', "once"))
        && (!options.resume || tell(&run, 'm', "resume")) && (!asks || tell(&run, 'm', "prompt"))
        && (!options.resume || tell_session(&run, 1)) && tell(&run, 'A', "")) {
        result = converse(&run, asks);
    }
    /* A helper that is not done notices this, and ends. */
    (void)close(run.socket);
    return result;
}

int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)pam, (void)flags, (void)count, (void)arguments;
    return PAM_SUCCESS;
}

/* Says one thing to a staying helper; whether it agrees. */
static int say(struct run *run, const struct options *options, const char *token, char verb) {
    const void *user = NULL;
    char process[24];
    run->deadline = frame_now() + SESSION_PATIENCE;
    run->socket = helper_reach(options->root, token);
    if (run->socket < 0) return 0;
    (void)snprintf(process, sizeof process, "%ld", (long)getpid());
    struct frame answer;
    int agrees = pam_get_item(run->pam, PAM_USER, &user) == PAM_SUCCESS && user != NULL && tell(run, 'u', user)
        && tell_item(run, 's', PAM_SERVICE) && tell_item(run, 't', PAM_TTY) && tell_session(run, 0)
        && tell(run, 'p', process) && tell(run, verb, "")
        && frame_receive(run->socket, -1, &answer, run->deadline) == FRAME_DONE && answer.kind == 'R' && answer.length == 1
        && answer.body[0] == 'y';
    (void)close(run->socket);
    return agrees;
}

static void forget(pam_handle_t *pam, void *data, int status) {
    (void)pam, (void)status;
    free(data);
}

int pam_sm_open_session(pam_handle_t *pam, int flags, int count, const char **arguments) {
    struct options options;
    (void)flags;
    /* Who came in another way has no helper, and nothing is asked of them. */
    const char *found = pam_getenv(pam, STAY);
    if (found == NULL) return PAM_IGNORE;
    if (!read_options(pam, &options, count, arguments) || !is_token(found)) return PAM_SESSION_ERR;
    char *token = strdup(found);
    if (token == NULL) return PAM_BUF_ERR;
    struct run run = {.pam = pam, .socket = -1, .deadline = 0};
    int agrees = say(&run, &options, token, 'O');
    /* The user's programs have no use for it. */
    (void)pam_putenv(pam, STAY);
    if (!agrees || pam_set_data(pam, STAY_DATA, token, forget) != PAM_SUCCESS) {
        pam_syslog(pam, LOG_ERR, "the wallet's session cannot be kept, so none is opened");
        free(token);
        return PAM_SESSION_ERR;
    }
    return PAM_SUCCESS;
}

int pam_sm_close_session(pam_handle_t *pam, int flags, int count, const char **arguments) {
    struct options options;
    const void *token = NULL;
    (void)flags;
    if (pam_get_data(pam, STAY_DATA, &token) != PAM_SUCCESS || token == NULL) return PAM_IGNORE;
    if (!read_options(pam, &options, count, arguments)) return PAM_SESSION_ERR;
    struct run run = {.pam = pam, .socket = -1, .deadline = 0};
    /* A helper that is gone already has nothing left to end. */
    (void)say(&run, &options, token, 'X');
    return PAM_SUCCESS;
}
