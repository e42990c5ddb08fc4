/* SPDX-License-Identifier: BSD-3-Clause */
/* The latest call that a thread of this rank has begun and that has not returned. For
 * MPI_THREAD_SERIALIZED only, where it is the only one in a correct program. */
#ifndef ORK_INSIDE_H
#define ORK_INSIDE_H

#include "interceptor/site/site.h"

/* The calling thread begins a call. True: another thread is in *other. */
bool ork_inside_enter(const struct ork_call *call, struct ork_call *other);

/* It has returned. Does nothing if ork_inside_enter() was not called. */
void ork_inside_leave(void);

#endif
