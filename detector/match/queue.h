/* SPDX-License-Identifier: BSD-3-Clause */
/* Storage for posted operations, used by match.c.
 *
 * As long as a process receives from one source with one tag at a time, it is *exact only*: only
 * exact queues lead to it, none of their matches is in doubt, and each queue lives as long as it is
 * not empty. With its first wildcard receive, wildcard probe, cancelled receive or matched probe,
 * the process permanently becomes one that *may overlap*: from then on its exact queues have queues
 * above them, and live until they are swept away. */
#ifndef ORK_DETECTOR_QUEUE_H
#define ORK_DETECTOR_QUEUE_H

#include "detector/match/match.h"

/* The hash bucket of the exact queue, if it exists. */
#define QUEUE_NO_BUCKET UINT32_MAX
uint32_t ork_queue_bucket(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                          int32_t tag);
/* NULL: it does not exist. With a wildcard: only for a process that may overlap. */
struct queue *ork_queue_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                             int32_t tag);
bool ork_queues_make_room(struct ork_detector *d);
/* May free idle queues of processes that may overlap, so the caller must not keep a pointer to such
 * a queue. False: out of memory. */
static inline bool ork_queues_reserve(struct ork_detector *d)
{
    return (d->matching.exact.used < d->matching.exact.buckets &&
            d->matching.exact.used + d->matching.above.used < d->matching.queue_limit) ||
           ork_queues_make_room(d);
}
/* To be called after ork_queues_reserve(). */
void ork_queue_lookup(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                      int32_t tag, struct queue_ref *queue_ref);
/* To be called after ork_queue_lookup(). NULL: out of memory. */
struct queue *ork_queue_at(struct ork_detector *d, struct queue_ref *queue_ref);
/* Both of the above. */
struct queue *ork_queue_get(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                            int32_t tag);
/* A queue with a wildcard, of a process that may overlap. NULL: out of memory. */
struct queue *ork_queue_above(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                              int32_t tag);
/* An operation was removed from `q`: free it if it is empty and its process is exact only. */
void ork_queue_free_if_idle(struct ork_detector *d, struct queue *q);
/* Allow patterns of `p` to overlap. False: out of memory. */
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
