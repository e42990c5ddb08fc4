/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of functions of MPI that have no hook, because they are newer than MPI-3.1 or extensions of
 * a library. Each is passed through and counted. With the first one, this process is open: it may
 * have sent, received, completed, made or freed anything, so nothing that depends on what came
 * before is known any more. */
#ifndef ORK_UNHOOKED_H
#define ORK_UNHOOKED_H

#include "record/calls.h"

#include <stdbool.h>

/* The preload file calls this before each such call, from the return address `caller`. */
void ork_unhooked_call(enum ork_call_id id, const void *caller);

bool ork_is_open(void);

/* MPI_Init has returned: if recording has started, tell of the calls before. */
void ork_unhooked_start(void);

/* In MPI_Finalize: tell how many calls there were. The recorder's lock is held. */
void ork_unhooked_finish(void);

#endif
