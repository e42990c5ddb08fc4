/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a run with their stamps, for a listener: the completed-before relation of one-sided
 * communication (Diep and Thoai 2019), with an interval for each event. The rank's own component
 * grows before each event begins. So an event that is over at once ends with the value at which the
 * next one begins, and an access ends with the value at which the call begins that completes it. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

enum ork_status ork_onesided_listen(struct ork_onesided *o,
                                    const struct ork_onesided_listener *listener)
{
    struct stamps *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return ORK_NOMEM;
    o->stamps = s; /* whoever destroys the whole destroys it */
    s->to = listener;
    s->latest = calloc(o->nprocs, sizeof(*s->latest));
    s->clock = calloc(o->nprocs, sizeof(*s->clock));
    return s->latest == NULL || s->clock == NULL ? ORK_NOMEM : ORK_OK;
}

void ork_stamp_destroy(struct ork_onesided *o)
{
    struct stamps *s = o->stamps;

    if (s == NULL)
        return;
    for (uint32_t r = 0; s->latest != NULL && r < o->nprocs; r++)
        free(s->latest[r].requests.first);
    free(s->latest);
    free(s->clock);
    free(s);
    o->stamps = NULL;
}

/* ---- windows that are destroyed ---- */

static void forget_of(struct ork_onesided *o, uint32_t rank, struct member *m)
{
    while (m->unpublished != NULL) {
        struct open_event *a = m->unpublished;
        m->unpublished = a->next;
        free(a);
    }
    while (m->stamped.num_busy > 0) {
        const struct open_target *t = &m->stamped.target[m->stamped.busy[0]];
        struct open_item *i =
            t->first[OPEN_AT_ORIGIN] != NULL ? t->first[OPEN_AT_ORIGIN] : t->first[OPEN_AT_TARGET];
        ork_open_remove(&m->stamped, &o->stamps->latest[rank].requests, i);
        free(ork_stamp_event_of(i));
    }
    ork_open_release(&m->stamped);
}

void ork_stamp_forget(struct ork_onesided *o, struct window *w)
{
    for (uint32_t i = 0; o->stamps != NULL && w->member != NULL && i < w->comm->group->size; i++)
        forget_of(o, ork_comms_rank_of(w->comm, i), &w->member[i]);
}

bool ork_stamp_is_off(const struct ork_onesided *o)
{
    return o->stamps == NULL || o->failed || o->lost != NULL || ork_events_lost(o->events) != NULL;
}

/* ---- events ---- */

static void tell_event(struct ork_onesided *o, uint32_t rank, const struct ork_event_call *call)
{
    struct stamps *s = o->stamps;
    struct ork_stamp now = ork_events_take(o->events, rank);

    for (uint32_t r = 0; r < o->nprocs; r++)
        s->clock[r] = ork_events_component(o->events, now, r);
    ork_events_release(now);
    s->latest[rank].value = s->clock[rank];
    s->to->event(s->to->context, &(struct ork_stamped){.rank = rank,
                                                       .site = call->site,
                                                       .number = s->latest[rank].number,
                                                       .call = call->call,
                                                       .clock = s->clock});
}

uint64_t ork_stamp_act(void *context, uint32_t rank, const struct ork_event_call *call)
{
    struct ork_onesided *o = context;

    if (ork_stamp_is_off(o))
        return 0;
    struct latest *latest = &o->stamps->latest[rank];
    if (latest->number != 0 && latest->call == call->number)
        return latest->number;
    latest->call = call->number;
    latest->number++;
    if (ork_events_tick(o->events, rank) == 0)
        o->failed = true;
    else
        tell_event(o, rank, call);
    return latest->number;
}

uint64_t ork_stamp_mark(const struct ork_onesided *o, uint32_t rank)
{
    return o->stamps == NULL ? 0 : o->stamps->latest[rank].number;
}

void ork_stamp_learn_from(const struct ork_onesided *o, uint32_t rank, uint64_t number,
                          uint32_t from, uint64_t mark, bool at_start)
{
    const struct ork_onesided_listener *to = o->stamps->to;

    if (number != 0 && mark != 0)
        to->learn(to->context, rank, number, from, mark, at_start);
}

void ork_stamp_learn(void *context, uint32_t rank, uint32_t from, uint64_t mark)
{
    struct ork_onesided *o = context;

    if (!ork_stamp_is_off(o))
        ork_stamp_learn_from(o, rank, ork_stamp_mark(o, rank), from, mark, false);
}

void ork_stamp_arrive(void *context, uint32_t rank, uint64_t wave)
{
    const struct ork_onesided *o = context;

    if (!ork_stamp_is_off(o) && ork_stamp_mark(o, rank) != 0)
        o->stamps->to->arrive(o->stamps->to->context, rank, wave);
}

void ork_stamp_learn_all(void *context, uint32_t rank, uint64_t wave)
{
    const struct ork_onesided *o = context;

    if (!ork_stamp_is_off(o) && ork_stamp_mark(o, rank) != 0)
        o->stamps->to->learn_all(o->stamps->to->context, rank, wave);
}
