/* SPDX-License-Identifier: BSD-3-Clause */
/* A window lock, or an ordered atomic, waits until its number of sections, or of atomics of its
 * location, came before it: that of the order that the rank follows, or that the tool decides. */
#ifndef ORK_TURN_H
#define ORK_TURN_H

#include "interceptor/outcomes/decisions.h"
#include "interceptor/outcomes/locks.h"

struct ork_turn {
    struct ork_lock lock;
    bool is_decided;
    uint32_t number; /* of sections before it, if that is decided */
};

/* Before the real call. `lock` NULL: it is no choice. `question`: what the tool is asked in a
 * deterministic run. False: the turn of an atomic was not decided, or does not come. */
bool ork_turn_await(enum ork_call_id id, const struct ork_lock *lock,
                    const struct ork_question *question, struct ork_turn *turn);
/* After it, or if it is not made. */
void ork_turn_is_over(const struct ork_turn *turn);

/* To be called again and again while such a call waits. */
void ork_turn_progress(void);

#endif
