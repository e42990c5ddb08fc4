/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows one-sided accesses and messages for anyone, twice: one gets every record, the other
 * one those that a fold lets through, as before the first window and the first receive from any
 * source. Then both get the same accesses, messages and receives, and have to find the same
 * conflicts and races. */
#ifndef ORK_FUZZ_FOLD_FOLLOWERS_H
#define ORK_FUZZ_FOLD_FOLLOWERS_H

#include "order/causality/races.h"
#include "windows/onesided/onesided.h"
#include "tests/fuzz/wfg_random.h"

struct follower {
    struct ork_onesided *onesided;
    struct ork_races *races;
};

struct followers {
    struct follower plain, folded;
    uint32_t ranks;            /* 0: there are none, and nothing happens */
    uint64_t conflicts, races; /* that both found */
};

void followers_create(struct followers *f, uint32_t ranks);
void followers_destroy(struct followers *f);
void follower_feed(struct follower *f, uint32_t rank, const struct ork_record *record, size_t n);
/* After all records of a program. The first difference (static storage); NULL: none. */
const char *followers_compare(struct followers *f, struct wfg_random *random);

#endif
