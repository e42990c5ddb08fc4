/* SPDX-License-Identifier: BSD-3-Clause */
/* One process is the root and passes MPI_ROOT, the others of its group pass MPI_PROC_NULL, and all
 * of the other group pass the rank of the root. What a member passes may be right or wrong only
 * together with the others, so a wave is judged when all members are there. */
#include "detector/check/roots.h"

#include "detector/check/issue.h"

#include <stdlib.h>

/* What a member passes. */
struct passed {
    const struct ork_record *rec;
    uint32_t rank, member;
};

static unsigned group_of(const struct comm *c, uint32_t member)
{
    return member >= c->local;
}

/* False: not known. */
static bool add(const struct wave *w, struct passed *passed, uint32_t *n,
                const struct mpi_thread *th, const struct ork_record *rec,
                const struct comm_ref *ref)
{
    const struct comm *c = w->comm;

    if (ref == NULL || ref->comm != c || *n == c->size || rec->peer == ORK_NO_PEER)
        return false;
    uint32_t remote = group_of(c, ref->me) == 0 ? c->size - c->local : c->local;
    if (rec->peer >= 0 && (uint32_t)rec->peer >= remote)
        return false; /* the call fails there */
    passed[(*n)++] = (struct passed){rec, th->proc->rank, ref->me};
    return true;
}

/* RATIONALE: members that the run let continue do not wait, and what they passed is forgotten. */
static bool collect(const struct wave *w, struct passed *passed)
{
    uint32_t n = 0;
    bool ok = true;

    for (const struct mpi_thread *s = w->waiters; s != NULL && ok; s = s->wave_next)
        ok = add(w, passed, &n, s, &s->call, ork_comm_ref(s->proc, s->call.comm));
    for (const struct request *r = w->requests; r != NULL && ok; r = r->wave_next)
        ok = r->starter != NULL && add(w, passed, &n, r->starter, &r->call, &r->on);
    return ok && n == w->comm->size;
}

static bool fit_together(const struct comm *c, const struct passed *passed)
{
    const struct passed *root = NULL;

    for (uint32_t i = 0; i < c->size; i++) {
        if (passed[i].rec->peer != ORK_ROOT)
            continue;
        if (root != NULL)
            return false;
        root = &passed[i];
    }
    if (root == NULL)
        return false;
    uint32_t first = group_of(c, root->member) == 0 ? 0 : c->local;
    for (uint32_t i = 0; i < c->size; i++) {
        bool is_beside = group_of(c, passed[i].member) == group_of(c, root->member);
        int32_t expected = is_beside ? ORK_PROC_NULL : (int32_t)(root->member - first);
        if (&passed[i] != root && passed[i].rec->peer != expected)
            return false;
    }
    return true;
}

/* By what is passed, and by group. */
static int compare_passed(const void *a, const void *b)
{
    const struct passed *x = a, *y = b;

    if (x->rec->peer != y->rec->peer)
        return x->rec->peer < y->rec->peer ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

static bool begins_side(const struct comm *c, const struct passed *passed, uint32_t i)
{
    return i == 0 || passed[i].rec->peer != passed[i - 1].rec->peer ||
           group_of(c, passed[i].member) != group_of(c, passed[i - 1].member);
}

static void report(struct ork_detector *d, struct wave *w, const struct passed *passed)
{
    const struct comm *c = w->comm;
    unsigned num_sides = 0;

    for (uint32_t i = 0; i < c->size; i++)
        num_sides += begins_side(c, passed, i);
    struct ork_issue *issue = ork_issue_add(d, ORK_ISSUE_MISMATCH, c->id, num_sides);
    if (issue == NULL)
        return;
    w->issue = d->issues.count;
    struct ork_issue_side *side = issue->side - 1;
    for (uint32_t i = 0; i < c->size; i++) {
        if (begins_side(c, passed, i)) {
            side++;
            side->call = *passed[i].rec;
            side->rank = passed[i].rank;
        }
        ork_issue_add_rank(d, side, passed[i].rank);
        issue->quiet |= d->proc[passed[i].rank]->quiet;
    }
    ORK_ASSERT(side == &issue->side[num_sides - 1] && num_sides > 1);
}

void ork_roots_compare(struct ork_detector *d, struct wave *w)
{
    const struct comm *c = w->comm;

    ORK_ASSERT(c->inter && c->local > 0 && c->size > c->local);
    if (w->issue != 0 || w->first.peer == ORK_NO_PEER || c->shown != c->id)
        return;
    struct passed *passed = malloc(c->size * sizeof(*passed));
    if (passed == NULL) {
        d->failed = true;
        return;
    }
    if (collect(w, passed) && !fit_together(c, passed)) {
        qsort(passed, c->size, sizeof(*passed), compare_passed);
        report(d, w, passed);
    }
    free(passed);
}
