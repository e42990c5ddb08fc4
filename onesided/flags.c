/* SPDX-License-Identifier: BSD-3-Clause */
/* Order by data: a rank may wait until an update of another one shows in its own memory, or in what
 * MPI_Fetch_and_op or a similar call returns (MPI-3.1 sections 11.4 and 11.7). The tool does not
 * see such data. So it looks whether a chain of such updates and looks could lead from one access
 * to another; then it makes no claim about the two.
 *
 * All is over-approximated: a rank may look at its own memory, and write there, at any time; and if
 * there is a window of MPI_Win_allocate_shared, in the memory of all. */
#include "onesided/internal.h"

#include <stdlib.h>

enum { FLAGS_FEW = 1 << 10, FLAGS_MOST = 1 << 16, FLAGS_LOOKED_BACK = 32 };

/* Updates by one rank of the memory of another one. RATIONALE: of those between which the rank
 * learned nothing of others, the last one is enough. */
struct update {
    uint32_t target;
    uint64_t learned; /* see ork_events_learned() */
    uint32_t value;   /* of its own component at the last one */
    struct ork_stamp start;
};

/* Looks of a rank at the memory of another one, by values of its own component. */
struct look {
    uint32_t target;
    bool is_get; /* by MPI_Get: it only tells of stores, because an update by a call must not be
                  * got at the same time */
    uint64_t learned;
    uint32_t first, last;
};

struct of_rank {
    struct update *update;
    uint32_t updates, update_room;
    struct look *look;
    uint32_t looks, look_room;
};

struct flags {
    uint32_t nprocs, count;
    uint32_t limit; /* if there are more, it is worth while to forget some */
    bool is_full;
    struct of_rank *of;
    uint32_t *since; /* of a search, by rank: it may have seen the first access from this value of
                      * its component on; UINT32_MAX: it has not */
};

struct flags *ork_flags_create(uint32_t nprocs)
{
    struct flags *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return NULL;
    f->nprocs = nprocs;
    f->limit = FLAGS_FEW;
    f->of = calloc(nprocs, sizeof(*f->of));
    f->since = calloc(nprocs, sizeof(*f->since));
    if (f->of == NULL || f->since == NULL) {
        ork_flags_destroy(f);
        return NULL;
    }
    return f;
}

void ork_flags_destroy(struct flags *f)
{
    if (f == NULL)
        return;
    for (uint32_t r = 0; f->of != NULL && r < f->nprocs; r++) {
        for (uint32_t i = 0; i < f->of[r].updates; i++)
            ork_events_release(f->of[r].update[i].start);
        free(f->of[r].update);
        free(f->of[r].look);
    }
    free(f->of);
    free(f->since);
    free(f);
}

/* ---- what is noted ---- */

static struct update *find_update(const struct of_rank *r, uint32_t target, uint64_t learned)
{
    for (uint32_t i = r->updates; i > 0 && i + FLAGS_LOOKED_BACK > r->updates; i--) {
        struct update *u = &r->update[i - 1];
        if (u->target == target && u->learned == learned)
            return u;
    }
    return NULL;
}

static void note_update(struct ork_onesided *o, const struct access *a, uint64_t learned)
{
    struct of_rank *r = &o->flags->of[a->seen.rank];
    struct update *u = find_update(r, a->target, learned);

    if (u != NULL) {
        u->value = a->issued;
        return;
    }
    if (!ork_vec_reserve(&r->update, &r->update_room, r->updates + 1, sizeof(*r->update))) {
        o->failed = true;
        return;
    }
    o->flags->count++;
    r->update[r->updates++] = (struct update){.target = a->target,
                                              .learned = learned,
                                              .value = a->issued,
                                              .start = ork_events_share(a->start)};
}

static struct look *find_look(const struct of_rank *r, const struct look *wanted)
{
    for (uint32_t i = r->looks; i > 0 && i + FLAGS_LOOKED_BACK > r->looks; i--) {
        struct look *l = &r->look[i - 1];
        if (l->target == wanted->target && l->is_get == wanted->is_get &&
            l->learned == wanted->learned)
            return l;
    }
    return NULL;
}

static void note_look(struct ork_onesided *o, const struct access *a, uint64_t learned)
{
    struct of_rank *r = &o->flags->of[a->seen.rank];
    struct look look = {.target = a->target,
                        .is_get = a->seen.touch == ORK_TOUCH_GET,
                        .learned = learned,
                        .first = a->issued,
                        .last = a->issued};
    struct look *l = find_look(r, &look);

    if (l != NULL) {
        l->last = a->issued;
        return;
    }
    if (!ork_vec_reserve(&r->look, &r->look_room, r->looks + 1, sizeof(*r->look))) {
        o->failed = true;
        return;
    }
    o->flags->count++;
    r->look[r->looks++] = look;
}

static bool is_passive(const struct access *a)
{
    return a->seen.epoch == ORK_IN_LOCK || a->seen.epoch == ORK_IN_LOCK_ALL;
}

/* RATIONALE: in other epochs nothing is visible before the call that ends them, which is an edge
 * of its own. */
void ork_flags_note(struct ork_onesided *o, const struct access *a)
{
    bool is_get = a->seen.touch == ORK_TOUCH_GET && o->has_touches;
    bool is_remote =
        a->seen.touch == ORK_TOUCH_PUT || a->seen.touch == ORK_TOUCH_ACCUMULATE || is_get;
    struct flags *f = o->flags;

    if (!is_passive(a) || !is_remote || f->is_full)
        return;
    uint64_t learned = ork_events_learned(o->events, a->seen.rank);
    if (!ork_access_reads(a))
        note_update(o, a, learned);
    if (a->fetches || is_get)
        note_look(o, a, learned);
    f->is_full = f->count >= FLAGS_MOST;
    o->has_overflowed |= f->is_full;
}

bool ork_flags_are_many(const struct ork_onesided *o)
{
    return o->flags->count >= o->flags->limit && !o->flags->is_full;
}

void ork_flags_retire(struct ork_onesided *o, const uint32_t *known)
{
    struct flags *f = o->flags;

    if (o->candidates > 0 || f->is_full) {
        f->limit = 2 * f->count;
        return;
    }
    f->count = 0;
    for (uint32_t rank = 0; rank < f->nprocs; rank++) {
        struct of_rank *r = &f->of[rank];
        uint32_t updates = 0, looks = 0;
        for (uint32_t i = 0; i < r->updates; i++) {
            if (r->update[i].value < known[rank])
                ork_events_release(r->update[i].start);
            else
                r->update[updates++] = r->update[i];
        }
        for (uint32_t i = 0; i < r->looks; i++) {
            if (r->look[i].last >= known[rank])
                r->look[looks++] = r->look[i];
        }
        r->updates = updates;
        r->looks = looks;
        f->count += updates + looks;
    }
    f->limit = 2 * f->count > FLAGS_FEW ? 2 * f->count : FLAGS_FEW;
}

/* ---- search ---- */

struct search {
    const struct ork_onesided *o;
    const struct flags *f;
    const struct access *from;
    bool with_gets; /* stores of the ranks are known, and one of the two accesses is one */
    bool has_changed;
};

static uint32_t component(const struct search *s, struct ork_stamp stamp, uint32_t rank)
{
    return ork_events_component(s->o->events, stamp, rank);
}

static void reach(struct search *s, uint32_t rank, uint32_t value)
{
    if (value >= s->f->since[rank])
        return;
    s->f->since[rank] = value;
    s->has_changed = true;
}

/* The memory of a rank may show it; a rank that looks there comes after what `start` knows. */
static void reach_by_looks(struct search *s, uint32_t target, struct ork_stamp start)
{
    for (uint32_t r = 0; r < s->f->nprocs; r++) {
        const struct of_rank *of = &s->f->of[r];
        for (uint32_t i = 0; i < of->looks; i++) {
            uint32_t least = component(s, start, r);
            if (of->look[i].is_get && !s->with_gets)
                continue;
            if (of->look[i].target == target && of->look[i].last >= least)
                reach(s, r, of->look[i].first > least ? of->look[i].first : least);
        }
    }
}

/* Does a rank that has seen it pass it on by messages to one that knows this? */
static bool is_told(const struct search *s, struct ork_stamp stamp)
{
    for (uint32_t r = 0; r < s->f->nprocs; r++) {
        if (r != s->from->seen.rank && s->f->since[r] != UINT32_MAX &&
            component(s, stamp, r) > s->f->since[r])
            return true;
    }
    return component(s, stamp, s->from->seen.rank) >= s->from->end;
}

static void pass_on(struct search *s, uint32_t rank)
{
    const struct of_rank *of = &s->f->of[rank];

    for (uint32_t i = 0; i < of->updates; i++) {
        const struct update *u = &of->update[i];
        bool comes_after = (s->f->since[rank] != UINT32_MAX && u->value >= s->f->since[rank]) ||
                           is_told(s, u->start);
        if (!comes_after)
            continue;
        reach(s, u->target, component(s, u->start, u->target));
        reach_by_looks(s, u->target, u->start);
    }
    if (s->f->since[rank] != UINT32_MAX)
        reach_by_looks(s, rank, s->from->start);
}

/* Can a chain lead from an access to a later one? */
static bool leads(const struct ork_onesided *o, const struct access *from, const struct access *to)
{
    struct search s = {.o = o,
                       .f = o->flags,
                       .from = from,
                       .with_gets = ork_access_is_plain(from) || ork_access_is_plain(to)};

    if (from->end == 0)
        return false;
    for (uint32_t r = 0; r < s.f->nprocs; r++)
        s.f->since[r] = UINT32_MAX;
    reach(&s, from->seen.rank, from->end);
    while (s.has_changed) {
        s.has_changed = false;
        for (uint32_t r = 0; r < s.f->nprocs; r++)
            pass_on(&s, r);
    }
    return (to->seen.rank != from->seen.rank && s.f->since[to->seen.rank] <= to->issued) ||
           is_told(&s, to->start);
}

bool ork_flags_may_order(const struct ork_onesided *o, const struct access *a,
                         const struct access *b)
{
    bool is_plain = ork_access_is_plain(a) || ork_access_is_plain(b);
    bool is_stored = o->has_shared && (is_passive(a) || is_passive(b) || is_plain);

    if (a->seen.rank == b->seen.rank)
        return false;
    if (o->flags->is_full || is_stored)
        return true;
    if (o->flags->count == 0)
        return false;
    return leads(o, a, b) || leads(o, b, a);
}
