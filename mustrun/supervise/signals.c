/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/signals.h"

#include "common/log.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* RATIONALE: the process that starts mustrun may have ignored or blocked these. Without SIGCHLD
 * mustrun does not learn that a child has ended; without SIGTERM a launcher continues when mustrun
 * ends it, or dies. */
static void use_defaults(sigset_t *mask)
{
    static const int needed[] = {SIGCHLD, SIGTERM};

    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        signal(needed[i], SIG_DFL);
        sigdelset(mask, needed[i]);
    }
}

/* RATIONALE: signals are blocked, not ignored, so that a child inherits only a mask, which it gets
 * back. SIGPIPE: the tool may have ended when we write to it, or our stderr may be closed. SIGXFSZ:
 * a report that is longer than the user allows is a failed write(). SIGTTIN: so is reading the
 * terminal in the background a failed read(). */
enum ork_status ork_signals_init(struct ork_signals *signals)
{
    sigset_t watched;
    sigset_t blocked;

    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGHUP);
    sigaddset(&watched, SIGQUIT);
    sigaddset(&watched, SIGUSR1);
    sigaddset(&watched, SIGUSR2);
    blocked = watched;
    sigaddset(&blocked, SIGPIPE);
    sigaddset(&blocked, SIGXFSZ);
    sigaddset(&blocked, SIGTTIN);
    sigprocmask(SIG_BLOCK, &blocked, &signals->mask);
    use_defaults(&signals->mask);
    signals->fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd >= 0)
        return ORK_OK;
    ork_error("cannot watch signals: %s", strerror(errno));
    return ORK_IO;
}

void ork_signals_release(struct ork_signals *signals)
{
    if (signals->fd >= 0)
        close(signals->fd);
    signals->fd = -1;
}
