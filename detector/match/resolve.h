/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of matching: link.c keeps the lists, resolve.c makes certain matches, match.c posts. */
#ifndef ORK_DETECTOR_RESOLVE_H
#define ORK_DETECTOR_RESOLVE_H

#include "detector/match/queue.h"

/* Pending receives posted before `r` that may take a message of the exact queue `q`, which is not
 * of a process that is exact only, up to `most`. Those of other threads may have been posted before
 * `r`, too. */
static inline uint32_t ork_match_earlier_rivals(const struct queue *q, const struct op *r,
                                                uint32_t most)
{
    const struct queue *rival[] = {q->any_source, q->any_any, q->channel};
    bool several = r->thread->proc->several;
    uint32_t n = 0;

    for (unsigned i = 0; i < 3; i++) {
        for (const struct op *w = rival[i]->recvs.head;
             w != NULL && (several || w->seq < r->seq) && n < most; w = w->next)
            n += w->seq < r->seq || w->thread != r->thread;
    }
    return n;
}

/* link.c */
void ork_main_insert_by_seq(struct fifo *f, struct op *op);
void ork_side_insert_by_seq(struct fifo *f, struct op *op);
/* The queue of all wildcards above `q`, or `q` itself. */
struct queue *ork_queue_any_any(struct queue *q);
/* It contains sends and receives whose match is not decided. */
void ork_queue_mark_ambiguous(struct queue *q);
void ork_queue_clear_ambiguous(struct queue *q);
/* The receives of (*, tag) or dest have changed, or its `passed`. */
void ork_queue_update_doubt(struct queue *wild, struct proc *p);
void ork_count_send(struct op *s);
void ork_link_send(struct op *s);
void ork_unlink_send(struct op *s);
void ork_link_recv(struct op *r);
void ork_link_new_recv(struct op *r);
void ork_unlink_recv(struct op *r);

/* resolve.c */
/* The operation is complete only in the run: unconfirmed until it is matched. */
void ork_op_mark_unconfirmed(struct op *op);
void ork_op_confirm(struct op *op);
/* Notify the owner and free the operation. */
void ork_op_complete(struct ork_detector *d, struct op *op);
void ork_resolve_exact(struct ork_detector *d, struct queue *q);
/* A match at this destination was decided: retry all ambiguous queues until nothing changes. */
void ork_resolve_ambiguous(struct ork_detector *d, struct queue *any_any);

#endif
