/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves: the k-th collective call on a communicator, by all its members (MPI-3.1 section 5.12:
 * blocking, nonblocking and constructor calls share one order). An arrival is O(1); the missing
 * members follow from the members' counters, which are only read when a graph is built. */
#include "detector/check/issue.h"
#include "detector/check/exchange.h"
#include "detector/check/groups.h"
#include "detector/check/happens_before.h"
#include "detector/check/in_step.h"
#include "detector/check/roots.h"
#include "detector/coll/wave.h"
#include "detector/history/history.h"
#include "record/agreed.h"

static bool is_same_call(const struct ork_record *a, const struct ork_record *b, bool inter)
{
    if (a->mode != b->mode || ((a->flags ^ b->flags) & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)))
        return false;
    if (!ork_coll_has(a->mode, ORK_IS_OPERATION) && !inter &&
        ork_agreed_difference(a, b) < ORK_AGREED_MAX)
        return false;
    return inter || a->mode == ORK_COLL_INTERCOMM_CREATE ||
           (a->peer == b->peer && (a->arg == b->arg || a->arg == 0 || b->arg == 0));
}

/* Compare an arrival with the first one, or have it be the first. */
static void compare(struct mpi_thread *th, struct wave *w, const struct ork_record *rec)
{
    const struct comm *c = w->comm;

    if (!w->has_first) {
        w->first = *rec;
        w->first_rank = th->proc->rank;
        w->has_first = true;
    } else if (c->shown == c->id && (w->issue != 0 || !is_same_call(&w->first, rec, c->inter))) {
        bool is_first = w->issue == 0;
        ork_issue_mismatch(th, w, rec);
        if (is_first && w->issue != 0)
            ork_in_step_note(c, w, &th->proc->d->issues.issue[w->issue - 1]);
    }
}

struct wave *ork_wave_arrive(struct mpi_thread *th, struct comm *c, uint32_t me,
                             const struct ork_record *rec)
{
    struct proc *p = th->proc;
    struct ork_detector *d = p->d;
    struct wave *w;

    if (c->self) { /* no other member ever arrives there */
        w = ork_pool_get(d, &d->collectives.waves);
        if (w == NULL)
            return NULL;
        w->comm = c;
        w->index = c->index[me]++;
    } else {
        w = ork_wave_at(d, c, ork_comm_calls(c, me));
        if (w == NULL)
            return NULL;
        c->index[me]++;
    }
    ORK_ASSERT(w->arrived < ork_wave_size(w)); /* each member arrives once */
    th->made_on = c->id;
    th->made_at = w->index;
    if (rec->flags & ORK_F_FALLIBLE) {
        th->unsure = w;
        th->unsure_member = me;
        w->unsure++;
    }
    w->arrived++;
    w->sides.is_scattered |= rec->thread != 0;
    ork_sides_add(&w->sides, ork_call_place(&p->places, rec->site), rec, p->rank, 1);
    compare(th, w, rec);
    w->is_uneven |= w->issue == 0 && !ork_exchange_agrees(&w->first, rec);
    if (w->is_uneven && w->issue == 0)
        ork_exchange_compare(th, w, me, rec);
    d->counts.collectives += w->arrived == 1;
    return w;
}

/* Have all members certainly entered it? */
static bool is_full(const struct wave *w)
{
    return w->arrived >= ork_wave_size(w) && w->unsure == 0;
}

bool ork_wave_is_complete(const struct wave *w)
{
    if (w->comm->ends != NULL)
        return w->comm->ends->finalized;
    if (!is_full(w))
        return false;
    const struct leader_pair *b = w->leader_pair;
    if (w->first.mode != ORK_COLL_INTERCOMM_CREATE || w->issue != 0)
        return true;
    return ork_wave_is_joined(w) && (b->wave[0] == NULL || is_full(b->wave[0])) &&
           (b->wave[1] == NULL || is_full(b->wave[1]));
}

struct wave *ork_wave_opposite(const struct wave *w)
{
    const struct leader_pair *b = w->leader_pair;

    return ork_wave_is_joined(w) ? b->wave[b->wave[0] == w] : NULL;
}

void ork_wave_wait(struct wave *w, struct mpi_thread *th)
{
    th->wave = w;
    th->wave_prev = NULL;
    th->wave_next = w->waiters;
    if (w->waiters != NULL)
        w->waiters->wave_prev = th;
    w->waiters = th;
}

void ork_wave_unlink_waiter(struct mpi_thread *th)
{
    struct wave *w = th->wave;

    ORK_ASSERT(w != NULL);
    *(th->wave_prev != NULL ? &th->wave_prev->wave_next : &w->waiters) = th->wave_next;
    if (th->wave_next != NULL)
        th->wave_next->wave_prev = th->wave_prev;
    th->wave = NULL;
}

void ork_wave_wait_request(struct wave *w, struct request *r)
{
    ORK_ASSERT(r->op == NULL && r->wave == NULL);
    r->wave = w;
    r->wave_prev = NULL;
    r->wave_next = w->requests;
    if (w->requests != NULL)
        w->requests->wave_prev = r;
    w->requests = r;
}

void ork_wave_unlink_request(struct request *r)
{
    struct wave *w = r->wave;

    ORK_ASSERT(w != NULL);
    *(r->wave_prev != NULL ? &r->wave_prev->wave_next : &w->requests) = r->wave_next;
    if (r->wave_next != NULL)
        r->wave_next->wave_prev = r->wave_prev;
    r->wave = NULL;
}

void ork_wave_wake(struct wave *w)
{
    for (struct mpi_thread *th = w->waiters; th != NULL; th = th->wave_next)
        ork_thread_wake(th);
    for (struct request *r = w->requests; r != NULL; r = r->wave_next) {
        if (r->waiter != NULL)
            ork_thread_wake(r->waiter);
    }
}

static void leader_pair_leave(struct ork_detector *d, struct leader_pair *b)
{
    ORK_ASSERT(b->left < 2);
    if (++b->left < 2)
        return;
    struct leader_pair **i = &d->collectives.leader_pair;
    while (*i != b)
        i = &(*i)->next;
    *i = b->next;
    ork_pool_put(&d->collectives.leader_pairs, b);
}

static void wave_free(struct ork_detector *d, struct wave *w)
{
    struct leader_pair *b = w->leader_pair;

    ORK_ASSERT(w->waiters == NULL && w->requests == NULL && w->unsure == 0);
    if (b != NULL) {
        ORK_ASSERT(b->wave[0] == w || b->wave[1] == w);
        b->wave[b->wave[1] == w] = NULL;
        leader_pair_leave(d, b);
    }
    ork_wave_forget_failed(w);
    ork_pool_put(&d->collectives.waves, w);
}

void ork_wave_leave_unconfirmed(struct proc *p, struct wave *w)
{
    struct request *r = ork_pool_get(p->d, &p->d->requests);

    if (r == NULL)
        return;
    r->unconfirmed_by = p;
    p->num_unconfirmed++;
    ork_wave_wait_request(w, r);
}

static void confirm_request(struct request *r)
{
    struct proc *p = r->unconfirmed_by;

    ORK_ASSERT(p->num_unconfirmed > 0);
    p->num_unconfirmed--;
    ork_pool_put(&p->d->requests, r);
}

void ork_wave_notify(struct ork_detector *d, struct wave *w)
{
    uint64_t now = ++d->seq;

    ORK_ASSERT(!w->complete);
    w->complete = true;
    while (w->waiters != NULL) {
        struct mpi_thread *th = w->waiters;
        ork_wave_unlink_waiter(th);
        ork_seen_by_collective(th->proc, w->comm,
                               now); /* not what others did after it, which is known already */
        ork_thread_part_done(th);
    }
    while (w->requests != NULL) {
        struct request *r = w->requests;
        ork_wave_unlink_request(r);
        if (r->unconfirmed_by != NULL)
            confirm_request(r);
        else if (r->waiter != NULL)
            ork_thread_part_done(r->waiter);
    }
}

void ork_wave_try_complete(struct ork_detector *d, struct wave *w)
{
    struct comm *c = w->comm;

    if (w->complete || !ork_wave_is_complete(w))
        return;
    struct wave *opposite = ork_wave_opposite(w);
    if (c->inter)
        ork_roots_compare(d, w);
    ork_groups_compare(d, w);
    ork_history_at_wave(d, w);
    ork_wave_notify(d, w);
    if (opposite != NULL)
        ork_wave_try_complete(d, opposite);
    if (c->self) {
        wave_free(d, w);
        return;
    }
    struct wave *oldest;
    while ((oldest = ork_wave_oldest(c)) != NULL && oldest->complete) {
        oldest->sides.is_scattered |= oldest->issue != 0;
        ork_in_step_follow(d, c, oldest->index, &oldest->sides);
        wave_free(d, oldest);
        ork_wave_drop_oldest(c);
    }
}

static struct leader_pair *leader_pair_get(struct ork_detector *d, uint32_t peer_comm, int32_t tag,
                                           const uint32_t leader[2], unsigned side)
{
    struct leader_pair *b = d->collectives.leader_pair;

    while (b != NULL && (b->peer_comm != peer_comm || b->tag != tag || b->leader[0] != leader[0] ||
                         b->leader[1] != leader[1] || b->entered[side]))
        b = b->next;
    if (b != NULL)
        return b;
    b = ork_pool_get(d, &d->collectives.leader_pairs);
    if (b == NULL)
        return NULL;
    b->peer_comm = peer_comm;
    b->tag = tag;
    b->leader[0] = leader[0];
    b->leader[1] = leader[1];
    /* oldest first: calls of the same leaders match in order */
    struct leader_pair **end = &d->collectives.leader_pair;
    while (*end != NULL)
        end = &(*end)->next;
    *end = b;
    return b;
}

void ork_leader_pair_arrive(struct mpi_thread *th, struct wave *w, const struct comm_ref *ref,
                            const struct ork_record *rec)
{
    struct proc *p = th->proc;
    struct comm_ref *peer = ork_comm_ref(p, rec->arg2);
    uint32_t remote;

    if (rec->arg >= ref->comm->size)
        return; /* an erroneous call: MPI reports it */
    w->leader = ork_comm_member(ref->comm, ref->me, rec->arg);
    if (w->leader != p->rank || peer == NULL || !ork_comm_peer(peer, rec->peer, &remote) ||
        w->leader_pair != NULL)
        return;
    unsigned side = p->rank > remote;
    uint32_t leader[2] = {side ? remote : p->rank, side ? p->rank : remote};
    struct leader_pair *b = leader_pair_get(p->d, peer->comm->id, rec->tag, leader, side);
    if (b == NULL)
        return;
    b->entered[side] = true;
    b->wave[side] = w;
    w->leader_pair = b;
    if (b->wave[!side] != NULL) /* its members also wait for those that are missing here */
        ork_wave_wake(b->wave[!side]);
}

/* The leader of this side has not entered the call after all. */
static void leader_pair_withdraw(struct proc *p, struct wave *w)
{
    struct leader_pair *b = w->leader_pair;

    if (b == NULL || w->leader != p->rank)
        return;
    unsigned side = b->wave[1] == w;
    ORK_ASSERT(b->wave[side] == w && b->entered[side]);
    b->entered[side] = false;
    b->wave[side] = NULL;
    w->leader_pair = NULL;
    if (b->wave[!side] == NULL) {
        b->left = 1;
        leader_pair_leave(p->d, b);
    }
}

/* ---- calls that may fail ---- */

/* RATIONALE: nobody leaves a call as long as a member that has arrived may not have made it. */
static void become_surer(struct ork_detector *d, struct wave *w)
{
    ORK_ASSERT(w->unsure > 0);
    if (--w->unsure == 0 && d->model.dataflow)
        ork_wave_wake(w);
}

void ork_wave_confirm(struct mpi_thread *th)
{
    struct wave *w = th->unsure;

    if (w == NULL)
        return;
    th->unsure = NULL;
    become_surer(th->proc->d, w);
    if (w->issue != 0)
        th->proc->d->issues.issue[w->issue - 1].unsure = w->unsure > 0;
    ork_wave_try_complete(th->proc->d, w);
}

/* Compare the remaining arrivals of `w` again, starting with a new first one. RATIONALE: members
 * that the run let continue are not among those that wait; the remaining arrivals, and those to
 * come, are then compared without them. */
static void compare_anew(struct ork_detector *d, struct wave *w)
{
    if (w->issue != 0)
        ork_issue_withdraw(d, w);
    w->has_first = false;
    for (struct mpi_thread *s = w->waiters; s != NULL; s = s->wave_next)
        compare(s, w, &s->call);
    for (struct request *r = w->requests; r != NULL; r = r->wave_next) {
        if (r->starter != NULL)
            compare(r->starter, w, &r->call);
    }
}

/* RATIONALE: if another thread has arrived since then, this arrival keeps its place. */
void ork_wave_retract(struct mpi_thread *th)
{
    struct ork_detector *d = th->proc->d;
    struct wave *w = th->unsure;
    struct comm *c = w == NULL ? NULL : w->comm;

    if (w == NULL || ork_comm_calls(c, th->unsure_member) != w->index + 1) {
        ork_wave_confirm(th);
        return;
    }
    if (th->wave == w)
        ork_wave_unlink_waiter(th);
    ORK_ASSERT(w->arrived > 0 && c->index[th->unsure_member] > 0);
    th->unsure = NULL;
    c->index[th->unsure_member]--;
    w->arrived--;
    w->sides.is_scattered = true;
    become_surer(d, w);
    d->counts.collectives -= w->arrived == 0;
    leader_pair_withdraw(th->proc, w);
    if (c->self)
        wave_free(d, w);
    else if (w->issue != 0 || w->first_rank == th->proc->rank)
        compare_anew(d, w);
}
