/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the program gives back (memory/releases.h) while a pending operation or a window uses
 * it: MPI-3.1 sections 3.7.2, 11.2.4, 11.2.5 and 11.3. */
#ifndef ORK_RELEASED_H
#define ORK_RELEASED_H

#include "interceptor/memory/releases.h"

/* May a pending operation or a window use some of these bytes? RATIONALE: without waiting for the
 * lock. If it is not to be had, the answer is yes, and ork_released_look() knows better. */
bool ork_released_is_near(const struct ork_release *release);

/* At the beginning of a call, before it changes a table, and without the lock: look at what was
 * given back since the latest call. */
void ork_released_look(void) __attribute__((cold, noinline));

#endif
