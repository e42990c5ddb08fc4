/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports which signal handlers are the interceptor's own: from outside, the tool only sees that
 * there is a handler. Ours lets the process end, so it wakes no sleeping thread; one of the
 * application may. */
#ifndef ORK_SIGNALS_H
#define ORK_SIGNALS_H

#include "record/ring.h"

#include <signal.h>

/* Find the C library's functions, which is not safe in a signal handler. `ring`: this process's
 * ring, for the reports. */
void ork_signals_init(struct ork_ring *ring);

/* Install our handler, which counts as ours until the application installs another one. */
void ork_signals_own(int signo, const struct sigaction *action);

#endif
