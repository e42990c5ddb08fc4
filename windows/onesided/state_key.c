/* SPDX-License-Identifier: BSD-3-Clause */
/* When two states have equal futures, so that repeated iterations need not be analysed
 * (docs/explanation/folding.md). A state is written as words; of clocks and numbers that are only
 * compared with each other, the order counts.
 *
 * Invariant: every access that is live or open is written, or the state is incomparable. So nothing
 * that a later access can conflict with is forgotten. What is rare in a loop is incomparable:
 * accesses that wait for MPI_Win_post, the separate memory model, pairs of accesses that data may
 * order (of these, some are examined and others are not, as they come), and if racing calls are
 * wanted, locks and shared file pointers. */
#include "windows/onesided/internal.h"

struct writer {
    struct ork_onesided *o;
    struct ork_words_writer to;
    uint32_t live, open, named; /* accesses that were written */
};

static void put(struct writer *w, uint32_t word)
{
    ork_words_put(&w->to, word);
}

static void put_window(struct writer *w, const struct window *window)
{
    ork_words_put_long(&w->to, window->comm->context);
}

static void put_component(struct writer *w, uint32_t rank, uint32_t value)
{
    ork_events_write_component(w->o->events, &w->to, rank, value);
}

static void put_locks(struct writer *w, const struct lockset *set)
{
    put(w, set == NULL ? 0 : set->count);
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        put_window(w, set->lock[i].window);
        put(w, set->lock[i].target);
        put(w, set->lock[i].is_exclusive);
    }
}

/* ---- accesses ---- */

static void put_pattern(struct writer *w, const struct ork_pattern *pattern)
{
    put(w, pattern != NULL);
    if (pattern == NULL)
        return;
    const struct ork_byteset *set = &pattern->set;
    ork_words_put_long(&w->to, (uint64_t)pattern->count);
    ork_words_put_long(&w->to, (uint64_t)pattern->stride);
    put(w, set->num_runs);
    put(w, set->num_dims);
    ork_words_put_all(&w->to, set->run, set->num_runs * sizeof(*set->run) / sizeof(uint32_t));
    ork_words_put_all(&w->to, set->dim, set->num_dims * sizeof(*set->dim) / sizeof(uint32_t));
}

static void put_touched(struct writer *w, const struct ork_touched *t)
{
    put(w, t->rank);
    put(w, t->site);
    put(w, t->call);
    put(w, t->touch);
    put(w, t->epoch);
    put(w, (uint32_t)t->is_choice << 4 | (uint32_t)t->is_exclusive << 3 |
               (uint32_t)t->is_over << 2 | (uint32_t)t->is_address << 1 | (uint32_t)t->has_gaps);
    put(w, t->op);
    put(w, t->type);
    ork_words_put_long(&w->to, (uint64_t)t->low);
    ork_words_put_long(&w->to, (uint64_t)t->high);
}

static void put_access(struct writer *w, const struct access *a)
{
    uint32_t rank = a->seen.rank;
    bool is_open = a->item.link != NULL;

    put_touched(w, &a->seen);
    put_window(w, a->window);
    put(w, a->target);
    put(w, a->partner);
    ork_words_put_long(&w->to, a->low);
    ork_words_put_long(&w->to, a->high);
    put_pattern(w, a->pattern);
    put_locks(w, a->locks);
    put(w, a->request);
    put(w, (uint32_t)a->item.is_named << 5 | (uint32_t)is_open << 4 | (uint32_t)a->is_live << 3 |
               (uint32_t)a->is_read_back << 2 | (uint32_t)a->fetches << 1 |
               (uint32_t)a->is_message);
    ork_words_put_ordered(&w->to, ORK_EVENTS_USER_AXIS, a->op_id);
    ork_events_write_stamp(w->o->events, &w->to, a->start);
    put_component(w, rank, a->issued);
    put_component(w, rank, a->end);
    for (uint32_t i = 0; i < a->looks; i++) {
        put(w, a->look[i].site << 1 | (uint32_t)a->look[i].is_element);
        put_component(w, rank, a->look[i].end);
    }
    put(w, UINT32_MAX);
    put_component(w, rank, a->other_looks);
    ork_events_write_call(w->o->events, &w->to, rank, a->gap);
}

static void put_memory(struct writer *w, const struct memory *m)
{
    for (const struct access *a = m->oldest; a != NULL && !w->to.failed; a = a->newer) {
        put_access(w, a);
        w->live++;
        w->open += a->item.link != NULL;
        w->named += a->item.is_named;
    }
    put(w, UINT32_MAX);
}

/* ---- windows ---- */

static bool is_plain(const struct ork_onesided *o)
{
    return !o->failed && o->lost == NULL && o->stamps == NULL && !o->has_separate && o->held == 0 &&
           ork_racing_is_comparable(o);
}

static void put_queue(struct writer *w, const struct queue *q)
{
    put(w, q->count - q->first);
    for (uint32_t i = q->first; i < q->count && !w->to.failed; i++)
        ork_events_write_stamp(w->o->events, &w->to, q->told[i].stamp);
}

static void put_partners(struct writer *w, const struct partners *p)
{
    put(w, p->item != NULL);
    put(w, p->count);
    for (uint32_t i = 0; i < p->count && !w->to.failed; i++) {
        const struct partner *t = &p->item[i];
        put(w, t->rank);
        put(w, (uint32_t)t->has_posted << 1 | (uint32_t)t->is_accessed);
        if (t->has_posted)
            ork_events_write_stamp(w->o->events, &w->to, t->posted.stamp);
    }
}

static void put_member(struct writer *w, const struct member *m)
{
    put_partners(w, &m->start);
    put_partners(w, &m->post);
    put(w, m->waits);
}

static void put_pair(struct writer *w, const struct pair *p)
{
    put(w, p->target);
    put(w, p->origin);
    put(w, p->skipped_posts);
    put(w, p->skipped_completes);
    put_queue(w, &p->posts);
    put_queue(w, &p->completes);
}

static uint32_t named_of(const struct open_requests *r)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->room; i++) {
        for (const struct open_item *item = r->first[i]; item != NULL; item = item->next_named)
            n++;
    }
    return n;
}

static uint32_t open_of(const struct open_set *set)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < set->num_busy; i++) {
        for (unsigned kind = 0; kind < OPEN_KINDS; kind++) {
            const struct open_item *item = set->target[set->busy[i]].first[kind];
            for (; item != NULL; item = item->next)
                n++;
        }
    }
    return n;
}

static void put_windows(struct writer *w)
{
    uint32_t open = 0, named = 0;

    for (const struct window *i = w->o->window; i != NULL; i = i->next) {
        put_window(w, i);
        put(w, i->freed);
        w->to.failed |= !ork_region_write(w->o, i, &w->to);
        for (uint32_t k = 0; k < i->comm->group->size && !w->to.failed; k++) {
            put_member(w, &i->member[k]);
            open += open_of(&i->member[k].open);
        }
        for (const struct pair *p = i->pair; p != NULL && !w->to.failed; p = p->next)
            put_pair(w, p);
    }
    for (uint32_t r = 0; r < w->o->nprocs; r++)
        named += named_of(&w->o->requests[r]);
    w->to.failed |= open != w->open || named != w->named;
}

/* ---- conflicts ---- */

/* RATIONALE: how often accesses conflict is not told. */
static void put_conflict(struct writer *w, const struct conflict *c)
{
    put(w, c->found.times > 0);
    ork_words_put_all(&w->to, &c->example, sizeof(c->example) / sizeof(uint32_t));
    put(w, c->excused);
    put(w, c->num_pending);
    for (uint32_t i = 0; i < c->num_pending; i++) {
        put_access(w, c->pending[i].first);
        put_access(w, c->pending[i].second);
    }
}

/* ---- the whole ---- */

static void put_all(struct writer *w)
{
    const struct ork_onesided *o = w->o;

    put(w, (uint32_t)o->has_overflowed << 4 | (uint32_t)o->has_shared << 3 |
               (uint32_t)o->has_touches << 2 | (uint32_t)o->has_scattered << 1 |
               (uint32_t)o->has_gets);
    for (uint32_t r = 0; r < o->nprocs && !w->to.failed; r++) {
        put(w, o->is_member[r]);
        put_locks(w, o->locks[r]);
        ork_events_write_call(o->events, &w->to, r, o->gap[r]);
        put_memory(w, &o->memory[r]);
    }
    ork_words_put_ordered(&w->to, ORK_EVENTS_USER_AXIS, o->ops);
    w->to.failed |= w->live != o->live;
    put_windows(w);
    put(w, o->conflicts);
    for (uint32_t i = 0; i < o->conflicts && !w->to.failed; i++)
        put_conflict(w, o->conflict[i]);
    put(w, o->outsides);
    ork_spin_waits_write(o, &w->to);
}

bool ork_onesided_state(struct ork_onesided *o, size_t limit, struct ork_words *state)
{
    struct writer w = {.o = o};

    ork_words_begin(&w.to, state, limit);
    w.to.failed = !is_plain(o) || (o->candidates > 0 && ork_spin_waits_are_noted(o));
    if (!w.to.failed)
        ork_events_write(o->events, &w.to);
    if (!w.to.failed)
        ork_retire_all(o);
    if (!w.to.failed && !o->failed)
        put_all(&w);
    return ork_words_end(&w.to) && !o->failed;
}
