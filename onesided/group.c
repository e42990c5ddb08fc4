/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of MPI_Win_start and MPI_Win_post (MPI-3.1 section 11.5.2). The k-th post of a target
 * towards an origin belongs to the k-th start of that origin with this target, and so do the calls
 * that end these epochs. MPI_Win_start need not wait for the post, but the accesses do. */
#include "onesided/internal.h"

#include <stdlib.h>

/* ---- queues ---- */

static bool push(struct queue *q, struct ork_stamp stamp)
{
    if (q->first > 0 && q->first == q->count)
        q->first = q->count = 0;
    if (!ork_vec_reserve(&q->stamp, &q->room, q->count + 1, sizeof(*q->stamp))) {
        ork_events_release(stamp);
        return false;
    }
    q->stamp[q->count++] = stamp;
    return true;
}

static bool pop(struct queue *q, struct ork_stamp *stamp)
{
    if (q->first == q->count)
        return false;
    *stamp = q->stamp[q->first++];
    return true;
}

static void clear(struct queue *q)
{
    for (uint32_t i = q->first; i < q->count; i++)
        ork_events_release(q->stamp[i]);
    free(q->stamp);
}

static struct pair *pair_of(struct ork_onesided *o, struct window *w, uint32_t target,
                            uint32_t origin)
{
    struct pair *p = w->pair;

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

static void release(struct partners *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        ork_events_release(p->item[i].posted);
    free(p->item);
    *p = (struct partners){0};
}

void ork_group_destroy(struct window *w)
{
    while (w->pair != NULL) {
        struct pair *p = w->pair;
        w->pair = p->next;
        clear(&p->posts);
        clear(&p->completes);
        free(p);
    }
    for (uint32_t i = 0; w->member != NULL && i < w->comm->group->size; i++) {
        release(&w->member[i].start);
        release(&w->member[i].post);
    }
}

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

    release(p);
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
}

static struct member *member_of(const struct window *w, uint32_t rank)
{
    uint32_t member = ork_window_member(w, rank);

    return member == UINT32_MAX ? NULL : &w->member[member];
}

/* ---- posts ---- */

bool ork_group_post(struct ork_onesided *o, struct window *w, uint32_t rank,
                    const struct ork_record *record, const uint32_t *list)
{
    struct member *m = member_of(w, rank);

    if (m == NULL || ork_events_tick(o->events, rank) == 0) {
        o->failed |= m != NULL;
        return true;
    }
    begin(o, &m->post, record, list);
    for (uint32_t i = 0; i < m->post.count && !o->failed; i++) {
        struct pair *p = pair_of(o, w, rank, m->post.item[i].rank);
        if (p == NULL)
            break;
        if (p->skipped_posts > 0)
            p->skipped_posts--;
        else if (!push(&p->posts, ork_events_take(o->events, rank)))
            o->failed = true;
    }
    ork_window_wake(o, w);
    return true;
}

static void ask(struct ork_onesided *o, struct window *w, uint32_t rank, struct partner *target)
{
    struct pair *p = target->has_posted ? NULL : pair_of(o, w, target->rank, rank);

    if (p == NULL || !pop(&p->posts, &target->posted))
        return;
    target->has_posted = true;
}

bool ork_group_start(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct ork_record *record, const uint32_t *list)
{
    struct member *m = member_of(w, rank);

    if (m == NULL)
        return true;
    begin(o, &m->start, record, list);
    return true;
}

struct partner *ork_group_target(struct ork_onesided *o, struct window *w, uint32_t rank,
                                 uint32_t target)
{
    struct member *m = member_of(w, rank);

    for (uint32_t i = 0; m != NULL && i < m->start.count; i++) {
        struct partner *t = &m->start.item[i];
        if (t->rank != target)
            continue;
        ask(o, w, rank, t);
        return t;
    }
    return NULL;
}

/* ---- the end of an epoch ---- */

/* Have all targets of accesses posted, as far as this will be known? */
static bool are_posted(struct ork_onesided *o, struct window *w, uint32_t rank, struct member *m)
{
    for (uint32_t i = 0; i < m->start.count; i++) {
        struct partner *t = &m->start.item[i];
        ask(o, w, rank, t);
        if (!t->has_posted && t->is_accessed && !ork_events_is_silent(o->events, t->rank))
            return false;
    }
    return true;
}

bool ork_group_complete(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    uint32_t member = ork_window_member(w, rank);

    if (member == UINT32_MAX)
        return true;
    struct member *m = &w->member[member];
    if (!are_posted(o, w, rank, m)) {
        m->waits = true;
        return false;
    }
    ork_access_release_held(o, w, member, true);
    ork_epoch_complete(o, w, rank);
    if (ork_events_tick(o->events, rank) == 0)
        o->failed = true;
    for (uint32_t i = 0; i < m->start.count && !o->failed; i++) {
        struct partner *t = &m->start.item[i];
        struct pair *p = pair_of(o, w, t->rank, rank);
        if (p == NULL)
            break;
        p->skipped_posts += !t->has_posted;
        if (t->has_posted && t->is_accessed && !ork_events_join(o->events, rank, t->posted))
            o->failed = true;
        if (p->skipped_completes > 0)
            p->skipped_completes--;
        else if (!push(&p->completes, ork_events_take(o->events, rank)))
            o->failed = true;
    }
    release(&m->start);
    ork_window_wake(o, w);
    return true;
}

static bool are_completed(struct ork_onesided *o, struct window *w, uint32_t rank,
                          const struct member *m)
{
    for (uint32_t i = 0; i < m->post.count; i++) {
        uint32_t origin = m->post.item[i].rank;
        const struct pair *p = pair_of(o, w, rank, origin);
        if (p != NULL && p->completes.first == p->completes.count &&
            !ork_events_is_silent(o->events, origin))
            return false;
    }
    return true;
}

bool ork_group_wait(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    struct member *m = member_of(w, rank);

    if (m == NULL)
        return true;
    if (!are_completed(o, w, rank, m)) {
        m->waits = true;
        return false;
    }
    for (uint32_t i = 0; i < m->post.count && !o->failed; i++) {
        struct pair *p = pair_of(o, w, rank, m->post.item[i].rank);
        struct ork_stamp stamp = {0};
        if (p == NULL)
            break;
        if (!pop(&p->completes, &stamp))
            p->skipped_completes++;
        else if (!ork_events_join(o->events, rank, stamp))
            o->failed = true;
        ork_events_release(stamp);
    }
    release(&m->post);
    return true;
}
