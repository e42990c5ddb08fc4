/* SPDX-License-Identifier: BSD-3-Clause */
/* For the listener of stamp.c: which events are accesses, and from when on they are complete. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

static bool reads(const struct ork_record *record)
{
    bool is_accumulate = record->mode != ORK_ACCESS_PUT && record->mode != ORK_ACCESS_GET;

    return record->mode == ORK_ACCESS_GET || (is_accumulate && record->mode != ORK_ACCESS_SWAP &&
                                              record->arg == ORK_REDUCTION_MPI_NO_OP);
}

/* The post of the target is known now. */
static void begin(struct ork_onesided *o, uint32_t rank, struct open_event *a,
                  const struct partner *t)
{
    if (a->has_begun || t == NULL || !t->has_posted)
        return;
    a->has_begun = true;
    ork_stamp_learn_from(o, rank, a->number, t->rank, t->posted.mark, true);
}

/* NULL: out of memory. */
static struct open_event *open_access(struct ork_onesided *o, struct window *w, uint32_t rank,
                                      const struct ork_record *record)
{
    struct latest *latest = &o->stamps->latest[rank];
    uint32_t member = ork_window_member(w, rank), target = (uint32_t)record->peer;
    bool is_named =
        (record->flags & ORK_F_NONBLOCKING) != 0 && record->request < ORK_REQUEST_SHARED;
    struct open_event *a = calloc(1, sizeof(*a));

    if (a == NULL) {
        o->failed = true;
        return NULL;
    }
    a->number = latest->number;
    a->window = w;
    a->member = member;
    a->partner = ork_comms_rank_of(w->comm, target);
    a->reads = reads(record);
    if (!ork_open_add(&w->member[member].stamped, w->comm->group->size, target, OPEN_AT_ORIGIN,
                      &a->item)) {
        o->failed = true;
        free(a);
        return NULL;
    }
    if (is_named && !ork_open_name(&latest->requests, record->request, &a->item))
        o->failed = true;
    return a;
}

void ork_stamp_access(struct ork_onesided *o, struct window *w, uint32_t rank,
                      const struct ork_record *record)
{
    if (ork_stamp_is_off(o) || (record->flags & ORK_F_ERROR) != 0 || record->peer < 0 ||
        (uint32_t)record->peer >= w->comm->group->size)
        return;
    struct latest *latest = &o->stamps->latest[rank];
    if (latest->accessed == latest->number)
        return; /* it waits, and is tried again */
    latest->accessed = latest->number;
    uint32_t partner = ork_comms_rank_of(w->comm, (uint32_t)record->peer);
    const struct partner *t = ork_group_target(o, w, rank, partner);
    struct open_event *a = open_access(o, w, rank, record);
    if (a == NULL)
        return;
    a->is_started = t != NULL;
    o->stamps->to->access(o->stamps->to->context, rank, record->comm, partner, a->reads);
    begin(o, rank, a, t);
}

/* A store to the private copy waits until it is published. */
static void keep_store(struct ork_onesided *o, struct member *m, uint32_t rank)
{
    struct open_event *a = calloc(1, sizeof(*a));

    if (a == NULL) {
        o->failed = true;
        return;
    }
    a->number = o->stamps->latest[rank].number;
    a->next = m->unpublished;
    m->unpublished = a;
}

void ork_stamp_touch(struct ork_onesided *o, struct window *w, uint32_t rank, bool reads)
{
    uint32_t member = ork_window_member(w, rank);

    if (ork_stamp_is_off(o) || member == UINT32_MAX)
        return;
    const struct ork_onesided_listener *to = o->stamps->to;
    to->touch(to->context, rank, w->member[member].number, reads);
    if (!w->place[member].is_separate)
        return;
    to->private_copy(to->context, rank, w->member[member].acquired_at);
    if (!reads)
        keep_store(o, &w->member[member], rank);
}

static void tell_complete(struct ork_onesided *o, uint32_t rank, const struct open_event *a,
                          bool at_target)
{
    const struct ork_onesided_listener *to = o->stamps->to;

    to->complete(to->context, rank, a->number, at_target, o->stamps->latest[rank].value);
}

void ork_stamp_publish(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    struct member *m = ork_window_member_of(w, rank);

    if (ork_stamp_is_off(o) || m == NULL)
        return;
    while (m->unpublished != NULL) {
        struct open_event *a = m->unpublished;
        m->unpublished = a->next;
        tell_complete(o, rank, a, true);
        free(a);
    }
}

/* ---- the calls that complete accesses ---- */

static void close_event(struct ork_onesided *o, uint32_t rank, struct open_event *a)
{
    tell_complete(o, rank, a, true);
    ork_open_remove(&a->window->member[a->member].stamped, &o->stamps->latest[rank].requests,
                    &a->item);
    free(a);
}

/* An access that only reads is complete everywhere then. */
static void complete_at_origin(struct ork_onesided *o, uint32_t rank, struct open_event *a)
{
    if (a->reads) {
        close_event(o, rank, a);
        return;
    }
    tell_complete(o, rank, a, false);
    a->is_at_origin = true;
    ork_open_move(&a->window->member[a->member].stamped, &a->item, OPEN_AT_TARGET);
}

static void complete_kind(struct ork_onesided *o, uint32_t rank, struct open_item *first,
                          const struct selection *s)
{
    for (struct open_item *i = first, *next; i != NULL; i = next) {
        struct open_event *a = ork_stamp_event_of(i);
        next = i->next;
        if (s->only_started && !a->is_started)
            continue;
        if (s->only_origin)
            complete_at_origin(o, rank, a);
        else
            close_event(o, rank, a);
    }
}

static void complete_target(struct ork_onesided *o, uint32_t rank, const struct open_set *set,
                            uint32_t target, const struct selection *s)
{
    complete_kind(o, rank, set->target[target].first[OPEN_AT_ORIGIN], s);
    if (!s->only_origin)
        complete_kind(o, rank, set->target[target].first[OPEN_AT_TARGET], s);
}

void ork_stamp_complete(struct ork_onesided *o, struct window *w, uint32_t rank,
                        const struct selection *s)
{
    const struct member *m = ork_window_member_of(w, rank);

    if (ork_stamp_is_off(o) || m == NULL || m->stamped.target == NULL)
        return;
    if (s->target != EPOCH_ALL_TARGETS) {
        complete_target(o, rank, &m->stamped, s->target, s);
        return;
    }
    /* a target without any is replaced by the last one */
    for (uint32_t i = m->stamped.num_busy; i > 0; i--)
        complete_target(o, rank, &m->stamped, m->stamped.busy[i - 1], s);
}

void ork_stamp_completed(struct ork_onesided *o, uint32_t rank, uint32_t request)
{
    struct open_item *i;

    if (ork_stamp_is_off(o))
        return;
    struct open_requests *requests = &o->stamps->latest[rank].requests;
    while ((i = ork_open_named(requests, request)) != NULL) {
        struct open_event *a = ork_stamp_event_of(i);
        ork_open_forget_name(requests, i);
        if (!a->is_at_origin)
            complete_at_origin(o, rank, a);
    }
}

void ork_stamp_end_access(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    if (ork_stamp_is_off(o))
        return;
    const struct latest *latest = &o->stamps->latest[rank];
    const struct member *m = ork_window_member_of(w, rank);
    for (uint32_t i = 0; i < m->stamped.num_busy; i++) {
        const struct open_target *t = &m->stamped.target[m->stamped.busy[i]];
        for (unsigned k = 0; k < OPEN_KINDS; k++) {
            for (struct open_item *item = t->first[k]; item != NULL; item = item->next) {
                struct open_event *a = ork_stamp_event_of(item);
                if (a->is_started)
                    begin(o, rank, a, ork_group_target(o, w, rank, a->partner));
            }
        }
    }
    for (uint32_t i = 0; i < m->start.count; i++) {
        const struct partner *t = &m->start.item[i];
        if (t->has_posted && t->is_accessed)
            ork_stamp_learn_from(o, rank, latest->number, t->rank, t->posted.mark, true);
    }
}
