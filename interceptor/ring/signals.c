/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: we replace the C library's functions that install a handler, because the kernel does
 * not show another process which handler it is. They behave as before; a signal that the
 * application has set once is never counted as ours again. */
#include "interceptor/ring/signals.h"

#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

typedef void (*handler)(int);

static struct ork_ring *ring; /* NULL: nothing is reported */
static pid_t self;            /* a forked child shares the ring */

static uint64_t bit_of(int signo)
{
    return signo >= 1 && signo <= 64 ? UINT64_C(1) << (signo - 1) : 0;
}

/* RATIONALE: after the call; until then the calling thread counts as one that acts. */
static void disown(int signo)
{
    if (ring != NULL && getpid() == self)
        atomic_fetch_and(&ring->own_signals, ~bit_of(signo));
}

#define ORK_PUBLIC __attribute__((visibility("default")))

/* X(function): those of the form of signal(). */
#define OLD_FORM(X) X(signal) X(bsd_signal) X(ssignal) X(sysv_signal) X(__sysv_signal) X(sigset)

#define KNOWN(name) static _Atomic(ork_function) known_##name;
OLD_FORM(KNOWN)
KNOWN(sigaction)

static int install(int signo, const struct sigaction *wanted, struct sigaction *former)
{
    int (*real)(int, const struct sigaction *, struct sigaction *) =
        (int (*)(int, const struct sigaction *, struct sigaction *))ork_find_system(
            &known_sigaction, "sigaction");

    return real(signo, wanted, former);
}

/* RATIONALE: reported first, or a handler that a thread of the application installs in between
 * would be missed. */
void ork_signals_own(int signo, const struct sigaction *action)
{
    atomic_fetch_or(&ring->own_signals, bit_of(signo));
    install(signo, action, NULL);
}

ORK_PUBLIC int sigaction(int signo, const struct sigaction *restrict wanted,
                         struct sigaction *restrict former)
{
    int result = install(signo, wanted, former);

    if (wanted != NULL)
        disown(signo);
    return result;
}

#define INSTALLS(name)                                                                             \
    ORK_PUBLIC handler name(int signo, handler wanted);                                            \
    handler name(int signo, handler wanted)                                                        \
    {                                                                                              \
        handler (*real)(int, handler) =                                                            \
            (handler(*)(int, handler))ork_find_system(&known_##name, #name);                       \
        handler former = real(signo, wanted);                                                      \
        disown(signo);                                                                             \
        return former;                                                                             \
    }
OLD_FORM(INSTALLS)

void ork_signals_init(struct ork_ring *of)
{
#define FIND(name) ork_find_system(&known_##name, #name);
    OLD_FORM(FIND)
    FIND(sigaction)
    self = getpid();
    ring = of;
}
