/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/on_finding.h"

#include "common/log.h"
#include "mustrun/supervise/spawn.h"
#include "mustrun/supervise/timers.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 10000 }; /* milliseconds for each finding */

#define BLANKS " \t\n"

/* The command's words and our environment. */
static bool build(const char *text, struct ork_command *command)
{
    *command = (struct ork_command){0};
    for (const char *word = text + strspn(text, BLANKS); *word != '\0';) {
        size_t length = strcspn(word, BLANKS);
        ork_argv_addf(&command->argv, "%.*s", (int)length, word);
        word += length;
        word += strspn(word, BLANKS);
    }
    for (char *const *entry = environ; *entry != NULL; entry++)
        ork_argv_add(&command->environment, *entry);
    return !command->argv.failed && !command->environment.failed && command->argv.count > 0;
}

/* Write what its pipe takes now. It is closed at the end, or if the command does not read it. */
static void feed(struct ork_child *child, const char **rest)
{
    ssize_t n = write(child->in, *rest, strlen(*rest));

    if (n > 0)
        *rest += n;
    if (**rest == '\0' || (n < 0 && errno != EAGAIN && errno != EINTR))
        ork_child_close(&child->in);
}

/* Read our signals; false: one asks us to end. */
static bool read_signals(const struct ork_signals *signals, struct ork_child *child)
{
    struct signalfd_siginfo info;
    bool go_on = true;

    while (read(signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
        go_on &=
            info.ssi_signo == SIGCHLD || info.ssi_signo == SIGUSR1 || info.ssi_signo == SIGUSR2;
    ork_child_reap(child);
    return go_on;
}

/* Until it has ended. False: it was killed, because of its time limit or a signal. */
static bool wait_for(struct ork_child *child, const char *text, const struct ork_signals *signals)
{
    const int64_t end = ork_now() + LIMIT;
    bool go_on = true;

    while (ork_child_is_alive(child) && go_on) {
        int64_t left = end - ork_now();
        struct pollfd fds[] = {{.fd = signals->fd, .events = POLLIN},
                               {.fd = child->in, .events = POLLOUT}};
        if (left > 0)
            poll(fds, 2, (int)left);
        go_on = left > 0;
        if (child->in >= 0 && fds[1].revents != 0)
            feed(child, &text);
        go_on = read_signals(signals, child) && go_on;
    }
    ork_child_close(&child->in);
    bool ended = !ork_child_is_alive(child);
    if (!ended) {
        kill(-child->pid, SIGKILL);
        waitpid(child->pid, &child->status, 0);
    }
    return ended;
}

/* The JSON of finding i and a newline, the caller's; NULL: out of memory. */
static char *line_of(const struct ork_report *report, uint32_t i)
{
    char *text;

    if (ork_report_finding_to_json(report, i, &text) != ORK_OK)
        return NULL;
    char *line = realloc(text, strlen(text) + 2);
    if (line == NULL)
        free(text);
    else
        strcat(line, "\n");
    return line;
}

/* False: the others are left out. */
static bool run_once(const struct ork_command *command, const char *line,
                     const struct ork_signals *signals, uint32_t *failures)
{
    struct ork_child child;

    if (ork_spawn(command, ORK_SPAWN_INPUT | ORK_SPAWN_GROUP | ORK_SPAWN_TO_STDERR, &signals->mask,
                  &child) != ORK_OK)
        return false;
    if (!wait_for(&child, line, signals)) {
        ork_error("the command of --must:on-finding was killed: it had not ended after %d s, or "
                  "mustrun got a signal",
                  LIMIT / 1000);
        return false;
    }
    *failures += child.status != 0;
    return true;
}

void ork_on_finding_run(const char *text, const struct ork_report *report,
                        const struct ork_signals *signals)
{
    struct ork_command command;
    uint32_t failures = 0;
    bool go_on = build(text, &command);

    if (!go_on)
        ork_error("the command of --must:on-finding has no words");
    fflush(stderr);
    for (uint32_t i = 0; go_on && i < report->num_findings; i++) {
        char *line = line_of(report, i);
        go_on = line != NULL && run_once(&command, line, signals, &failures);
        free(line);
    }
    if (failures > 0)
        ork_error("the command of --must:on-finding failed for %" PRIu32 " of %" PRIu32 " findings",
                  failures, report->num_findings);
    ork_argv_release(&command.argv);
    ork_argv_release(&command.environment);
}
