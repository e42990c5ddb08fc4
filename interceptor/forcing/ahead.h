/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a rank may be ahead of one that it sends to (backlog.h), and how long it waits if it is
 * further: the rule for the messages of one communicator to one rank. Their length is the number of
 * those without a receive, negative if receives wait. Times are in nanoseconds, of any clock that
 * does not go back. Invariant: a wait ends by itself. Pure. */
#ifndef ORK_AHEAD_H
#define ORK_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

/* So many messages are sent ahead. RATIONALE: Open MPI keeps less than a kilobyte for a short one.
 */
#define ORK_AHEAD INT64_C(4096)
/* A wait ends when half of them are received; or when the receiver posts nothing for so long, or
 * after a second. Then as many again may be sent. */
#define ORK_AHEAD_STALLED_NS UINT64_C(50000000)
#define ORK_AHEAD_LIMIT_NS   UINT64_C(1000000000)

/* `allowed`: messages beyond ORK_AHEAD, because the receiver has posted nothing; at first 0. Is a
 * wait due? */
static inline bool ork_ahead_is_long(int64_t allowed, int64_t length)
{
    return length > ORK_AHEAD + allowed;
}

enum ork_ahead_state {
    ORK_AHEAD_WAITS,
    ORK_AHEAD_SHORT,  /* enough messages were received */
    ORK_AHEAD_STALLED /* the receiver posts nothing, or too little */
};

struct ork_ahead_wait {
    int64_t limit;
    uint64_t begun, changed; /* when `posted` has changed */
    uint64_t posted;         /* receives, of all time */
};

void ork_ahead_begin(struct ork_ahead_wait *w, int64_t allowed, uint64_t posted, uint64_t now_ns);
/* Until the wait is over. */
enum ork_ahead_state ork_ahead_look(struct ork_ahead_wait *w, int64_t length, uint64_t posted,
                                    uint64_t now_ns);
/* What is allowed after it. */
int64_t ork_ahead_end(int64_t allowed, int64_t length, enum ork_ahead_state state);

#endif
