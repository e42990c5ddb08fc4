/* SPDX-License-Identifier: BSD-3-Clause */
/* Order by data: a rank may wait until an update of another one shows in its own memory, or in what
 * MPI_Fetch_and_op or a similar call returns (MPI-3.1 sections 11.4 and 11.7). The tool does not
 * see such data. So it looks whether a chain of such writes and reads could lead from one access
 * to another; then it makes no claim about the two.
 *
 * All is over-approximated: a rank may look at its own memory, and write there, at any time; and if
 * there is a window of MPI_Win_allocate_shared, in the memory of all. */
#include "windows/onesided/spin_waits.h"

#include <stdlib.h>

enum {
    NOTED_FEW = 1 << 10,
    NOTED_MOST = 1 << 16,
    NOTED_LOOKED_BACK = 32,
    STATES_MOST = 64, /* of a rank; .. */
    STATES_FEWEST = 4,
    STATES_ALL = 1 << 12, /* .. in large jobs, fewer, */
    RANKS_FEW = 1 << 8,   /* and only from the first lock on */
    RANKS_PRECISE = 16,
    LIVE_PRECISE = 1 << 10,
};

struct spin_waits *ork_spin_waits_create(uint32_t nprocs)
{
    struct spin_waits *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return NULL;
    f->nprocs = nprocs;
    f->limit = NOTED_FEW;
    f->of = calloc(nprocs, sizeof(*f->of));
    f->since = calloc(nprocs, sizeof(*f->since));
    f->seen = calloc(nprocs, sizeof(*f->seen));
    if (f->of == NULL || f->since == NULL || f->seen == NULL) {
        ork_spin_waits_destroy(f);
        return NULL;
    }
    return f;
}

void ork_spin_waits_destroy(struct spin_waits *f)
{
    if (f == NULL)
        return;
    for (uint32_t r = 0; f->of != NULL && r < f->nprocs; r++) {
        for (uint32_t i = 0; i < f->of[r].writes; i++)
            ork_events_release(f->of[r].write[i].start);
        for (uint32_t i = 0; i < f->of[r].states; i++) {
            ork_events_release(f->of[r].state[i].first);
            ork_events_release(f->of[r].state[i].last);
        }
        free(f->of[r].write);
        free(f->of[r].read);
        free(f->of[r].state);
    }
    free(f->of);
    free(f->since);
    free(f->seen);
    free(f);
}

/* ---- what is noted ---- */

static struct signalling_write *find_write(const struct of_rank *r, uint32_t target,
                                           uint64_t learned)
{
    for (uint32_t i = r->writes; i > 0 && i + NOTED_LOOKED_BACK > r->writes; i--) {
        struct signalling_write *u = &r->write[i - 1];
        if (u->target == target && u->learned == learned)
            return u;
    }
    return NULL;
}

static void note_write(struct ork_onesided *o, const struct access *a, uint64_t learned)
{
    struct of_rank *r = &o->spin_waits->of[a->seen.rank];
    struct signalling_write *u = find_write(r, a->target, learned);

    if (u != NULL) {
        u->value = a->issued;
        return;
    }
    if (!ork_vec_reserve(&r->write, &r->write_room, r->writes + 1, sizeof(*r->write))) {
        o->failed = true;
        return;
    }
    o->spin_waits->count++;
    r->write[r->writes++] = (struct signalling_write){.target = a->target,
                                                      .learned = learned,
                                                      .value = a->issued,
                                                      .start = ork_events_share(a->start)};
}

static struct polling_read *find_read(const struct of_rank *r, const struct polling_read *wanted)
{
    for (uint32_t i = r->reads; i > 0 && i + NOTED_LOOKED_BACK > r->reads; i--) {
        struct polling_read *l = &r->read[i - 1];
        if (l->target == wanted->target && l->is_get == wanted->is_get &&
            l->learned == wanted->learned)
            return l;
    }
    return NULL;
}

static void note_read(struct ork_onesided *o, const struct access *a, uint64_t learned)
{
    struct of_rank *r = &o->spin_waits->of[a->seen.rank];
    struct polling_read noted = {.target = a->target,
                                 .is_get = a->seen.touch == ORK_TOUCH_GET,
                                 .learned = learned,
                                 .first = a->issued,
                                 .last = a->issued};
    struct polling_read *l = find_read(r, &noted);

    if (l != NULL) {
        l->last = a->issued;
        return;
    }
    if (!ork_vec_reserve(&r->read, &r->read_room, r->reads + 1, sizeof(*r->read))) {
        o->failed = true;
        return;
    }
    o->spin_waits->count++;
    r->read[r->reads++] = noted;
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

static uint32_t most_states(const struct spin_waits *f)
{
    uint32_t each = STATES_ALL / f->nprocs;

    return each > STATES_MOST ? STATES_MOST : each < STATES_FEWEST ? STATES_FEWEST : each;
}

/* Has it learned something since its latest state? */
static bool has_learned(const struct ork_onesided *o, uint32_t rank)
{
    const struct of_rank *r = &o->spin_waits->of[rank];

    return r->states == 0 || r->state[r->states - 1].learned != ork_events_learned(o->events, rank);
}

/* RATIONALE: the fewer there are, the more exact they are. In large jobs, to forget some takes too
 * long. */
bool ork_spin_waits_are_crowded(const struct ork_onesided *o, uint32_t rank)
{
    const struct spin_waits *f = o->spin_waits;

    return f->of[rank].states == most_states(f) && has_learned(o, rank) &&
           f->nprocs <= RANKS_PRECISE && o->live <= LIVE_PRECISE && !o->has_separate;
}

/* RATIONALE: of the first state, the time is not known at which it began. If that is in the call
 * that makes a window, all looks come after it. Each state has two clocks, so that in large jobs
 * none is noted before a rank locks a window; then it depends on the order in which records come
 * what is known of the first one. */
void ork_spin_waits_note_state(struct ork_onesided *o, uint32_t rank)
{
    struct spin_waits *f = o->spin_waits;
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

void ork_spin_waits_note_window(struct ork_onesided *o)
{
    o->spin_waits->notes_states |= o->nprocs <= RANKS_FEW;
}

void ork_spin_waits_note_lock(struct ork_onesided *o)
{
    o->spin_waits->notes_states = true;
}

/* ---- what they do ---- */

/* RATIONALE: in other epochs nothing is visible before the call that ends them, which is an edge
 * of its own. */
void ork_spin_waits_note(struct ork_onesided *o, const struct access *a)
{
    bool is_get = a->seen.touch == ORK_TOUCH_GET && o->has_touches;
    bool is_remote =
        a->seen.touch == ORK_TOUCH_PUT || a->seen.touch == ORK_TOUCH_ACCUMULATE || is_get;
    struct spin_waits *f = o->spin_waits;

    o->has_gets |= ork_access_is_passive(a) && a->seen.touch == ORK_TOUCH_GET && !o->has_touches;
    if (!ork_access_is_passive(a) || !is_remote || f->is_full)
        return;
    uint64_t learned = ork_events_learned(o->events, a->seen.rank);
    if (!ork_access_reads(a))
        note_write(o, a, learned);
    if (a->fetches || is_get)
        note_read(o, a, learned);
    f->is_full = f->count >= NOTED_MOST;
    o->has_overflowed |= f->is_full;
}

bool ork_spin_waits_are_noted(const struct ork_onesided *o)
{
    return o->spin_waits->is_full || o->spin_waits->count > 0 || o->has_shared || o->has_gets;
}

bool ork_spin_waits_are_many(const struct ork_onesided *o)
{
    return o->spin_waits->count >= o->spin_waits->limit && !o->spin_waits->is_full;
}

void ork_spin_waits_retire(struct ork_onesided *o, const uint32_t *known)
{
    struct spin_waits *f = o->spin_waits;

    if (o->candidates > 0 || f->is_full) {
        f->limit = 2 * f->count;
        return;
    }
    f->count = 0;
    for (uint32_t rank = 0; rank < f->nprocs; rank++) {
        struct of_rank *r = &f->of[rank];
        uint32_t updates = 0, looks = 0;
        for (uint32_t i = 0; i < r->writes; i++) {
            if (r->write[i].value < known[rank])
                ork_events_release(r->write[i].start);
            else
                r->write[updates++] = r->write[i];
        }
        for (uint32_t i = 0; i < r->reads; i++) {
            if (r->read[i].last >= known[rank])
                r->read[looks++] = r->read[i];
        }
        r->writes = updates;
        r->reads = looks;
        f->count += updates + looks;
    }
    f->limit = 2 * f->count > NOTED_FEW ? 2 * f->count : NOTED_FEW;
}

/* RATIONALE: the chain that a search follows goes forward in time from the end of an access. So a
 * state that was over before both of its accesses began is no part of it. The latest state of a
 * rank is not over. */
void ork_spin_waits_forget_states(struct ork_onesided *o, const uint32_t *known)
{
    for (uint32_t rank = 0; o->candidates == 0 && rank < o->nprocs; rank++) {
        struct of_rank *r = &o->spin_waits->of[rank];
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
    const struct of_rank *r = &o->spin_waits->of[rank];

    ork_words_put(to, r->writes);
    for (uint32_t i = 0; i < r->writes && !to->failed; i++) {
        const struct signalling_write *u = &r->write[i];
        ork_words_put(to, u->target);
        ork_events_write_learned(o->events, to, rank, u->learned);
        ork_events_write_component(o->events, to, rank, u->value);
        ork_events_write_stamp(o->events, to, u->start);
    }
    ork_words_put(to, r->reads);
    for (uint32_t i = 0; i < r->reads && !to->failed; i++) {
        const struct polling_read *l = &r->read[i];
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

void ork_spin_waits_write(const struct ork_onesided *o, struct ork_words_writer *to)
{
    ork_words_put(to,
                  (uint32_t)o->spin_waits->is_full << 1 | (uint32_t)o->spin_waits->notes_states);
    for (uint32_t r = 0; r < o->nprocs && !to->failed; r++)
        write_of_rank(o, to, r);
}
