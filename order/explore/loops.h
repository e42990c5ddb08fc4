/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of tests and probes that were to give up. One that went on is forced to that again only
 * after other choices of its rank, and not often; others at the same call of the program are, until
 * many of them went on and none was abandoned. Pure. */
#ifndef ORK_EXPLORE_LOOPS_H
#define ORK_EXPLORE_LOOPS_H

#include "common/hash_map.h"

/* All zero is empty. */
struct ork_loops {
    struct ork_hash_map endless;   /* by loop, and by loop and history: it went on */
    struct ork_hash_map number;    /* by place: so many loops went on, .. */
    struct ork_hash_map again;     /* .. and again, after other choices; .. */
    struct ork_hash_map abandoned; /* .. or one was abandoned */
};

/* Hashes of the rank, the call site and the kind of decision; of these and how many choices the
 * rank made at this call site before; and of all of these and what all its choices before were. */
struct ork_loop {
    uint64_t place, loop, history;
};

enum {
    ORK_LOOPS_MAX = 8,      /* loops of a place that are forced, if all of them go on */
    ORK_LOOPS_AGAIN_MAX = 4 /* how often these are forced again, after other choices */
};

/* It was abandoned. *is_first: no loop of this place did before. False: out of memory. */
bool ork_loops_note_abandoned(struct ork_loops *loops, struct ork_loop loop, bool *is_first);
/* It went on. False: out of memory. */
bool ork_loops_note_endless(struct ork_loops *loops, struct ork_loop loop);

enum ork_loop_ends {
    ORK_LOOP_MAY_END, /* to be tried */
    ORK_LOOP_ENDLESS, /* it went on, often enough, and none at this place was abandoned */
    ORK_LOOP_ASSUMED, /* all others that were tried went on */
};
enum ork_loop_ends ork_loops_find(const struct ork_loops *loops, struct ork_loop loop);
void ork_loops_release(struct ork_loops *loops);

#endif
