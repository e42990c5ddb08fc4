/* SPDX-License-Identifier: BSD-3-Clause */
/* Order by data: a rank may wait until an update of another one shows in its own memory, or in what
 * MPI_Fetch_and_op or a similar call returns (MPI-3.1 sections 11.4 and 11.7). The tool does not
 * see such data. So it looks whether a chain of such updates and looks could lead from one access
 * to another; then it makes no claim about the two.
 *
 * All is over-approximated: a rank may look at its own memory, and write there, at any time; and if
 * there is a window of MPI_Win_allocate_shared, in the memory of all. */
#include "windows/onesided/flags.h"

#include <stdlib.h>

enum {
    FLAGS_FEW = 1 << 10,
    FLAGS_MOST = 1 << 16,
    FLAGS_LOOKED_BACK = 32,
    STATES_MOST = 64, /* of a rank; .. */
    STATES_FEWEST = 4,
    STATES_ALL = 1 << 12, /* .. in large jobs, fewer, */
    RANKS_FEW = 1 << 8,   /* and only from the first lock on */
    RANKS_PRECISE = 16,
    LIVE_PRECISE = 1 << 10,
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
    f->seen = calloc(nprocs, sizeof(*f->seen));
    if (f->of == NULL || f->since == NULL || f->seen == NULL) {
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
        for (uint32_t i = 0; i < f->of[r].states; i++) {
            ork_events_release(f->of[r].state[i].first);
            ork_events_release(f->of[r].state[i].last);
        }
        free(f->of[r].update);
        free(f->of[r].look);
        free(f->of[r].state);
    }
    free(f->of);
    free(f->since);
    free(f->seen);
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

/* ---- what ranks knew ---- */

/* Join each two neighbours. */
static void thin_out(struct of_rank *r)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < r->states; i += 2) {
        struct state s = r->state[i];
        if (i + 1 < r->states) {
            ork_events_release(s.last);
            ork_events_release(r->state[i + 1].first);
            s.last = r->state[i + 1].last;
            s.learned = r->state[i + 1].learned;
        }
        r->state[left++] = s;
    }
    r->states = left;
}

static uint32_t most_states(const struct flags *f)
{
    uint32_t each = STATES_ALL / f->nprocs;

    return each > STATES_MOST ? STATES_MOST : each < STATES_FEWEST ? STATES_FEWEST : each;
}

/* Has it learned something since its latest state? */
static bool has_learned(const struct ork_onesided *o, uint32_t rank)
{
    const struct of_rank *r = &o->flags->of[rank];

    return r->states == 0 || r->state[r->states - 1].learned != ork_events_learned(o->events, rank);
}

/* RATIONALE: the fewer there are, the more exact they are. In large jobs, to forget some takes too
 * long. */
bool ork_flags_are_crowded(const struct ork_onesided *o, uint32_t rank)
{
    const struct flags *f = o->flags;

    return f->of[rank].states == most_states(f) && has_learned(o, rank) &&
           f->nprocs <= RANKS_PRECISE && o->live <= LIVE_PRECISE && !o->has_separate;
}

/* RATIONALE: of the first state, the time is not known at which it began. If that is in the call
 * that makes a window, all looks come after it. Each state has two clocks, so that in large jobs
 * none is noted before a rank locks a window; then it depends on the order in which records come
 * what is known of the first one. */
void ork_flags_note_state(struct ork_onesided *o, uint32_t rank)
{
    struct flags *f = o->flags;
    struct of_rank *r = &f->of[rank];

    if (!f->notes_states || o->failed || !has_learned(o, rank))
        return;
    if (r->states == most_states(f))
        thin_out(r);
    if (!ork_vec_reserve(&r->state, &r->state_room, r->states + 1, sizeof(*r->state))) {
        o->failed = true;
        return;
    }
    struct ork_stamp now = ork_events_take(o->events, rank);
    r->state[r->states] =
        (struct state){.last = now, .learned = ork_events_learned(o->events, rank)};
    if (r->states > 0)
        r->state[r->states].first = ork_events_share(now);
    r->states++;
}

void ork_flags_note_window(struct ork_onesided *o)
{
    o->flags->notes_states |= o->nprocs <= RANKS_FEW;
}

void ork_flags_note_lock(struct ork_onesided *o)
{
    o->flags->notes_states = true;
}

/* ---- what they do ---- */

/* RATIONALE: in other epochs nothing is visible before the call that ends them, which is an edge
 * of its own. */
void ork_flags_note(struct ork_onesided *o, const struct access *a)
{
    bool is_get = a->seen.touch == ORK_TOUCH_GET && o->has_touches;
    bool is_remote =
        a->seen.touch == ORK_TOUCH_PUT || a->seen.touch == ORK_TOUCH_ACCUMULATE || is_get;
    struct flags *f = o->flags;

    o->has_gets |= ork_access_is_passive(a) && a->seen.touch == ORK_TOUCH_GET && !o->has_touches;
    if (!ork_access_is_passive(a) || !is_remote || f->is_full)
        return;
    uint64_t learned = ork_events_learned(o->events, a->seen.rank);
    if (!ork_access_reads(a))
        note_update(o, a, learned);
    if (a->fetches || is_get)
        note_look(o, a, learned);
    f->is_full = f->count >= FLAGS_MOST;
    o->has_overflowed |= f->is_full;
}

bool ork_flags_are_noted(const struct ork_onesided *o)
{
    return o->flags->is_full || o->flags->count > 0 || o->has_shared || o->has_gets;
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

/* RATIONALE: the chain that a search follows goes forward in time from the end of an access. So a
 * state that was over before both of its accesses began is no part of it. The latest state of a
 * rank is not over. */
void ork_flags_forget_states(struct ork_onesided *o, const uint32_t *known)
{
    for (uint32_t rank = 0; o->candidates == 0 && rank < o->nprocs; rank++) {
        struct of_rank *r = &o->flags->of[rank];
        uint32_t left = 0;
        for (uint32_t i = 0; i < r->states; i++) {
            struct state *s = &r->state[i];
            bool is_over =
                i + 1 < r->states && ork_events_component(o->events, s->last, rank) < known[rank];
            if (!is_over) {
                r->state[left++] = *s;
                continue;
            }
            ork_events_release(s->first);
            ork_events_release(s->last);
        }
        r->states = left;
    }
}

/* ---- comparing states ---- */

static void write_of_rank(const struct ork_onesided *o, struct ork_words_writer *to, uint32_t rank)
{
    const struct of_rank *r = &o->flags->of[rank];

    ork_words_put(to, r->updates);
    for (uint32_t i = 0; i < r->updates && !to->failed; i++) {
        const struct update *u = &r->update[i];
        ork_words_put(to, u->target);
        ork_events_write_learned(o->events, to, rank, u->learned);
        ork_events_write_component(o->events, to, rank, u->value);
        ork_events_write_stamp(o->events, to, u->start);
    }
    ork_words_put(to, r->looks);
    for (uint32_t i = 0; i < r->looks && !to->failed; i++) {
        const struct look *l = &r->look[i];
        ork_words_put(to, l->target << 1 | (uint32_t)l->is_get);
        ork_events_write_learned(o->events, to, rank, l->learned);
        ork_events_write_component(o->events, to, rank, l->first);
        ork_events_write_component(o->events, to, rank, l->last);
    }
    ork_words_put(to, r->states);
    for (uint32_t i = 0; i < r->states && !to->failed; i++) {
        ork_events_write_learned(o->events, to, rank, r->state[i].learned);
        ork_events_write_stamp(o->events, to, r->state[i].first);
        ork_events_write_stamp(o->events, to, r->state[i].last);
    }
}

void ork_flags_write(const struct ork_onesided *o, struct ork_words_writer *to)
{
    ork_words_put(to, (uint32_t)o->flags->is_full << 1 | (uint32_t)o->flags->notes_states);
    for (uint32_t r = 0; r < o->nprocs && !to->failed; r++)
        write_of_rank(o, to, r);
}
