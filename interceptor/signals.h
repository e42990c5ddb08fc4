/* SPDX-License-Identifier: BSD-3-Clause */
/* Which signal handlers are the interceptor's own, for the tool outside: it sees only that there
 * is a handler. One of ours lets the process end, so it wakes no thread that sleeps; one of the
 * application may. */
#ifndef ORK_SIGNALS_H
#define ORK_SIGNALS_H

#include "record/ring.h"

#include <signal.h>

/* Find the C library's functions, which a signal handler could not do safely. `ring`: where to
 * tell, of this process. */
void ork_signals_init(struct ork_ring *ring);

/* Install a handler of ours, which counts as such until the application installs another one. */
void ork_signals_own(int signo, const struct sigaction *action);

#endif
