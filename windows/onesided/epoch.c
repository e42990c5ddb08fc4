/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that complete accesses. An access is complete from the value on that the rank's own
 * component has when such a call begins. */
#include "windows/onesided/internal.h"

/* A call of the rank that completes some. */
struct ending {
    struct ork_onesided *o;
    uint32_t rank;
    uint32_t value; /* 0: it has completed none so far */
};

static struct access *access_of(struct open_item *item)
{
    _Static_assert(offsetof(struct access, item) == 0, "one address");

    return (struct access *)item;
}

/* False: out of memory. */
static bool end(struct ending *e, struct access *a)
{
    struct ork_onesided *o = e->o;

    if (e->value == 0)
        e->value = ork_events_tick(o->events, e->rank);
    if (e->value == 0) {
        o->failed = true;
        return false;
    }
    ORK_ASSERT(a->end == 0 && a->seen.rank == e->rank && a->issued < e->value);
    a->end = e->value;
    a->seen.is_over = true;
    ork_open_remove(&a->window->member[a->member].open, &o->requests[e->rank], &a->item);
    ork_access_unref(o, a);
    return true;
}

static void end_kind(struct ending *e, struct open_item *first, bool only_started)
{
    for (struct open_item *i = first, *next; i != NULL; i = next) {
        struct access *a = access_of(i);
        next = i->next;
        if ((!only_started || a->seen.epoch == ORK_IN_START) && !end(e, a))
            return;
    }
}

static void end_target(struct ending *e, const struct open_set *set, uint32_t target,
                       const struct selection *s)
{
    end_kind(e, set->target[target].first[OPEN_AT_ORIGIN], s->only_started);
    if (!s->only_origin && !e->o->failed)
        end_kind(e, set->target[target].first[OPEN_AT_TARGET], s->only_started);
}

static void end_some(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct selection *s)
{
    uint32_t member = ork_window_member(w, rank);
    struct ending e = {.o = o, .rank = rank};

    if (member == UINT32_MAX)
        return;
    ORK_ASSERT(s->target == EPOCH_ALL_TARGETS || s->target < w->comm->group->size);
    const struct open_set *set = &w->member[member].open;
    ork_stamp_complete(o, w, rank, s);
    if (s->target != EPOCH_ALL_TARGETS) {
        if (set->target != NULL)
            end_target(&e, set, s->target, s);
        return;
    }
    /* a target without any is replaced by the last one */
    for (uint32_t i = set->num_busy; i > 0 && !o->failed; i--)
        end_target(&e, set, set->busy[i - 1], s);
}

void ork_epoch_end(struct ork_onesided *o, struct window *w, uint32_t rank, uint32_t target,
                   bool only_origin)
{
    end_some(o, w, rank, &(struct selection){.target = target, .only_origin = only_origin});
}

void ork_epoch_complete(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    end_some(o, w, rank, &(struct selection){.target = EPOCH_ALL_TARGETS, .only_started = true});
}

/* What is accessed at the target is not complete there, unless it is only read. */
void ork_epoch_completed(struct ork_onesided *o, uint32_t rank, uint32_t request)
{
    struct open_requests *requests = &o->requests[rank];
    struct ending e = {.o = o, .rank = rank};
    struct open_item *i;

    ork_stamp_completed(o, rank, request);
    while ((i = ork_open_named(requests, request)) != NULL && !o->failed) {
        struct access *a = access_of(i);
        if (a->is_message || ork_access_ends_at_origin(a))
            end(&e, a);
        else
            ork_open_forget_name(requests, i);
    }
}

struct access *ork_epoch_any(const struct member *m)
{
    if (m->open.num_busy == 0)
        return NULL;
    const struct open_target *t = &m->open.target[m->open.busy[0]];
    ORK_ASSERT(t->first[OPEN_AT_ORIGIN] != NULL || t->first[OPEN_AT_TARGET] != NULL);
    return access_of(t->first[OPEN_AT_ORIGIN] != NULL ? t->first[OPEN_AT_ORIGIN]
                                                      : t->first[OPEN_AT_TARGET]);
}
