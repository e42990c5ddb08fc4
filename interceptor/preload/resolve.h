/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of the preload file, and where they lead: docs/explanation/mpi-libraries.md. */
#ifndef ORK_RESOLVE_H
#define ORK_RESOLVE_H

#include "interceptor/preload/preload.h"

#include <stdatomic.h>

/* The function that each entry jumps to, by its number. */
extern _Atomic(ork_function) ork_jump_table[];

/* Called at a call of an entry that leads nowhere yet, from the return address `caller`: the
 * function that it is to call now, and, unless the library is just being chosen, from now on. Ends
 * the process if there is none. Keeps errno. Any thread may call it, also in a signal handler. */
ork_function ork_jump_resolve(unsigned entry, const void *caller);

#endif
