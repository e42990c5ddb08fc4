/* SPDX-License-Identifier: BSD-3-Clause */
/* Where match.c keeps what is posted.
 *
 * As long as a process receives from one source with one tag at a time, it is *exact only*: only
 * exact queues lead to it, nothing in them is ever in doubt, and each lives as long as it holds
 * something. With the first wildcard, probe with one, cancelled receive or matched probe it becomes
 * one that *may overlap*, for good: from then on its exact queues have those above them, which live
 * until they are swept away. */
#ifndef ORK_DETECTOR_QUEUE_H
#define ORK_DETECTOR_QUEUE_H

#include "detector/match/match.h"

/* Where in the table the exact queue stands, if it is there. */
#define QUEUE_NO_BUCKET UINT32_MAX
uint32_t ork_queue_bucket(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                          int32_t tag);
/* NULL: there is none. With a wildcard: of a process that may overlap. */
struct queue *ork_queue_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                             int32_t tag);
bool ork_queues_make_room(struct ork_detector *d);
/* May free idle queues of processes that may overlap, so no pointer to such a queue may be held
 * across. False: out of memory. */
static inline bool ork_queues_reserve(struct ork_detector *d)
{
    return (d->matching.exact.used < d->matching.exact.buckets &&
            d->matching.exact.used + d->matching.above.used < d->matching.queue_limit) ||
           ork_queues_make_room(d);
}
/* After ork_queues_reserve(). */
void ork_queue_lookup(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                      int32_t tag, struct queue_ref *queue_ref);
/* After ork_queue_lookup(). NULL: out of memory. */
struct queue *ork_queue_at(struct ork_detector *d, struct queue_ref *queue_ref);
/* Both. */
struct queue *ork_queue_get(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                            int32_t tag);
/* With a wildcard, of a process that may overlap. NULL: out of memory. */
struct queue *ork_queue_above(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                              int32_t tag);
/* Something was taken out of `q`: free it, if its process is exact only and it holds nothing. */
void ork_queue_free_if_idle(struct ork_detector *d, struct queue *q);
/* Let patterns of `p` overlap. False: out of memory. */
bool ork_queues_allow_overlap(struct proc *p);
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
