/* SPDX-License-Identifier: BSD-3-Clause */
/* Have all ranks that could still let a deadlock continue had the time to do so?
 *
 * A send that waits for buffer space continues when its receiver looks for messages, and a
 * collective when others pass its data on. Inside an MPI call a rank does so whenever it has a
 * processor. So elapsed time proves nothing: a rank may have been stopped, or got no processor. The
 * ranks have had the time if, since the latest movement of any rank of the deadlock,
 *
 *  - each of them has used processor time inside its call, enough to copy what it sends or
 *    receives; or got the processor many times and soon gave it up, because there was
 *    nothing to do, not because it waited for its memory or for a file;
 *  - they did so by turns: each used some after all the others had, several times (the work of one
 *    may only help another one that comes after it);
 *  - where a library sleeps in the kernel until something arrives: the rank has slept for some
 *    seconds, at many looks. The time that it waited for a processor does not count, and if it was
 *    stopped, they begin anew;
 *  - and none of them is stopped, traced or frozen now. */
#ifndef ORK_OVERLAY_ROOT_PATIENCE_H
#define ORK_OVERLAY_ROOT_PATIENCE_H

#include "overlay/root/pace.h"

/* Processor time inside the call that every rank has to use in total, and in one turn. */
#define ORK_PATIENCE_CPU_NS  UINT64_C(50000000)
#define ORK_PATIENCE_TURN_NS UINT64_C(5000000)
/* Instead: looks, see ork_pace_looks(). In one turn: ORK_PACE_LOOKS. */
#define ORK_PATIENCE_LOOKS 100u
/* Turns; one more each time that the number of ranks doubles. */
#define ORK_PATIENCE_TURNS 5u
/* Instead of processor time: time asleep, and number of looks. */
#define ORK_PATIENCE_SLEEP_NS    UINT64_C(3000000000)
#define ORK_PATIENCE_SLEEP_LOOKS 30u
/* A rank outside the deadlock that makes this many calls in a turn looks for messages in them. */
#define ORK_PATIENCE_CALLS 10u

enum ork_part {
    ORK_PART_NONE,
    ORK_PART_STUCK,  /* in the deadlock: if it moves, all begins anew */
    ORK_PART_HELPER, /* not in it, but its work inside MPI may let the others continue */
};

struct ork_patience;

enum ork_status ork_patience_create(uint32_t nprocs, struct ork_patience **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_patience_grow(struct ork_patience *p, uint32_t nprocs);
/* NULL is allowed. */
void ork_patience_destroy(struct ork_patience *p);

/* Begin anew: what the ranks did before counts no more. */
void ork_patience_restart(struct ork_patience *p);

/* Evaluate the latest round of snapshots at `now_ns` (monotonic clock), for the ranks that take
 * part (`part`, for each rank). `volume_ns`: processor time to copy what they send and receive.
 * True: they have had the time. */
bool ork_patience_observe(struct ork_patience *p, const struct ork_snapshots *snapshots,
                          const enum ork_part *part, uint64_t volume_ns, uint64_t now_ns);

#endif
