/* SPDX-License-Identifier: BSD-3-Clause */
/* Random choices. */
#ifndef ORK_TEST_ORDER_RANDOM_CHOICE_H
#define ORK_TEST_ORDER_RANDOM_CHOICE_H

#include "order/file/order.h"
#include "tests/unit/record/random.h"

enum { RANDOM_INDICES = 100 };

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(random_next(state) >> 33) % n;
}

/* Change each field with one half probability; the indices are in `index`, of RANDOM_INDICES. */
static inline void random_choice(uint64_t *state, struct ork_choice *choice, uint32_t *index)
{
    if (random_next(state) & 1) {
        choice->kind = (uint8_t)random_below(state, ORK_CHOICE_AHEAD);
        choice->call = (uint16_t)random_value(state);
        choice->site = (uint32_t)random_value(state);
        choice->place = (uint32_t)random_value(state);
    }
    if (random_next(state) & 1)
        choice->thread = random_value(state) % ORK_CHOICE_THREADS;
    if (random_next(state) & 1)
        choice->polls = random_value(state);
    if (random_next(state) & 1)
        choice->source = (int32_t)random_value(state);
    if (random_next(state) & 1)
        choice->tag = (int32_t)random_value(state);
    if (random_next(state) & 1)
        choice->post_thread = random_value(state) % ORK_CHOICE_THREADS;
    if (random_next(state) & 1)
        choice->post = random_value(state);
    if (random_next(state) & 1) {
        choice->count = random_below(state, 3) != 0 ? random_below(state, 4)
                                                    : random_below(state, RANDOM_INDICES);
        uint32_t step = random_below(state, 3); /* also in ascending order */
        for (uint32_t i = 0; i < choice->count; i++)
            index[i] = step == 0 ? (uint32_t)random_value(state)
                                 : random_below(state, 8) * (step - 1) + i * step;
    }
    choice->index = index;
}

#endif
