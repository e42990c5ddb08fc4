/* SPDX-License-Identifier: BSD-3-Clause */
/* Where match.c keeps what is posted.
 *
 * As long as a process receives from one source with one tag at a time it is *plain*: only exact
 * queues lead to it, nothing in them is ever in doubt, and each lives as long as it holds
 * something. With the first wildcard, probe with one, cancelled receive or matched probe it becomes
 * *wide*, for good: from then on its exact queues have those above them, which live until they are
 * swept away. */
#ifndef ORK_DETECTOR_QUEUE_H
#define ORK_DETECTOR_QUEUE_H

#include "detector/match/match.h"

/* Where in the table the exact queue stands, if it is there. */
#define QUEUE_NOWHERE UINT32_MAX
uint32_t ork_queue_place(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                         int32_t tag);
/* NULL: there is none. With a wildcard: of a wide process. */
struct queue *ork_queue_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                             int32_t tag);
bool ork_queues_make_room(struct ork_detector *d);
/* May free idle queues of wide processes, so no pointer to such a queue may be held across. False:
 * out of memory. */
static inline bool ork_queues_reserve(struct ork_detector *d)
{
    return (d->matching.exact.used < d->matching.exact.buckets &&
            d->matching.exact.used + d->matching.above.used < d->matching.queue_limit) ||
           ork_queues_make_room(d);
}
/* After ork_queues_reserve(). */
void ork_queue_look(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                    int32_t tag, struct spot *spot);
/* After ork_queue_look(). NULL: out of memory. */
struct queue *ork_queue_at(struct ork_detector *d, struct spot *spot);
/* Both. */
struct queue *ork_queue_get(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                            int32_t tag);
/* With a wildcard, of a wide process. NULL: out of memory. */
struct queue *ork_queue_above(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                              int32_t tag);
/* Something was taken out of `q`: free it, if it is a plain process's and holds nothing. */
void ork_queue_settle(struct ork_detector *d, struct queue *q);
/* Make `p` wide. False: out of memory. */
bool ork_queues_widen(struct proc *p);
void ork_queues_destroy(struct ork_detector *d);

/* ---- lists ---- */

static inline void main_append(struct fifo *f, struct op *op)
{
    op->next = NULL;
    op->prev = f->tail;
    *(f->tail != NULL ? &f->tail->next : &f->head) = op;
    f->tail = op;
}

#endif
