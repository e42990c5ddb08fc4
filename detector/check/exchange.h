/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the ranks of a collective call pass the same lengths and types: MPI-3.1 sections 5.4 to 5.11?
 * What one sends and another receives must be the same, and so must what all pass to a reduction.
 */
#ifndef ORK_DETECTOR_EXCHANGE_H
#define ORK_DETECTOR_EXCHANGE_H

#include "detector/state/state.h"

/* What a record names, if it is one amount. False: nothing, or several. */
static inline bool ork_exchange_amount(const struct ork_record *rec, struct amount *out)
{
    struct amount sent = {rec->bytes, rec->arg2};
    struct amount received = {rec->extra, (uint32_t)rec->peer2};
    bool sends = (rec->flags & ORK_F_SENDS) != 0;
    bool receives = (rec->flags & ORK_F_RECEIVES) != 0;

    *out = sends ? sent : received;
    return (sends || receives) && rec->count == 0 &&
           (!sends || !receives || (sent.bytes == received.bytes && sent.type == received.type));
}

/* Is there certainly nothing wrong between two calls of one operation? */
static inline bool ork_exchange_agrees(const struct ork_record *a, const struct ork_record *b)
{
    struct amount x, y;

    if (((a->flags | b->flags) & (ORK_F_SENDS | ORK_F_RECEIVES)) == 0)
        return true;
    return ork_exchange_amount(a, &x) && ork_exchange_amount(b, &y) && x.bytes == y.bytes &&
           x.type == y.type;
}

/* `rec` is the call by which `th`, member `me`, has arrived at `w`, and w->is_uneven: compare it
 * with those of the members that wait there or whose calls have failed there, and with itself. */
void ork_exchange_compare(struct mpi_thread *th, const struct wave *w, uint32_t me,
                          const struct ork_record *rec) __attribute__((cold, noinline));

/* The call of `p`, member `member`, at `w` has returned an error after it had communicated.
 * RATIONALE: the others may arrive later, because the records of ranks come in any order. */
void ork_exchange_failed(struct wave *w, struct proc *p, uint32_t member,
                         const struct ork_record *call, const uint32_t *list);

#endif
