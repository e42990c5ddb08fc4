/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of MPI_Win_start and MPI_Win_post (MPI-3.1 section 11.5.2). The k-th post of a target
 * towards an origin belongs to the k-th start of that origin with this target, and so do the calls
 * that end these epochs. MPI_Win_start need not wait for the post, but the accesses do. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

/* ---- queues ---- */

bool ork_queue_push(const struct ork_onesided *o, struct queue *q, uint32_t rank)
{
    if (q->first > 0 && q->first == q->count)
        q->first = q->count = 0;
    if (!ork_vec_reserve(&q->told, &q->room, q->count + 1, sizeof(*q->told)))
        return false;
    q->told[q->count++] =
        (struct told){.stamp = ork_events_take(o->events, rank), .mark = ork_stamp_mark(o, rank)};
    return true;
}

bool ork_queue_pop(struct queue *q, struct told *told)
{
    ORK_ASSERT(q->first <= q->count);
    if (q->first == q->count)
        return false;
    *told = q->told[q->first++];
    return true;
}

struct pair *ork_group_pair(struct ork_onesided *o, struct window *w, uint32_t target,
                            uint32_t origin)
{
    struct pair *p = w->pair;

    ORK_ASSERT(target < o->nprocs && origin < o->nprocs);
    while (p != NULL && (p->target != target || p->origin != origin))
        p = p->next;
    if (p != NULL)
        return p;
    p = calloc(1, sizeof(*p));
    if (p == NULL) {
        o->failed = true;
        return NULL;
    }
    p->target = target;
    p->origin = origin;
    p->next = w->pair;
    w->pair = p;
    return p;
}

/* ---- partners ---- */

/* The number of ranks of the runs; UINT32_MAX: invalid, or some are of another job. */
static uint32_t count_ranks(const struct ork_onesided *o, const struct ork_record *record,
                            const uint32_t *list)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i + 2 < record->count; i += 3) {
        uint64_t first = list[i], stride = list[i + 1], n = list[i + 2];
        if (n == 0 || first >= o->nprocs || n > o->nprocs || first + stride * (n - 1) >= o->nprocs)
            return UINT32_MAX;
        count += n;
    }
    return count <= o->nprocs ? (uint32_t)count : UINT32_MAX;
}

/* The group of an epoch that begins. */
static void begin(struct ork_onesided *o, struct partners *p, const struct ork_record *record,
                  const uint32_t *list)
{
    uint32_t count = count_ranks(o, record, list), n = 0;

    ork_partners_release(p);
    if (count == UINT32_MAX) {
        o->lost = "the group of an epoch is not known";
        return;
    }
    p->item = calloc(count + 1, sizeof(*p->item));
    if (p->item == NULL) {
        o->failed = true;
        return;
    }
    p->count = count;
    for (uint32_t i = 0; i + 2 < record->count; i += 3) {
        for (uint32_t k = 0; k < list[i + 2]; k++)
            p->item[n++].rank = list[i] + k * list[i + 1];
    }
    ORK_ASSERT(n == count);
}

/* ---- posts ---- */

void ork_group_post(struct ork_onesided *o, struct window *w, uint32_t rank,
                    const struct ork_record *record, const uint32_t *list)
{
    struct member *m = ork_window_member_of(w, rank);

    if (m == NULL || ork_events_tick(o->events, rank) == 0) {
        o->failed |= m != NULL;
        return;
    }
    begin(o, &m->post, record, list);
    for (uint32_t i = 0; i < m->post.count && !o->failed; i++) {
        struct pair *p = ork_group_pair(o, w, rank, m->post.item[i].rank);
        if (p == NULL)
            break;
        if (p->skipped_posts > 0)
            p->skipped_posts--;
        else if (!ork_queue_push(o, &p->posts, rank))
            o->failed = true;
    }
    ork_window_wake(o, w);
}

void ork_group_ask(struct ork_onesided *o, struct window *w, uint32_t rank, struct partner *target)
{
    struct pair *p = target->has_posted ? NULL : ork_group_pair(o, w, target->rank, rank);

    if (p == NULL || !ork_queue_pop(&p->posts, &target->posted))
        return;
    target->has_posted = true;
}

void ork_group_start(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct ork_record *record, const uint32_t *list)
{
    struct member *m = ork_window_member_of(w, rank);

    if (m == NULL)
        return;
    begin(o, &m->start, record, list);
}

struct partner *ork_group_target(struct ork_onesided *o, struct window *w, uint32_t rank,
                                 uint32_t target)
{
    struct member *m = ork_window_member_of(w, rank);

    for (uint32_t i = 0; m != NULL && i < m->start.count; i++) {
        struct partner *t = &m->start.item[i];
        if (t->rank != target)
            continue;
        ork_group_ask(o, w, rank, t);
        return t;
    }
    return NULL;
}
