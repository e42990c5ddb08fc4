/* SPDX-License-Identifier: BSD-3-Clause */
/* Depth-first search of all decisions, one component after the other. States that were searched in
 * full are remembered, even if the search is stopped and continued later. */
#include "detector/interleave/internal.h"

#include <stdlib.h>

enum { MEMO_MAX = 1 << 22 };
/* Steps after which the search asks whether to stop: some tenths of a millisecond. */
enum { ASK_EVERY = 1 << 15 };

/* ---- memo ---- */

static struct key key_of(const struct ork_interleave *p)
{
    uint64_t h = ork_hash_mix(p->component);
    struct key k = {.a = p->state.a ^ h, .b = p->state.b ^ ork_hash_mix(h)};

    k.a += k.a == 0; /* 0: an empty slot */
    return k;
}

static struct key *memo_slot(const struct ork_interleave *p, struct key k)
{
    uint64_t i = k.a;

    ORK_ASSERT(p->memo_count < p->memo_size); /* an empty slot ends the search */
    for (;; i++) {
        struct key *slot = &p->memo[i & (p->memo_size - 1)];
        if (slot->a == 0 || (slot->a == k.a && slot->b == k.b))
            return slot;
    }
}

static bool memo_has(const struct ork_interleave *p, struct key k)
{
    return p->memo_size > 0 && memo_slot(p, k)->a != 0;
}

/* RATIONALE: the memo only saves time; without memory the search continues without it. */
static void memo_add(struct ork_interleave *p, struct key k)
{
    if (p->options.no_memo || p->memo_count >= MEMO_MAX)
        return;
    if (2 * p->memo_count >= p->memo_size) {
        uint64_t old_size = p->memo_size;
        struct key *old = p->memo;
        uint64_t size = old_size == 0 ? 1024 : old_size * 2;
        struct key *bigger = calloc(size, sizeof(*bigger));
        if (bigger == NULL)
            return;
        p->memo = bigger;
        p->memo_size = size;
        for (uint64_t i = 0; i < old_size; i++) {
            if (old[i].a != 0)
                *memo_slot(p, old[i]) = old[i];
        }
        free(old);
    }
    struct key *slot = memo_slot(p, k);
    p->memo_count += slot->a == 0;
    *slot = k;
}

/* ---- depth first ---- */

enum outcome { NOTHING, DEADLOCK, STOPPED };

static void push(struct ork_interleave *p, uint32_t mark, struct key key)
{
    uint32_t first = p->choice.count;

    ork_choices_add(p);
    struct frame *f = ork_vector_add(p, &p->frame, sizeof(*f));
    if (f != NULL)
        *f = (struct frame){.mark = mark, .first = first, .next = first, .key = key};
}

/* A wait in MPI_Finalize. No rank acts after it, so such a wait is not a cause, unless some rank
 * never enters it. */
static bool is_last_wait(const struct ork_interleave *p, const struct step *s)
{
    const struct ork_interleave_part *part = s->parts == 1 ? part_at(p, s->part) : NULL;

    return !p->has_ended && s->type == STEP_AWAIT && part != NULL && part->is_wave &&
           collective_at(p, part->number)->is_last;
}

/* According to the latest result of the filter. */
static bool may_be_stuck(const struct ork_interleave *p, uint32_t component)
{
    for (uint32_t i = 0; i < p->ranks; i++) {
        const struct rank *r = &p->rank[i];
        if ((component >= NOWHERE || r->component == component) && r->point < r->steps &&
            !is_last_wait(p, &r->step[r->point]))
            return true;
    }
    return false;
}

/* Does a rank of the component wait in a call other than MPI_Finalize? */
static bool is_blocked(const struct ork_interleave *p)
{
    for (uint32_t i = 0; i < p->ranks; i++) {
        const struct rank *r = &p->rank[i];
        if ((p->component >= NOWHERE || r->component == p->component) &&
            ork_state_is_blocked(p, i) && !is_last_wait(p, &r->step[r->pc]))
            return true;
    }
    return false;
}

/* The component has no choice left. The decisions of other ranks only determine whether those that
 * may release a rank of the component are stuck too. */
static bool is_deadlock(struct ork_interleave *p)
{
    struct match pair;

    p->statistics.leaves++;
    if (!is_blocked(p))
        return false;
    while (p->component != NIL && p->status == ORK_OK && ork_choices_default(p, &pair)) {
        ork_state_match(p, pair.send, pair.receive);
        ork_state_run(p);
    }
    return ork_terminal_is_deadlock(p);
}

/* Examine the current state, and enter it if it is new and has choices. */
static enum outcome visit(struct ork_interleave *p, uint32_t mark)
{
    struct key key = key_of(p);

    if (memo_has(p, key)) {
        ork_state_undo(p, mark);
        return NOTHING;
    }
    p->statistics.states++;
    bool safe =
        !p->options.no_filter && !(ork_filter_may_deadlock(p) && may_be_stuck(p, p->component));
    if (!safe) {
        push(p, mark, key);
        struct frame *f =
            p->status != ORK_OK ? NULL : AT(p, frame, struct frame, p->frame.count - 1);
        if (f == NULL || f->first < p->choice.count)
            return NOTHING;
        p->frame.count--;
        if (is_deadlock(p))
            return DEADLOCK;
    }
    memo_add(p, key);
    ork_state_undo(p, mark);
    return NOTHING;
}

static bool is_over(struct ork_interleave *p)
{
    uint64_t steps = p->statistics.steps;

    if (p->options.max_steps != 0 && steps >= p->stop_at)
        return true;
    if (p->options.expired == NULL || steps < p->ask_at)
        return false;
    p->ask_at = steps + ASK_EVERY;
    return p->options.expired(p->options.context);
}

static enum outcome search_component(struct ork_interleave *p)
{
    uint32_t start = ork_state_mark(p);
    enum outcome outcome;

    p->frame.count = p->choice.count = p->path.count = 0;
    outcome = visit(p, start);
    while (outcome == NOTHING && p->frame.count > 0 && p->status == ORK_OK) {
        struct frame *f = AT(p, frame, struct frame, p->frame.count - 1);
        if (is_over(p)) {
            ork_state_undo(p, start);
            return STOPPED;
        }
        if (f->next < p->choice.count) {
            struct match pair = *AT(p, choice, struct match, f->next++);
            uint32_t mark = ork_state_mark(p);
            p->path.count = p->frame.count - 1;
            struct match *step = ork_vector_add(p, &p->path, sizeof(*step));
            if (step == NULL)
                break;
            *step = pair;
            ork_state_match(p, pair.send, pair.receive);
            ork_state_run(p);
            outcome = visit(p, mark);
        } else {
            ORK_ASSERT(f->next == p->choice.count); /* it is the latest frame with choices */
            memo_add(p, f->key);
            ork_state_undo(p, f->mark);
            p->choice.count = f->first;
            p->frame.count--;
        }
    }
    return outcome;
}

/* ---- the search over all components ---- */

static bool prepare(struct ork_interleave *p)
{
    if (p->is_ready || p->status != ORK_OK)
        return p->is_ready;
    ork_filter_prepare(p);
    ork_choices_prepare(p);
    if (p->status == ORK_OK)
        ork_state_start(p);
    p->is_ready = p->status == ORK_OK;
    p->root = ork_state_mark(p);
    return p->is_ready;
}

/* The next component after `last` (NIL: the first) with a decision to make; NIL: none. */
static uint32_t next_component(const struct ork_interleave *p, uint32_t last)
{
    uint32_t best = NIL;

    for (uint32_t i = 0; i < p->op.count; i++) {
        const struct posting *op = posting_at(p, i);
        bool is_free = is_wildcard(op) && (op->is.took == ORK_INTERLEAVE_ANY || op->is.may_differ);
        if (is_free && (last == NIL || op->component > last) && op->component < best)
            best = op->component;
    }
    return best;
}

static enum outcome search_all(struct ork_interleave *p)
{
    enum outcome outcome = NOTHING;
    bool may_deadlock = ork_filter_may_deadlock(p);
    uint64_t states = p->statistics.states;

    p->statistics.components = p->statistics.open_components = 0;
    if (!may_deadlock && !p->options.no_filter)
        return NOTHING;
    for (uint32_t c = next_component(p, NIL); c != NIL && outcome == NOTHING;
         c = next_component(p, c)) {
        p->statistics.components++;
        ork_filter_may_deadlock(p);
        if (!p->options.no_filter && !may_be_stuck(p, c))
            continue;
        p->statistics.open_components++;
        p->component = p->options.no_components ? NIL : c;
        outcome = search_component(p);
        if (p->options.no_components)
            break;
    }
    if (outcome == NOTHING && (!p->options.no_components || p->statistics.states == states)) {
        p->component = NOWHERE; /* ranks that no decision affects */
        outcome = search_component(p);
    }
    return outcome;
}

enum ork_status ork_interleave_search(struct ork_interleave *p,
                                      const struct ork_interleave_options *options,
                                      enum ork_interleave_result *result)
{
    p->options = *options;
    p->stop_at = p->statistics.steps + options->max_steps;
    p->ask_at = p->statistics.steps + ASK_EVERY;
    if (!prepare(p))
        return p->status;
    ork_state_undo(p, p->root);
    ORK_ASSERT(p->journal.count == p->root);
    enum outcome outcome = search_all(p);
    *result = outcome == DEADLOCK  ? ORK_INTERLEAVE_DEADLOCK
              : outcome == STOPPED ? ORK_INTERLEAVE_STOPPED
                                   : ORK_INTERLEAVE_SAFE;
    return p->status;
}

struct ork_interleave_statistics ork_interleave_statistics(const struct ork_interleave *p)
{
    return p->statistics;
}

/* ---- the deadlock ---- */

uint32_t ork_interleave_num_decisions(const struct ork_interleave *p)
{
    return p->path.count;
}

struct ork_interleave_decision ork_interleave_decision(const struct ork_interleave *p, uint32_t i)
{
    struct match pair = *AT(p, path, struct match, i);

    return (struct ork_interleave_decision){
        .send = pair.send,
        .receive = pair.receive,
        .differs = ork_is_different(posting_at(p, pair.receive), posting_at(p, pair.send))};
}

const struct ork_interleave_op *ork_interleave_op(const struct ork_interleave *p, uint32_t op)
{
    return &posting_at(p, op)->is;
}

uint32_t ork_interleave_num_ops(const struct ork_interleave *p)
{
    return p->op.count;
}

uint32_t ork_interleave_wave_info(const struct ork_interleave *p, uint32_t wave)
{
    return collective_at(p, wave)->info;
}

struct ork_interleave_position ork_interleave_position(const struct ork_interleave *p,
                                                       uint32_t rank)
{
    const struct rank *r = &p->rank[rank];
    struct ork_interleave_position place = {.info = ORK_INTERLEAVE_NONE};

    place.ended = r->pc == r->steps && r->ended && !r->stopped;
    place.inside = !r->stopped && r->pc < r->steps;
    place.deadlocked = p->found.wfg != NULL && ork_wfg_is_deadlocked(p->found.wfg, rank);
    if (place.inside)
        place.info = r->step[r->pc].info;
    return place;
}

struct ork_interleave_graph ork_interleave_take_graph(struct ork_interleave *p)
{
    struct ork_interleave_graph g = p->found;

    p->found = (struct ork_interleave_graph){0};
    return g;
}
