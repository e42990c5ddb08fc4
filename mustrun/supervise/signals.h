/* SPDX-License-Identifier: BSD-3-Clause */
/* The signals that mustrun reads instead of being interrupted by them, from its first run to its
 * end: one that comes between two runs is read by the next one. */
#ifndef ORK_MUSTRUN_SUPERVISE_SIGNALS_H
#define ORK_MUSTRUN_SUPERVISE_SIGNALS_H

#include "common/status.h"

#include <signal.h>

struct ork_signals {
    int fd;        /* signalfd */
    sigset_t mask; /* the children's: as at our start, but without SIGCHLD and SIGTERM */
};

/* Call once. SIGCHLD and SIGTERM get their default actions, which the children inherit. A failure
 * is reported on stderr: ORK_IO. */
enum ork_status ork_signals_init(struct ork_signals *signals);
/* They stay blocked. */
void ork_signals_release(struct ork_signals *signals);

#endif
