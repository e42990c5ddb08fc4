/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns of window locks in a run of an exploration. A lock whose number of sections is decided
 * waits until these are over (turn.h). Locks that are free must not come between. If nothing
 * that is decided needs a free choice, they wait until all decided locks were taken, or no rank can
 * go on. Otherwise they let decided ones go first, as far as these can come: a free lock waits a
 * bounded time. If it overtakes a decided one, the run has diverged. */
#ifndef ORK_TURNS_H
#define ORK_TURNS_H

#include "interceptor/outcomes/locks.h"

/* Once, after the choices of this rank have been loaded and its memory for sections is there. */
void ork_turns_init(void);

/* A decided lock waits for this number of sections: call it again and again, because several may
 * wait, and the first one counts. It was taken, or given up. */
void ork_turn_wait(const struct ork_lock *lock, uint32_t number);
void ork_turn_end(const struct ork_lock *lock, uint32_t number);

/* Before a free lock. `progress` is called while it waits. */
void ork_turn_yield(enum ork_call_id id, const struct ork_lock *lock, void (*progress)(void));

#endif
