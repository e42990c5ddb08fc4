/* SPDX-License-Identifier: BSD-3-Clause */
/* Critical sections of windows: the locks of one target, in the order in which they were granted,
 * and the ordered atomics of one location. A section has a number if the rank counted those before
 * it (docs/explanation/order.md). */
#include "order/causality/internal.h"
#include "record/lock_number.h"

#include <stdlib.h>

/* Of window locks, or a location of ordered atomics. */
struct target {
    struct section *first, *last; /* in the order in which they were requested, as followed */
    uint64_t events;              /* grants and releases */
    uint32_t all, exclusive;      /* sections that were released */
    uint32_t (*latest)[2]; /* by member: the numbers of its latest locks, shared and exclusive */
    union stamp after_all, after_exclusive;
    const struct rank *uncounted; /* that has a lock which is not counted; NULL: none */
    bool several, is_exclusive;   /* of those: of several ranks; some are exclusive */
};

/* NULL: out of memory. */
static struct target *target_of_locks(struct ork_comm *comm, uint32_t member)
{
    struct place *place = comm->state;

    if (place->target == NULL)
        place->target = calloc(comm->group->size, sizeof(*place->target));
    return place->target == NULL ? NULL : &place->target[member];
}

static void release(void *causality, void *target)
{
    const struct clocks *clocks = ((struct ork_causality *)causality)->clocks;
    struct target *t = target;

    while (t->first != NULL) {
        struct section *s = t->first;
        t->first = s->next;
        free(s);
    }
    free(t->latest);
    clocks->release(t->after_all);
    clocks->release(t->after_exclusive);
}

void ork_causality_targets_destroy(struct ork_causality *c, struct ork_comm *comm)
{
    struct place *place = comm->state;

    for (uint32_t i = 0; place->target != NULL && i < comm->group->size; i++)
        release(c, &place->target[i]);
    ork_table_release(&place->atomics, release, c);
    free(place->target);
}

/* RATIONALE: locks of all targets have no records of their sections. */
static void note_kind(struct rank *p, struct ork_comm *comm, bool is_whole, bool is_exclusive)
{
    struct place *place = comm->state;

    place->is_locked_whole |= is_whole;
    place->is_locked_alone |= is_exclusive;
    p->has_unknown_lock |= place->is_locked_whole && place->is_locked_alone;
}

/* A section of this target that the call requests, a step of the rank. NULL: out of memory. */
static struct section *request(struct rank *p, const struct ork_record *call,
                               struct ork_comm_ref ref, struct target *t, bool is_exclusive)
{
    struct section *s = t == NULL ? NULL : calloc(1, sizeof(*s));
    struct step *step = s == NULL ? NULL : ork_causality_step(p, STEP_LOCK);

    if (step == NULL) {
        free(s);
        p->causality->failed = true;
        return NULL;
    }
    *s = (struct section){.rank = p,
                          .target = t,
                          .comm = ref.comm,
                          .me = ref.me,
                          .member = (uint32_t)call->peer,
                          .is_exclusive = is_exclusive,
                          .site = call->site,
                          .requested_at = NEVER,
                          .released_at = NEVER};
    *(t->last != NULL ? &t->last->next : &t->first) = s;
    t->last = s;
    step->section = s;
    return s;
}

static bool is_followed(const struct ork_record *call, struct ork_comm_ref ref)
{
    return ref.comm != NULL && call->peer >= 0 && (uint32_t)call->peer < ref.comm->group->size &&
           ref.me < ref.comm->group->size;
}

struct section *ork_causality_section(struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);

    if (!is_followed(call, ref))
        return NULL;
    struct target *t = target_of_locks(ref.comm, (uint32_t)call->peer);
    struct section *s = request(p, call, ref, t, call->mode == 1);
    if (s == NULL)
        return NULL;
    s->place = call->arg2;
    s->number = call->extra;
    note_kind(p, ref.comm, false, s->is_exclusive);
    return s;
}

struct section *ork_causality_atomic(struct rank *p, const struct ork_record *call, bool is_read)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);

    if (!is_followed(call, ref))
        return NULL;
    struct place *place = ref.comm->state;
    struct target *t =
        ork_table_use(&place->atomics, (uint32_t)call->peer, call->extra, sizeof(*t));
    return request(p, call, ref, t, !is_read);
}

void ork_causality_lock_all(struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);

    if (ref.comm != NULL)
        note_kind(p, ref.comm, true, false);
}

void ork_causality_section_is_counted(struct section *s, const struct ork_record *exit)
{
    struct target *t = s->target;

    if (t->latest == NULL)
        t->latest = calloc(s->comm->group->size, sizeof(*t->latest));
    if (t->latest == NULL) {
        s->rank->causality->failed = true;
        return;
    }
    s->is_counted = true;
    s->before = ork_lock_number(&t->latest[s->me][s->is_exclusive], exit);
}

void ork_causality_section_is_uncounted(struct section *s)
{
    struct target *t = s->target;

    t->several |= t->uncounted != NULL && t->uncounted != s->rank;
    t->is_exclusive |= s->is_exclusive;
    t->uncounted = s->rank;
    s->rank->has_unknown_lock |= t->several && t->is_exclusive;
}

struct section *ork_causality_open_section(const struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);
    struct section *found = NULL;

    if (ref.comm == NULL || call->peer < 0 || (uint32_t)call->peer >= ref.comm->group->size)
        return NULL;
    const struct place *place = ref.comm->state;
    const struct target *t = place->target != NULL ? &place->target[call->peer] : NULL;
    for (struct section *s = t != NULL ? t->first : NULL; s != NULL; s = s->next) {
        if (s->rank == p && s->is_counted && !s->is_over)
            found = s;
    }
    return found;
}

/* May a member still make calls that are not known? */
static bool is_awaited(const struct section *s)
{
    const struct ork_comm *comm = s->comm;

    for (uint32_t i = 0; i < comm->group->size; i++) {
        const struct rank *p = &s->rank->causality->rank[ork_comms_rank_of(comm, i)];
        if (p != s->rank && !ork_causality_is_silent(p))
            return true;
    }
    return false;
}

bool ork_causality_section_is_granted(const struct section *s)
{
    const struct target *t = s->target;
    uint32_t released = s->is_exclusive ? t->all : t->exclusive;

    return !s->is_counted || released >= s->before || !is_awaited(s);
}

bool ork_causality_section_is_held(const struct section *s)
{
    for (const struct section *i = s->target->first; i != NULL; i = i->next) {
        if (i->rank != s->rank && (i->is_exclusive || s->is_exclusive) && i->granted != 0 &&
            i->released == 0)
            return true;
    }
    return false;
}

bool ork_causality_section_grant(struct section *s, uint64_t time)
{
    struct ork_causality *c = s->rank->causality;
    struct target *t = s->target;

    if (!s->is_counted)
        return true;
    ORK_ASSERT(s->granted == 0 && s->released == 0);
    s->granted = ++t->events;
    return c->clocks->join(c, s->rank->number, s->is_exclusive ? t->after_all : t->after_exclusive,
                           time);
}

static bool merge(const struct clocks *clocks, union stamp *to, struct rank *p)
{
    union stamp stamp = clocks->take(p->causality, p->number);
    bool done = clocks->merge(to, stamp);

    clocks->release(stamp);
    return done;
}

bool ork_causality_section_release(struct section *s)
{
    struct ork_causality *c = s->rank->causality;
    struct target *t = s->target;

    ORK_ASSERT(s->released == 0 && t->exclusive <= t->all);
    s->released = ++t->events;
    s->released_at = s->rank->time;
    t->all++;
    t->exclusive += s->is_exclusive;
    for (uint32_t i = 0; i < s->comm->group->size; i++)
        ork_causality_wake(&c->rank[ork_comms_rank_of(s->comm, i)]);
    return merge(c->clocks, &t->after_all, s->rank) &&
           (!s->is_exclusive || merge(c->clocks, &t->after_exclusive, s->rank));
}

struct section *ork_causality_section_before(const struct section *s, const struct section *after)
{
    const struct target *t = s->target;
    struct section *other = after == NULL ? t->first : after->next;

    while (other != NULL &&
           (other->rank == s->rank || !(other->is_exclusive || s->is_exclusive) ||
            other->granted == 0 || (s->granted != 0 && other->granted > s->granted)))
        other = other->next;
    return other;
}

uint32_t ork_causality_sections_so_far(const struct section *s)
{
    const struct target *t = s->target;

    return s->is_exclusive ? t->all : t->exclusive;
}
