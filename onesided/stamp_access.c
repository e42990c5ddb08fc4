/* SPDX-License-Identifier: BSD-3-Clause */
/* For the listener of stamp.c: which events are accesses, and from when on they are complete. */
#include "onesided/internal.h"

#include <stdlib.h>

static bool reads(const struct ork_record *record)
{
    bool is_accumulate = record->mode != ORK_ACCESS_PUT && record->mode != ORK_ACCESS_GET;

    return record->mode == ORK_ACCESS_GET ||
           (is_accumulate && record->mode != ORK_ACCESS_SWAP && record->arg == REDUCTION_MPI_NO_OP);
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

void ork_stamp_access(struct ork_onesided *o, struct window *w, uint32_t rank,
                      const struct ork_record *record)
{
    if (ork_stamp_is_off(o) || (record->flags & ORK_F_ERROR) != 0 || record->peer < 0 ||
        (uint32_t)record->peer >= w->comm->group->size)
        return;
    struct latest *latest = &o->stamps->latest[rank];
    if (latest->open != NULL && latest->open->number == latest->number)
        return; /* it waits, and is tried again */
    struct open_event *a = calloc(1, sizeof(*a));
    if (a == NULL) {
        o->failed = true;
        return;
    }
    uint32_t partner = ork_comms_rank_of(w->comm, (uint32_t)record->peer);
    const struct partner *t = ork_group_target(o, w, rank, partner);
    *a = (struct open_event){.number = latest->number,
                             .window = w,
                             .partner = partner,
                             .request = (record->flags & ORK_F_NONBLOCKING) != 0 ? record->request
                                                                                 : ORK_REQUEST_NULL,
                             .reads = reads(record),
                             .is_started = t != NULL,
                             .next = latest->open};
    latest->open = a;
    o->stamps->to->access(o->stamps->to->context, rank, record->comm, partner, a->reads);
    begin(o, rank, a, t);
}

/* A store to the private copy waits until it is published. */
static void keep_store(struct ork_onesided *o, const struct window *w, uint32_t rank)
{
    struct latest *latest = &o->stamps->latest[rank];
    struct open_event *a = malloc(sizeof(*a));

    if (a == NULL) {
        o->failed = true;
        return;
    }
    *a = (struct open_event){
        .number = latest->number, .window = w, .is_store = true, .next = latest->open};
    latest->open = a;
}

void ork_stamp_touch(struct ork_onesided *o, const struct window *w, uint32_t rank, bool reads)
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
        keep_store(o, w, rank);
}

void ork_stamp_publish(struct ork_onesided *o, const struct window *w, uint32_t rank)
{
    if (ork_stamp_is_off(o))
        return;
    struct latest *latest = &o->stamps->latest[rank];
    const struct ork_onesided_listener *to = o->stamps->to;
    for (struct open_event **link = &latest->open; *link != NULL;) {
        struct open_event *a = *link;
        if (!a->is_store || a->window != w) {
            link = &a->next;
            continue;
        }
        to->complete(to->context, rank, a->number, true, latest->value);
        *link = a->next;
        free(a);
    }
}

static bool is_selected(const struct open_event *a, const struct window *w,
                        const struct selection *s)
{
    return a->window == w && !a->is_store &&
           (s->request == ORK_REQUEST_NULL || a->request == s->request) &&
           (!s->only_started || a->is_started) &&
           (s->target == EPOCH_ALL_TARGETS || a->partner == s->target);
}

void ork_stamp_complete(struct ork_onesided *o, const struct window *w, uint32_t rank,
                        const struct selection *s)
{
    if (ork_stamp_is_off(o))
        return;
    struct latest *latest = &o->stamps->latest[rank];
    const struct ork_onesided_listener *to = o->stamps->to;
    for (struct open_event **link = &latest->open; *link != NULL;) {
        struct open_event *a = *link;
        bool is_here = is_selected(a, w, s), at_target = !s->only_origin || a->reads;
        if (is_here && (at_target || !a->is_at_origin)) {
            to->complete(to->context, rank, a->number, at_target, latest->value);
            a->is_at_origin = true;
        }
        if (!is_here || !at_target) {
            link = &a->next;
            continue;
        }
        *link = a->next;
        free(a);
    }
}

void ork_stamp_end_access(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    if (ork_stamp_is_off(o))
        return;
    struct latest *latest = &o->stamps->latest[rank];
    struct member *m = ork_window_member_of(w, rank);
    for (struct open_event *a = latest->open; a != NULL; a = a->next) {
        if (a->window == w && a->is_started)
            begin(o, rank, a, ork_group_target(o, w, rank, a->partner));
    }
    for (uint32_t i = 0; i < m->start.count; i++) {
        const struct partner *t = &m->start.item[i];
        if (t->has_posted && t->is_accessed)
            ork_stamp_learn_from(o, rank, latest->number, t->rank, t->posted.mark, true);
    }
}
