/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors other than deadlocks. */
#include "detector/check/issue.h"

#include "common/vec.h"
#include "record/agreed.h"

#include <stdlib.h>

struct ork_issue *ork_issue_add(struct ork_detector *d, enum ork_issue_kind kind, uint32_t comm,
                                unsigned num_sides)
{
    struct ork_issue_side *side = calloc(num_sides, sizeof(*side));

    if (side == NULL || !ork_grow(d, &d->issues.issue, &d->issues.cap, d->issues.count + 1,
                                  sizeof(*d->issues.issue))) {
        free(side);
        d->failed = true;
        return NULL;
    }
    for (unsigned i = 0; i < num_sides; i++)
        side[i].comm = comm;
    ork_comm_mention(d, comm);
    struct ork_issue *issue = &d->issues.issue[d->issues.count++];
    *issue = (struct ork_issue){.kind = kind, .side = side, .num_sides = num_sides};
    return issue;
}

void ork_issue_add_rank(struct ork_detector *d, struct ork_issue_side *side, uint32_t rank)
{
    uint32_t n = side->num_ranks;
    uint32_t at = n;

    if ((n & (n - 1)) == 0) { /* the capacity doubles at powers of two */
        uint32_t *bigger = realloc(side->ranks, (n == 0 ? 1 : 2 * (size_t)n) * sizeof(*bigger));
        if (bigger == NULL) {
            d->failed = true;
            return;
        }
        side->ranks = bigger;
    }
    while (at > 0 && side->ranks[at - 1] > rank) {
        side->ranks[at] = side->ranks[at - 1];
        at--;
    }
    side->ranks[at] = rank;
    side->num_ranks++;
}

/* The same, found earlier; NULL: it is new. */
static struct ork_issue *earlier(struct ork_detector *d, enum ork_issue_kind kind, uint32_t rank,
                                 uint32_t site)
{
    for (uint32_t i = 0; i < d->issues.count; i++) {
        struct ork_issue *issue = &d->issues.issue[i];
        if (issue->kind == kind && issue->num_sides == 1 && issue->side[0].rank == rank &&
            issue->side[0].call.site == site)
            return issue;
    }
    return NULL;
}

/* So many of them. NULL: the issue is not new, or no issue. */
static struct ork_issue *one_sided_times(struct ork_detector *d, enum ork_issue_kind kind,
                                         uint32_t comm, uint32_t rank,
                                         const struct ork_record *call, uint32_t times)
{
    if (d->proc[rank]->quiet)
        return NULL;
    struct ork_issue *issue = earlier(d, kind, rank, call->site);
    if (issue != NULL) {
        issue->repeats += times;
        return NULL;
    }
    issue = ork_issue_add(d, kind, comm, 1);
    if (issue == NULL)
        return NULL;
    issue->repeats = times - 1;
    issue->side[0].call = *call;
    issue->side[0].rank = rank;
    ork_issue_add_rank(d, &issue->side[0], rank);
    return issue;
}

static struct ork_issue *one_sided(struct ork_detector *d, enum ork_issue_kind kind, uint32_t comm,
                                   uint32_t rank, const struct ork_record *call)
{
    return one_sided_times(d, kind, comm, rank, call, 1);
}

/* At most so many different calls are told apart. */
enum { MISMATCH_SIDES_MAX = 32 };

static bool is_of_side(const struct ork_issue_side *side, const struct ork_record *rec)
{
    const struct ork_record *call = &side->call;

    return call->mode == rec->mode &&
           ((call->flags ^ rec->flags) & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0 &&
           call->peer == rec->peer && call->arg == rec->arg && ork_agreed_is_same(call, rec);
}

/* The side of the ranks that make this call; a new one, if there is none. NULL: out of memory, or
 * there are too many. */
static struct ork_issue_side *side_of(struct ork_detector *d, struct ork_issue *issue,
                                      const struct ork_record *rec, uint32_t rank)
{
    unsigned n = issue->num_sides;

    for (unsigned i = 0; i < n; i++) {
        if (is_of_side(&issue->side[i], rec))
            return &issue->side[i];
    }
    if (n >= MISMATCH_SIDES_MAX)
        return NULL;
    if (!ork_vec_extend(&issue->side, n, n + 1, sizeof(*issue->side))) {
        d->failed = true;
        return NULL;
    }
    struct ork_issue_side *side = issue->side;
    side[n] = (struct ork_issue_side){.call = *rec, .comm = side[0].comm, .rank = rank};
    issue->num_sides++;
    return &side[n];
}

void ork_issue_mismatch(struct mpi_thread *th, struct wave *w, const struct ork_record *rec)
{
    struct proc *p = th->proc;
    struct ork_detector *d = p->d;

    if (w->issue == 0) {
        struct ork_issue *issue = ork_issue_add(d, ORK_ISSUE_MISMATCH, w->comm->id, 2);
        if (issue == NULL)
            return;
        w->issue = d->issues.count;
        issue->side[0].call = w->first;
        issue->side[0].rank = w->first_rank;
        issue->side[1].call = *rec;
        issue->side[1].rank = p->rank;
        issue->quiet = p->quiet || d->proc[w->first_rank]->quiet;
        for (uint32_t i = 0; i < w->comm->size; i++) {
            uint32_t member = ork_comm_member(w->comm, 0, i);
            if (ork_wave_has_arrived(w, i) && member != p->rank)
                ork_issue_add_rank(d, &issue->side[0], member);
        }
        for (struct mpi_thread *s = w->waiters; s != NULL; s = s->wave_next)
            ork_thread_wake(s);
    }
    ORK_ASSERT(w->issue <= d->issues.count);
    struct ork_issue *issue = &d->issues.issue[w->issue - 1];
    ORK_ASSERT(issue->kind == ORK_ISSUE_MISMATCH);
    struct ork_issue_side *side = side_of(d, issue, rec, p->rank);
    if (side != NULL)
        ork_issue_add_rank(d, side, p->rank);
    issue->unsure = w->unsure > 0;
}

void ork_issue_withdraw(struct ork_detector *d, struct wave *w)
{
    ORK_ASSERT(w->issue > 0 && w->issue <= d->issues.count);
    d->issues.issue[w->issue - 1].withdrawn = true;
    w->issue = 0;
}

static struct ork_record record_of(const struct op *op)
{
    return (struct ork_record){.kind = op->is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                               .call = op->call,
                               .mode = op->mode,
                               .site = op->site,
                               .peer = op->peer,
                               .tag = op->tag,
                               .bytes = op->bytes};
}

static void on_message(struct ork_detector *d, enum ork_issue_kind kind, const struct op *send)
{
    struct ork_record call = record_of(send);

    one_sided(d, kind, send->comm, send->thread->proc->rank, &call);
}

void ork_issue_rsend(struct ork_detector *d, const struct op *send)
{
    on_message(d, ORK_ISSUE_RSEND, send);
}

void ork_issue_lost_message(struct ork_detector *d, const struct op *send)
{
    on_message(d, ORK_ISSUE_LOST_MESSAGE, send);
}

static void leak(struct proc *p, uint32_t comm, const struct request *r)
{
    struct ork_issue *issue = one_sided(p->d, ORK_ISSUE_REQUEST_LEAK, comm, p->rank, &r->call);

    if (issue != NULL) {
        issue->overwriting.site = r->overwritten.site;
        issue->overwriting.call = r->overwritten.call;
    }
}

/* RATIONALE: the rank may have freed the communicator by now. */
static uint32_t comm_of(struct proc *p, const struct ork_record *call)
{
    const struct comm_ref *ref =
        ork_record_has(call, ORK_HAS_COMM) ? ork_comm_ref(p, call->comm) : NULL;

    return ref != NULL ? ref->comm->id : ORK_COMM_UNKNOWN;
}

/* Requests of the shared handle are left, which were made at more than one place. */
static void leak_from_one_of(struct proc *p, uint32_t left)
{
    struct ork_detector *d = p->d;
    struct ork_issue *issue =
        p->quiet ? NULL
                 : ork_issue_add(d, ORK_ISSUE_REQUEST_LEAK, ORK_COMM_UNKNOWN, p->num_shared_made);

    if (issue == NULL)
        return;
    issue->repeats = left - 1;
    for (uint32_t i = 0; i < p->num_shared_made; i++) {
        struct ork_issue_side *side = &issue->side[i];
        side->call = p->shared_made[i];
        side->rank = p->rank;
        side->comm = comm_of(p, &side->call);
        ork_comm_mention(d, side->comm);
        ork_issue_add_rank(d, side, p->rank);
    }
}

static void leak_shared(struct proc *p)
{
    const uint32_t left = ork_shared_left(p);

    if (left == 0 || p->num_shared_made == 0)
        return;
    if (p->num_shared_made > 1) {
        leak_from_one_of(p, left);
        return;
    }
    const struct ork_record *call = &p->shared_made[0];
    one_sided_times(p->d, ORK_ISSUE_REQUEST_LEAK, comm_of(p, call), p->rank, call, left);
}

void ork_issue_leaks(struct proc *p)
{
    for (uint32_t i = 0; i < p->num_requests; i++) {
        struct request *r = p->request[i];
        if (r != NULL && r->in_use && r->active && !r->is_uncertain)
            leak(p, r->on.comm != NULL ? r->on.comm->id : ORK_COMM_UNKNOWN, r);
    }
    leak_shared(p);
}

void ork_issue_destroy(struct ork_detector *d)
{
    for (uint32_t i = 0; i < d->issues.count; i++) {
        for (unsigned k = 0; k < d->issues.issue[i].num_sides; k++)
            free(d->issues.issue[i].side[k].ranks);
        free(d->issues.issue[i].side);
    }
    free(d->issues.issue);
    free(d->issues.open);
}

uint32_t ork_detector_num_issues(const struct ork_detector *d)
{
    return d->issues.count;
}

uint32_t ork_detector_num_returned(const struct ork_detector *d)
{
    return d->issues.num_returned;
}

bool ork_detector_compared_all(const struct ork_detector *d)
{
    return !d->issues.pairs_left_out;
}

const struct ork_issue *ork_detector_issue(const struct ork_detector *d, uint32_t i)
{
    return i < d->issues.count ? &d->issues.issue[i] : NULL;
}
