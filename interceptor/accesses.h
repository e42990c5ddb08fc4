/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of accesses to windows, and of the memory of windows: MPI-3.1 chapter 11. All functions
 * are called with the recorder's lock held. */
#ifndef ORK_ACCESSES_H
#define ORK_ACCESSES_H

#include "interceptor/call.h"
#include "record/access.h"

/* Call once, when MPI is initialised. */
void ork_accesses_init(void);

/* The ACCESS record of a call; with ORK_F_NONBLOCKING after it has returned without an error, else
 * before it. mode: enum ork_access, flags:
 * ORK_F_NONBLOCKING or 0. */
void ork_access_put(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                    unsigned flags);

/* MPI_Win_sync has returned: a record, if the model of the window makes it matter. */
void ork_access_put_sync(const struct ork_call *call, MPI_Win win);

/* The WIN_MEMORY record of a new window. mode: enum ork_coll of its constructor. */
void ork_access_put_memory(const struct ork_call *call, MPI_Win win, unsigned mode);

#endif
