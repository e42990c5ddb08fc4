/* SPDX-License-Identifier: BSD-3-Clause */
/* In a replay, a window lock or an ordered atomic waits until its recorded number of sections, or
 * of atomics of its location, came before it. */
#ifndef ORK_FORCE_TURN_H
#define ORK_FORCE_TURN_H

#include "record/calls.h"
#include "interceptor/outcomes/locks.h"

struct ork_turn {
    struct ork_lock lock;
    bool is_decided;
    uint32_t number; /* of sections before it, if that is decided */
};

/* Before the real call, in a rank that follows a recording. `lock` NULL: it is no choice. */
struct ork_turn ork_turn_await(enum ork_call_id id, const struct ork_lock *lock);
/* After it, or if it is not made. */
void ork_turn_is_over(const struct ork_turn *turn);

/* To be called again and again while such a call waits. */
void ork_turn_progress(void);

#endif
