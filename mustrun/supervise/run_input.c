/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at and --must:on deadlock=stop on a terminal: Enter lets held ranks go on, or ends a
 * deadlocked job. RATIONALE: the launcher reads the
 * terminal, whether the program needs input or not, and each line has one reader only. So here
 * mustrun reads it, and the launcher gets a pipe with all lines except that one. */
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Milliseconds between two looks whether mustrun is in the foreground again. */
enum { FOREGROUND_PAUSE = 500 };

bool ork_run_may_take_input(const struct ork_run *run)
{
    return (run->options->stop.choice != 0 || run->options->stops) &&
           ork_launcher_of(run->options->mpiexec)->passes_input && isatty(STDIN_FILENO) == 1;
}

static bool is_foreground(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static bool is_open(const struct ork_run *run)
{
    return run->application.in >= 0 && !run->input.is_over;
}

void ork_run_input_fds(const struct ork_run *run, struct pollfd fds[2])
{
    bool is_full = run->input.size > 0;
    bool reads = is_open(run) && !is_full && is_foreground();

    fds[0] = (struct pollfd){.fd = reads ? STDIN_FILENO : -1, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = is_full ? run->application.in : -1, .events = POLLOUT};
}

int ork_run_input_wait(const struct ork_run *run)
{
    return is_open(run) && !is_foreground() ? FOREGROUND_PAUSE : -1;
}

/* At most one line, as a terminal gives it. True: the user lets the run go on. */
static bool take_line(struct ork_run *run)
{
    struct ork_run_input *in = &run->input;
    ssize_t n = read(STDIN_FILENO, in->text, sizeof(in->text));

    if (n == 1 && in->text[0] == '\n' && (run->is_held || run->is_stopped))
        return true;
    if (n > 0)
        in->size = (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR && errno != EIO))
        in->is_over = true;
    return false;
}

static void pass_on(struct ork_run *run)
{
    struct ork_run_input *in = &run->input;
    ssize_t n = write(run->application.in, in->text, in->size);

    if (n > 0) {
        in->size -= (size_t)n;
        memmove(in->text, in->text + n, in->size);
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        in->size = 0; /* nobody reads it any more */
        in->is_over = true;
    }
}

bool ork_run_pass_input(struct ork_run *run, const struct pollfd fds[2])
{
    bool goes_on = fds[0].fd >= 0 && fds[0].revents != 0 && take_line(run);

    if (run->input.size > 0 && run->application.in >= 0)
        pass_on(run);
    if (run->input.is_over && run->input.size == 0)
        ork_child_close(&run->application.in);
    return goes_on;
}
