/* SPDX-License-Identifier: BSD-3-Clause */
/* Which choices lead to a bad outcome? Of its first run, those that were changed on the way to it;
 * then as few of them as still lead there. Each attempt is a run that makes these choices and is
 * free otherwise (delta debugging: Zeller and Hildebrandt 2002). */
#include "common/log.h"
#include "common/vec.h"
#include "mustrun/explore/progress.h"

#include <stdlib.h>
#include <string.h>

/* Outcomes that are looked at, of those with another result only the first ones. */
enum { OUTCOMES = 8, RESULTS = 2 };

/* An attempt that makes no progress for so long does not end as the outcome did: times the seconds
 * of the outcome's run, and at least. */
static const double PATIENCE = 3.0, PATIENCE_MIN = 10.0;

struct minimizing {
    struct ork_exploring *x;
    uint32_t outcome, node;
    bool failed; /* out of memory, or runs cannot be started */
};

struct list {
    struct ork_choice_of_run *choice;
    uint32_t num, room;
};

/* ---- attempts ---- */

static struct ork_job_result wait_for_result(struct minimizing *m, struct ork_slot *slot)
{
    struct ork_job_result r = {.kind = ORK_OUTCOME_LOST};

    while (ork_exploring_wait(m->x) != slot && m->x->running > 0)
        ork_progress_show(m->x);
    m->failed |= ork_job_result_read(&m->x->rules, slot->folder, &r) != ORK_OK ||
                 ork_exploring_compare(m->x, &r) != ORK_OK;
    ork_exploring_remove(m->x, slot->folder);
    free(slot->folder);
    slot->folder = NULL;
    return r;
}

/* Does a run that makes these choices end in the same way? */
static bool leads_there(struct minimizing *m, const struct list *l)
{
    struct ork_exploring *x = m->x;
    struct ork_slot *slot = &x->slot[0];
    struct ork_plan plan;

    if (m->failed || x->is_interrupted || x->attempts >= ORK_ATTEMPTS)
        return false;
    x->attempts++;
    slot->has_decision = false;
    if (ork_plan_choices(ork_search_explored(x->search), m->node, l->choice, l->num, &plan) !=
        ORK_OK) {
        m->failed = true;
        return false;
    }
    m->failed = ork_exploring_start(x, slot, &plan, m->node) != ORK_OK;
    ork_plan_release(&plan);
    if (m->failed)
        return false;
    struct ork_job_result r = wait_for_result(m, slot);
    bool same = r.key != NULL && !r.diverged && strcmp(r.key, x->outcome[m->outcome].key) == 0;
    ork_job_result_release(&r);
    return same;
}

/* ---- lists ---- */

static bool is_before(const struct ork_choice_of_run *a, const struct ork_choice_of_run *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->number < b->number;
}

/* Keep the list sorted, and each choice once. */
static bool insert(struct list *l, struct ork_choice_of_run choice)
{
    uint32_t i = l->num;

    for (uint32_t k = 0; k < l->num; k++) {
        if (l->choice[k].rank == choice.rank && l->choice[k].number == choice.number)
            return true;
    }
    if (!ork_vec_reserve(&l->choice, &l->room, l->num + 1, sizeof(*l->choice)))
        return false;
    for (; i > 0 && is_before(&choice, &l->choice[i - 1]); i--)
        l->choice[i] = l->choice[i - 1];
    l->choice[i] = choice;
    l->num++;
    return true;
}

static bool copy_without(const struct list *from, uint32_t first, uint32_t count, struct list *to)
{
    to->num = 0;
    for (uint32_t i = 0; i < from->num; i++) {
        if ((i < first || i >= first + count) && !insert(to, from->choice[i]))
            return false;
    }
    return true;
}

/* The number of the choice that the rank made after unsuccessful polls there, or of that it gave
 * up; 0: it did neither. */
static uint64_t find_failure(const struct ork_explored *e, uint32_t node,
                             const struct ork_change *change)
{
    const struct ork_choice *c = ork_explored_choice(e, node, change->rank, change->number);
    struct ork_choice in_vain;

    if (c != NULL)
        return c->polls > 0 ? change->number : 0;
    return change->number == ork_explored_rank(e, node, change->rank)->num + UINT64_C(1) &&
                   ork_explored_ends_in_vain(e, node, change->rank, &in_vain)
               ? change->number
               : 0;
}

/* The number in the run `node` of a choice that was changed in an earlier run; 0: it made another
 * one there. */
static uint64_t find_change(const struct ork_explored *e, uint32_t node, uint32_t run,
                            const struct ork_choice *changed, const struct ork_change *change)
{
    uint64_t polled = ork_explored_changed_outcome(e, run, change);
    const struct ork_choice *c;

    if (ork_change_is_failure(change))
        return find_failure(e, node, change);
    if (!ork_choice_is_posted(changed)) {
        c = ork_explored_choice(e, node, change->rank, change->number);
        return c != NULL && c->source == changed->source &&
                       ork_trace_own(c,
                                     ork_explored_outcome(e, node, change->rank, change->number)) ==
                           ork_trace_own(changed, polled)
                   ? change->number
                   : 0;
    }
    for (uint64_t n = 1; (c = ork_explored_choice(e, node, change->rank, n)) != NULL; n++) {
        if (ork_choice_is_posted(c) && c->post == changed->post)
            return c->source == changed->source && c->tag == changed->tag ? n : 0;
    }
    return 0;
}

/* The choices that were changed on the way to the run. */
static bool add_changes(struct minimizing *m, struct list *l)
{
    struct ork_exploring *x = m->x;
    const struct ork_explored *e = ork_search_explored(x->search);
    const struct ork_taken_run *run = &x->run[x->run_of_node[m->node] - 1];

    while (run->parent >= 0) {
        struct ork_decision_of_run made;
        if (!ork_search_take(x->search, (uint32_t)run->parent, run->index, &made))
            return false;
        struct ork_choice was = ork_explored_changed(e, made.run, made.change);
        struct ork_choice changed = ork_change_apply(&was, made.change);
        uint64_t number = find_change(e, m->node, made.run, &changed, made.change);
        if (number > 0 && !insert(l, (struct ork_choice_of_run){made.change->rank, number}))
            return false;
        run = &x->run[x->run_of_node[made.run] - 1];
    }
    return true;
}

static bool add_all(struct minimizing *m, struct list *l)
{
    const struct ork_explored *e = ork_search_explored(m->x->search);

    for (uint32_t r = 0; r < m->x->ranks; r++) {
        struct ork_choice in_vain;
        uint64_t num = ork_explored_rank(e, m->node, r)->num;
        num += ork_explored_ends_in_vain(e, m->node, r, &in_vain);
        for (uint64_t n = 1; n <= num; n++) {
            if (!insert(l, (struct ork_choice_of_run){r, n}))
                return false;
        }
    }
    return true;
}

/* ---- the search ---- */

/* Leave out one part after the other, smaller and smaller ones; true: no single one can be left
 * out. */
static bool reduce(struct minimizing *m, struct list *l, uint32_t *confirmed)
{
    struct list less = {0};
    uint32_t part = (l->num + 1) / 2;
    bool is_minimal = false;

    while (l->num > 0 && part > 0 && !m->failed) {
        bool smaller = false;
        for (uint32_t first = 0; first < l->num && !m->failed;) {
            m->failed |= !copy_without(l, first, part, &less);
            if (leads_there(m, &less)) {
                struct list swap = *l;
                *l = less;
                less = swap;
                *confirmed = 1;
                smaller = true;
            } else {
                first += part;
            }
        }
        is_minimal = part == 1 && !smaller && m->x->attempts < ORK_ATTEMPTS;
        if (part == 1 && !smaller)
            break;
        part = part > 1 ? part / 2 : 1;
        if (m->x->attempts >= ORK_ATTEMPTS || m->x->is_interrupted)
            break;
    }
    free(less.choice);
    return (is_minimal || l->num == 0) && !m->failed && !m->x->is_interrupted;
}

static void minimize(struct minimizing *m)
{
    struct ork_outcome_runs *o = &m->x->outcome[m->outcome];
    struct list l = {0};
    uint32_t confirmed = 0;
    bool done = add_changes(m, &l);

    if (done && l.num > 0 && leads_there(m, &l)) {
        confirmed = 1;
    } else if (done) {
        done = add_all(m, &l);
        confirmed = done && leads_there(m, &l);
    }
    if (done && confirmed > 0)
        o->is_minimal = reduce(m, &l, &confirmed);
    o->forced = l.choice;
    o->num_forced = l.num;
    o->confirmed = confirmed;
    if (!done || m->failed)
        ork_error("cannot look for the choices that lead to outcome %u", m->outcome + 1);
}

/* RATIONALE: a choice that is forced without those before it may never come about. Such an attempt
 * hangs, and would take a minute. */
static double patience(const struct ork_outcome_runs *o, double hang_after)
{
    double enough = PATIENCE * o->report.seconds;

    if (enough < PATIENCE_MIN)
        enough = PATIENCE_MIN;
    return o->kind == ORK_OUTCOME_HANG || enough > hang_after ? hang_after : enough;
}

static bool is_looked_at(const struct ork_exploring *x, uint32_t outcome)
{
    const struct ork_outcome_runs *o = &x->outcome[outcome];

    return (ork_exploring_is_bad(x, outcome) || o->kind == ORK_OUTCOME_WARNING) && o->node != 0;
}

/* Why the deciding choices of the outcome are not determined; NULL: they are. */
static const char *why_not(const struct ork_exploring *x, uint32_t outcome, unsigned outcomes,
                           unsigned results)
{
    const struct ork_outcome_runs *o = &x->outcome[outcome];

    if (o->node < 0)
        return "its run made the choices of another run, which ended differently";
    if (!o->has_order)
        return "its run has no order that can be repeated";
    if (x->is_interrupted)
        return "the exploration was interrupted";
    if (!ork_exploring_has_time(x))
        return "the time limit was reached (--must:explore-bounds time)";
    if (o->kind == ORK_OUTCOME_ENDED && results >= RESULTS)
        return "of different results, this is only done for the first 2";
    return outcomes >= OUTCOMES ? "this is only done for the first 8 outcomes" : NULL;
}

void ork_exploring_minimize(struct ork_exploring *x)
{
    unsigned outcomes = 0, results = 0;
    double hang_after = x->hang_after;

    for (uint32_t i = 0; i < x->num_outcomes; i++) {
        struct ork_outcome_runs *o = &x->outcome[i];
        struct minimizing m = {.x = x, .outcome = i, .node = (uint32_t)o->node};
        if (!is_looked_at(x, i))
            continue;
        o->not_sought = why_not(x, i, outcomes, results);
        if (o->not_sought != NULL)
            continue;
        outcomes++;
        results += o->kind == ORK_OUTCOME_ENDED;
        x->minimized = i + 1;
        x->attempts = 0;
        x->hang_after = patience(o, hang_after);
        minimize(&m);
    }
    x->hang_after = hang_after;
}
