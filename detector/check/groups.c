/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: a rank outside of a group may pass it, and groups of different ranks may differ. So a
 * group is wrong only together with what its members pass, and a wave is judged when all are there.
 */
#include "detector/check/groups.h"

#include "common/hash.h"
#include "detector/check/issue.h"
#include "record/agreed.h"

#include <stdlib.h>
#include <string.h>

/* What a member passes. */
struct passed {
    const struct mpi_thread *thread;
    uint64_t key; /* equal: the same value */
    uint32_t size, member;
    bool is_inside; /* the group */
};

static uint32_t num_runs(const struct passed *p)
{
    return p->thread->call.count / 3;
}

static bool is_member(const struct passed *of, const struct passed *p)
{
    uint32_t position;

    return ork_runs_find(of->thread->list, num_runs(of), p->thread->proc->rank, &position);
}

static bool look_at_group(struct ork_detector *d, struct passed *p)
{
    const struct ork_record *call = &p->thread->call;

    if (call->count % 3 != 0 ||
        (call->count > 0 && !ork_runs_are_valid(d, p->thread->list, num_runs(p), &p->size)))
        return false;
    p->key = call->count;
    for (uint32_t i = 0; i < call->count; i++)
        p->key = ork_hash_add(p->key, p->thread->list[i]);
    p->is_inside = call->count > 0 && is_member(p, p);
    return true;
}

/* RATIONALE: members that the run let continue do not wait, and what they passed is forgotten. */
static bool collect(struct ork_detector *d, const struct wave *w, struct passed *passed)
{
    uint32_t n = 0;
    bool ok = true;

    for (const struct mpi_thread *s = w->waiters; s != NULL && ok; s = s->wave_next) {
        const struct comm_ref *ref = ork_comm_ref(s->proc, s->call.comm);
        if (ref == NULL || ref->comm != w->comm || n == w->comm->size)
            return false;
        passed[n] = (struct passed){.thread = s, .member = ref->me};
        if (w->first.mode == ORK_COLL_COMM_CREATE)
            ok = look_at_group(d, &passed[n]);
        else
            passed[n].key = ork_agreed_value(&s->call, 0);
        n++;
    }
    return ok && n == w->comm->size;
}

/* By what is passed, and by rank. */
static int compare_passed(const void *a, const void *b)
{
    const struct passed *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

/* ---- report ---- */

/* The record of a side, with a value that stands for the group. */
static struct ork_record call_of(const struct passed *p)
{
    struct ork_record call = p->thread->call;

    call.count = 0;
    if (call.mode == ORK_COLL_COMM_CREATE)
        call.extra = ork_agreed_group(p->key, p->size);
    return call;
}

/* The `n` first ones are wrong together; equal ones follow each other. */
static void report(struct ork_detector *d, struct wave *w, const struct passed *passed, uint32_t n)
{
    unsigned sides = 0;

    for (uint32_t i = 0; i < n; i++)
        sides += i == 0 || passed[i].key != passed[i - 1].key;
    struct ork_issue *issue = ork_issue_add(d, ORK_ISSUE_MISMATCH, w->comm->id, sides);
    if (issue == NULL)
        return;
    w->issue = d->issues.count;
    struct ork_issue_side *side = issue->side - 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = passed[i].thread->proc->rank;
        if (i == 0 || passed[i].key != passed[i - 1].key) {
            side++;
            side->call = call_of(&passed[i]);
            side->rank = rank;
        }
        ork_issue_add_rank(d, side, rank);
        issue->quiet |= d->proc[rank]->quiet;
    }
    ORK_ASSERT(side == &issue->side[sides - 1] && sides > 1);
}

/* ---- the group of MPI_Comm_create ---- */

static bool is_same_group(struct ork_detector *d, const struct passed *a, const struct passed *b)
{
    bool is_same = true;

    if (a->key == b->key || a->size != b->size)
        return a->key == b->key;
    uint32_t *member = malloc(2 * (size_t)a->size * sizeof(*member));
    if (member == NULL) {
        d->failed = true;
        return true;
    }
    ork_runs_expand(a->thread->list, num_runs(a), member);
    ork_runs_expand(b->thread->list, num_runs(b), member + a->size);
    is_same = memcmp(member, member + a->size, a->size * sizeof(*member)) == 0;
    free(member);
    return is_same;
}

/* `passed[0]` and the next ones, `n` in all, pass one group. Move those of its members that pass
 * another one behind them; how many there are. */
static uint32_t find_others(struct ork_detector *d, struct passed *all, uint32_t first, uint32_t n,
                            uint32_t size)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < size; i++) {
        if ((i >= first && i < first + n) || !is_member(&all[first], &all[i]) ||
            is_same_group(d, &all[first], &all[i]))
            continue;
        all[size + n + found++] = all[i];
    }
    for (uint32_t i = 0; i < n && found > 0; i++)
        all[size + i] = all[first + i];
    return found;
}

/* `all` has room for twice as many. */
static void compare_groups(struct ork_detector *d, struct wave *w, struct passed *all)
{
    uint32_t size = w->comm->size;

    for (uint32_t first = 0, n; first < size && w->issue == 0; first += n) {
        uint32_t inside = 0;
        for (n = 0; first + n < size && all[first + n].key == all[first].key; n++)
            inside += all[first + n].is_inside;
        if (all[first].size == 0 || inside == all[first].size)
            continue;
        uint32_t others = find_others(d, all, first, n, size);
        if (others > 0)
            report(d, w, all + size, n + others);
    }
}

/* ---- `high` of MPI_Intercomm_merge ---- */

static void compare_high(struct ork_detector *d, struct wave *w, struct passed *all)
{
    uint32_t size = w->comm->size;

    for (unsigned group = 0; group < 2 && w->issue == 0; group++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < size; i++) {
            if ((all[i].member >= w->comm->local) == (group == 1) && all[i].key != 0)
                all[size + n++] = all[i];
        }
        if (n > 0 && all[size].key != all[size + n - 1].key)
            report(d, w, all + size, n);
    }
}

void ork_groups_compare(struct ork_detector *d, struct wave *w)
{
    const struct comm *c = w->comm;
    bool is_create = w->first.mode == ORK_COLL_COMM_CREATE && !c->inter;
    bool is_merge = w->first.mode == ORK_COLL_INTERCOMM_MERGE && c->inter;

    if ((!is_create && !is_merge) || c->self || w->issue != 0 || c->shown != c->id)
        return;
    struct passed *all = malloc(2 * (size_t)c->size * sizeof(*all));
    if (all == NULL) {
        d->failed = true;
        return;
    }
    if (collect(d, w, all)) {
        qsort(all, c->size, sizeof(*all), compare_passed);
        if (is_create)
            compare_groups(d, w, all);
        else
            compare_high(d, w, all);
    }
    free(all);
}
