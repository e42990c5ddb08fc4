/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a chain of writes, reads and messages can lead from one access to another: spin_waits.c.
 */
#include "windows/onesided/spin_waits.h"

struct search {
    const struct ork_onesided *o;
    const struct spin_waits *f;
    const struct access *from;
    uint32_t end;      /* of it, see separate.c */
    bool with_gets;    /* stores of the ranks are known, and one of the two accesses is one */
    bool is_published; /* a store that shows from s->end on only */
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

static void see(struct search *s, uint32_t rank, uint64_t learned)
{
    if (learned >= s->f->seen[rank])
        return;
    s->f->seen[rank] = learned;
    s->has_changed = true;
}

/* The memory of a rank may show it; a rank that looks there comes after what `start` knows. */
static void reach_by_reads(struct search *s, uint32_t target, struct ork_stamp start)
{
    for (uint32_t r = 0; r < s->f->nprocs; r++) {
        const struct of_rank *of = &s->f->of[r];
        for (uint32_t i = 0; i < of->reads; i++) {
            uint32_t least = component(s, start, r);
            if (of->read[i].is_get && !s->with_gets)
                continue;
            if (of->read[i].target != target || of->read[i].last < least)
                continue;
            /* it sees the result when the look is complete, so with a later value */
            reach(s, r, (of->read[i].first > least ? of->read[i].first : least) + 1);
            see(s, r, of->read[i].learned);
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
    return component(s, stamp, s->from->seen.rank) >= s->end;
}

/* The rank may store what it has seen, or was told, in its own memory. */
static void show(struct search *s, uint32_t rank)
{
    const struct of_rank *of = &s->f->of[rank];

    if (rank == s->from->seen.rank && !s->is_published)
        reach_by_reads(s, rank, s->from->start);
    for (uint32_t i = 0; i < of->states; i++) {
        const struct state *state = &of->state[i];
        if (state->learned < s->f->seen[rank] && !is_told(s, state->last))
            continue;
        reach_by_reads(s, rank, state->first);
        return; /* in later states, fewer looks come after it */
    }
}

static void pass_on(struct search *s, uint32_t rank)
{
    const struct of_rank *of = &s->f->of[rank];

    for (uint32_t i = 0; i < of->writes; i++) {
        const struct signalling_write *u = &of->write[i];
        bool comes_after = (s->f->since[rank] != UINT32_MAX && u->value >= s->f->since[rank]) ||
                           is_told(s, u->start);
        if (!comes_after)
            continue;
        reach(s, u->target, component(s, u->start, u->target));
        reach_by_reads(s, u->target, u->start);
    }
    show(s, rank);
}

/* Can a chain lead from an access to a later one? */
static bool leads(const struct ork_onesided *o, const struct access *from, const struct access *to,
                  bool is_separate)
{
    bool is_private = is_separate && from->is_separate;
    /* it sees less than its rank knows */
    bool is_late = is_separate && to->is_separate && !ork_access_reads(from);
    struct ork_stamp start = is_late ? to->acquired : to->start;
    uint32_t issued = is_late ? ork_events_component(o->events, start, to->seen.rank) : to->issued;
    struct search s = {.o = o,
                       .f = o->spin_waits,
                       .from = from,
                       .end = is_private ? from->published : from->end,
                       .is_published = is_private,
                       .with_gets = ork_access_is_plain(from) || ork_access_is_plain(to)};

    if (s.end == 0)
        return false;
    for (uint32_t r = 0; r < s.f->nprocs; r++) {
        s.f->since[r] = UINT32_MAX;
        s.f->seen[r] = UINT64_MAX;
    }
    reach(&s, from->seen.rank, s.end);
    while (s.has_changed) {
        s.has_changed = false;
        for (uint32_t r = 0; r < s.f->nprocs; r++)
            pass_on(&s, r);
    }
    return (to->seen.rank != from->seen.rank && s.f->since[to->seen.rank] <= issued) ||
           is_told(&s, start);
}

bool ork_spin_waits_may_order(const struct ork_onesided *o, const struct access *a,
                              const struct access *b, bool is_separate)
{
    bool is_plain = ork_access_is_plain(a) || ork_access_is_plain(b);
    bool is_stored =
        o->has_shared && (ork_access_is_passive(a) || ork_access_is_passive(b) || is_plain);

    /* RATIONALE: without TOUCH records of the program, gets are not noted: a message may be in the
     * memory of a window that a rank gets again and again. */
    bool may_show = (a->is_message || b->is_message) && o->has_gets;

    if (a->seen.rank == b->seen.rank)
        return false;
    if (o->spin_waits->is_full || is_stored || may_show)
        return true;
    if (o->spin_waits->count == 0)
        return false;
    return leads(o, a, b, is_separate) || leads(o, b, a, is_separate);
}
