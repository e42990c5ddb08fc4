/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Win_complete, and MPI_Win_wait or MPI_Win_test (MPI-3.1 section 11.5.2). */
#include "windows/onesided/internal.h"

/* Have all targets of accesses posted, as far as this will be known? */
static bool are_posted(struct ork_onesided *o, struct window *w, uint32_t rank, struct member *m)
{
    for (uint32_t i = 0; i < m->start.count; i++) {
        struct partner *t = &m->start.item[i];
        ork_group_ask(o, w, rank, t);
        if (!t->has_posted && t->is_accessed && !ork_events_is_silent(o->events, t->rank))
            return false;
    }
    return true;
}

bool ork_group_end_access(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    uint32_t member = ork_window_member(w, rank);

    if (member == UINT32_MAX)
        return true;
    struct member *m = &w->member[member];
    if (!are_posted(o, w, rank, m)) {
        m->waits = true;
        return false;
    }
    ork_stamp_end_access(o, w, rank);
    ork_access_release_held(o, w, member);
    ork_epoch_complete(o, w, rank);
    if (ork_events_tick(o->events, rank) == 0)
        o->failed = true;
    for (uint32_t i = 0; i < m->start.count && !o->failed; i++) {
        struct partner *t = &m->start.item[i];
        struct pair *p = ork_group_pair(o, w, t->rank, rank);
        if (p == NULL)
            break;
        ORK_ASSERT(t->has_posted || p->posts.first == p->posts.count); /* it was asked for */
        p->skipped_posts += !t->has_posted;
        if (t->has_posted && t->is_accessed && !ork_events_join(o->events, rank, t->posted.stamp))
            o->failed = true;
        if (p->skipped_completes > 0)
            p->skipped_completes--;
        else if (!ork_queue_push(o, &p->completes, rank))
            o->failed = true;
    }
    ork_partners_release(&m->start);
    ork_window_wake(o, w);
    return true;
}

static bool are_completed(struct ork_onesided *o, struct window *w, uint32_t rank,
                          const struct member *m)
{
    for (uint32_t i = 0; i < m->post.count; i++) {
        uint32_t origin = m->post.item[i].rank;
        const struct pair *p = ork_group_pair(o, w, rank, origin);
        if (p != NULL && p->completes.first == p->completes.count &&
            !ork_events_is_silent(o->events, origin))
            return false;
    }
    return true;
}

static void learn(struct ork_onesided *o, uint32_t rank, uint32_t from, struct told told)
{
    if (!ork_events_join(o->events, rank, told.stamp))
        o->failed = true;
    ork_stamp_learn(o, rank, from, told.mark);
    ork_events_release(told.stamp);
}

bool ork_group_end_exposure(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    struct member *m = ork_window_member_of(w, rank);

    if (m == NULL)
        return true;
    if (!are_completed(o, w, rank, m)) {
        m->waits = true;
        return false;
    }
    for (uint32_t i = 0; i < m->post.count && !o->failed; i++) {
        struct pair *p = ork_group_pair(o, w, rank, m->post.item[i].rank);
        struct told told = {0};
        if (p == NULL)
            break;
        if (!ork_queue_pop(&p->completes, &told))
            p->skipped_completes++;
        else
            learn(o, rank, p->origin, told);
    }
    ork_partners_release(&m->post);
    return true;
}
