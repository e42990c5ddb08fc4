/* SPDX-License-Identifier: BSD-3-Clause */
/* Have all who could still let a deadlock go on had the time to do it?
 *
 * A send that waits for room goes on as soon as its receiver looks for messages, and a collective
 * as soon as others pass its data on. Inside an MPI call a rank does that whenever it has a
 * processor. So nothing follows from the time that has passed: a rank may have been stopped, or got
 * no processor. It has had the time if, since the latest movement of any rank of the deadlock,
 *
 *  - each of them has used processor time inside its call, and so much that what it sends or
 *    receives could have been copied;
 *  - they did so by turns: again and again each of them used some, after all the others had (what
 *    one does may be of use only to another one that comes after it);
 *  - where a library sleeps in the kernel until something comes: the rank was found asleep at each
 *    of many looks over some seconds, and never stopped or waiting for a processor. */
#ifndef ORK_OVERLAY_ANALYSIS_PATIENCE_H
#define ORK_OVERLAY_ANALYSIS_PATIENCE_H

#include "overlay/analysis/snapshots.h"

/* Processor time inside the call that every rank has to use, and in one turn. */
#define ORK_PATIENCE_CPU_NS  UINT64_C(50000000)
#define ORK_PATIENCE_TURN_NS UINT64_C(5000000)
/* Turns, and one more each time that the ranks double. */
#define ORK_PATIENCE_TURNS 5u
/* In place of processor time: asleep for so long, at so many looks. */
#define ORK_PATIENCE_SLEEP_NS    UINT64_C(3000000000)
#define ORK_PATIENCE_SLEEP_LOOKS 30u
/* A rank that makes calls in a turn, though not of the deadlock, looks for messages in them. */
#define ORK_PATIENCE_CALLS 10u

enum ork_part {
    ORK_PART_NONE,
    ORK_PART_STUCK,  /* of the deadlock: if it moves, all begins anew */
    ORK_PART_HELPER, /* not of it, but what it does inside MPI may let the others go on */
};

struct ork_patience;

enum ork_status ork_patience_create(uint32_t nprocs, struct ork_patience **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_patience_grow(struct ork_patience *p, uint32_t nprocs);
/* NULL is allowed. */
void ork_patience_destroy(struct ork_patience *p);

/* Look at what the latest round of snapshots shows, at `now_ns` (monotonic clock), of the ranks
 * that have a part in it (`part`, for each rank). `volume_ns`: processor time that copying what
 * they send and receive may take. True: they have had the time. */
bool ork_patience_observe(struct ork_patience *p, const struct ork_snapshots *snapshots,
                          const enum ork_part *part, uint64_t volume_ns, uint64_t now_ns);

#endif
