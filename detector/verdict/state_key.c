/* SPDX-License-Identifier: BSD-3-Clause */
/* When two states of the detector have equal futures (docs/explanation/folding.md). A state is
 * written as words: all that a later record can depend on. How often something has happened is not
 * part of it; positions in the order of events are written as their order among each other.
 *
 * Invariant: every operation, wave and lock that exists is written, or the state is incomparable.
 * So nothing that is pending can be forgotten here. */
#include "common/vec.h"
#include "detector/check/in_step.h"
#include "detector/coll/bulk.h"
#include "detector/state/lock_numbers.h"
#include "detector/verdict/state_writer.h"

#include <stdlib.h>

/* ---- what is not compared ---- */

static bool is_plain_thread(const struct mpi_thread *th)
{
    return !th->over && !th->failed && !th->unknown && !th->has_assumed && !th->has_cancelled &&
           !th->in_work && th->unknown_handles == 0 && th->id_counts == NULL;
}

/* RATIONALE: what is rare in a loop is not compared, so the state has no more words than needed. */
static bool is_plain(const struct proc *p)
{
    return !p->shared_in_doubt && p->buffered == NULL && is_plain_thread(p->first);
}

/* RATIONALE: what several threads do may depend on the order in which records of other ranks come,
 * and so may what follows a call that was relaxed. */
static bool may_become_plain(const struct proc *p)
{
    return p->fault == NULL && p->num_threads == 1 && !p->several && p->parked == NULL &&
           !p->ended && !p->is_open && !p->state_lost && !p->assumed && p->permissive_sites == 0 &&
           p->relaxed_sites == 0;
}

/* RATIONALE: the history of a run without wildcards only tells where alternatives would begin. If
 * whole repetitions are missing there, each rank is at the same place of an equal program. One with
 * wildcards begins again after the repetitions; what is in it has been searched. */
static bool is_history_plain(const struct ork_detector *d)
{
    return d->history.full || !d->history.has_wildcards || !d->history.has_news;
}

bool ork_detector_may_repeat(const struct ork_detector *d)
{
    bool may = !d->failed && !d->finalized && d->num_jobs == 1 && is_history_plain(d);

    for (uint32_t r = 0; r < d->nprocs && may; r++)
        may = may_become_plain(d->proc[r]);
    return may;
}

static bool is_detector_plain(const struct ork_detector *d)
{
    return d->link == NULL && d->dynamic == NULL && d->collectives.leader_pairs.used == 0 &&
           d->windows.num_lock_orders == 0 && d->ready.head == NULL && ork_detector_may_repeat(d);
}

/* ---- collectives ---- */

static void put_wave(struct writer *w, const struct wave *v)
{
    w->words.failed |= v->leader_pair != NULL || v->failed != NULL;
    put(w, v->arrived);
    put(w, v->unsure);
    put_record(w, &v->first);
    put(w, v->first_rank);
    put(w, (uint32_t)v->has_first << 2 | (uint32_t)v->is_uneven << 1 | (uint32_t)v->complete);
    put(w, v->issue);
    put(w, v->sides.is_scattered);
    for (unsigned i = 0; i < 2; i++) {
        put_long(w, v->sides.side[i].place);
        put(w, v->sides.side[i].members);
        put_list(w, v->sides.side[i].some, IN_STEP_STRAYS);
    }
    for (const struct mpi_thread *th = v->waiters; th != NULL; th = th->wave_next)
        put(w, th->proc->rank);
    put(w, UINT32_MAX);
    for (const struct request *r = v->requests; r != NULL; r = r->wave_next) {
        w->words.failed |= r->unconfirmed_by != NULL || r->starter == NULL;
        put(w, r->starter != NULL ? r->starter->proc->rank : 0);
        put(w, r->id);
    }
    put(w, UINT32_MAX);
}

static void put_lock(struct writer *w, const struct lock *l)
{
    w->words.failed |= l->in_doubt;
    put(w, l->proc->rank);
    put(w, l->name.target);
    put(w, (uint32_t)l->name.exclusive << 3 | (uint32_t)l->granted << 2 |
               (uint32_t)l->is_latest << 1 | (uint32_t)l->is_counted);
    put_clock(w, l->learned);
    put_clock(w, l->asked);
    put_record(w, &l->call);
    w->locks++;
}

/* RATIONALE: they are counts. How many of them there are is part of the state, so that they are the
 * same ones in equal states. */
static void put_lock_numbers(struct writer *w)
{
    struct ork_detector_state *s = w->s;
    uint32_t num = ork_lock_numbers(w->d, NULL);

    put_long(w, num);
    w->words.failed |= num > 0 && !ork_vec_reserve(&s->lock_number, &s->lock_numbers_cap, num,
                                                   sizeof(*s->lock_number));
    if (!w->words.failed && num > 0)
        ork_lock_numbers(w->d, s->lock_number);
    s->num_lock_numbers = num;
}

static void put_locks(struct writer *w, const struct comm *c)
{
    if (c->lock == NULL)
        return;
    put(w, c->id);
    for (const struct lock *l = c->lock; l != NULL; l = l->next)
        put_lock(w, l);
    put(w, UINT32_MAX);
}

/* Whether its ranks are in step. RATIONALE: of the parting that is told, nothing is decided. */
static void put_in_step(struct writer *w, const struct in_step *s)
{
    for (unsigned i = 0; i < IN_STEP_DELAY; i++) {
        put_long(w, ork_in_step_call(s, 0, i));
        put_long(w, ork_in_step_call(s, 1, i));
    }
    put(w, (uint32_t)s->in_step << 16 | (uint32_t)s->parted << 8 | (uint32_t)s->has_parted << 3 |
               (uint32_t)s->at.is_known << 2 | (uint32_t)s->is_told << 1 |
               (uint32_t)(s->last.kind == ORK_KIND_COLL));
    put(w, (uint32_t)s->late << 16 | s->early);
    put(w, (uint32_t)s->late_shown << 16 | s->early_shown);
    put(w, s->told);
    put(w, s->num_usual);
    put_long(w, s->at.is_known ? s->at_pair : 0);
    put_list(w, s->stray, s->num_strays);
    put(w, s->shift.num_pairs);
}

static void put_comm(struct writer *w, const struct comm *c)
{
    put(w, c->id);
    put_locks(w, c);
    if (c->in_step != NULL)
        put_in_step(w, c->in_step);
    put(w, c->freed);
    put(w, c->refs);
    if (c->waves == 0)
        return;
    put(w, c->waves);
    for (uint32_t i = 0; i < c->size; i++)
        put(w, ork_comm_calls(c, i) - c->base);
    for (uint32_t i = 0; i < c->waves && !w->words.failed; i++)
        put_wave(w, c->wave[(c->wave_first + i) % c->wave_cap]);
    w->waves += c->waves;
}

static void put_comms(struct writer *w)
{
    const struct comms *comms = &w->d->comms;

    put(w, comms->made);
    put(w, comms->count);
    put_long(w, w->d->definitions);
    w->words.failed |=
        !ork_vec_reserve(&w->s->calls, &w->s->calls_cap, comms->count, sizeof(*w->s->calls));
    for (const struct comm *c = comms->oldest; c != NULL && !w->words.failed; c = c->newer) {
        ORK_ASSERT(w->s->num_calls < comms->count);
        w->s->calls[w->s->num_calls++] = c->base;
        put_comm(w, c);
    }
    w->words.failed |= w->waves != w->d->collectives.waves.used;
    w->words.failed |= w->locks != w->d->windows.locks.used;
}

/* ---- epochs of MPI_Win_post and MPI_Win_start ---- */

/* RATIONALE: only how many more calls of one kind there were counts. */
static void put_pair(struct writer *w, const struct pair *pair)
{
    put(w, pair->comm);
    put(w, pair->target);
    put(w, pair->origin);
    put(w, pair->starts - pair->posts);
    put(w, pair->completes - pair->posts);
}

/* RATIONALE: if two pairs are in one bucket, their order may differ. Then the states do, too. */
static void put_pairs(struct writer *w)
{
    uint64_t left = w->d->windows.pairs.used;

    put_long(w, left);
    for (uint32_t i = 0; i < PAIR_BUCKETS && left > 0 && !w->words.failed; i++) {
        const struct pair *pair = w->d->windows.pair_hash[i];
        for (; pair != NULL && left > 0; left--, pair = pair->next)
            put_pair(w, pair);
    }
    w->words.failed |= left > 0;
}

static void put_groups(struct writer *w, const struct proc *p)
{
    for (const struct win_group *g = p->win_group; g != NULL && !w->words.failed; g = g->next) {
        put(w, g->comm);
        put(w, g->access);
        put_list(w, g->process, g->count);
    }
    put(w, UINT32_MAX);
}

static void put_wave_ref(struct writer *w, const struct wave *v)
{
    put(w, v != NULL ? v->comm->id : UINT32_MAX);
    put(w, v != NULL ? v->index - v->comm->base : 0);
}

/* ---- processes ---- */

static void put_queue(struct writer *w, const struct record_queue *q)
{
    put_long(w, q->count);
    for (size_t i = 0; i < q->count && !w->words.failed; i++)
        put_record(w, &q->slot[(q->first + i) & (q->cap - 1)]);
}

static void put_thread(struct writer *w, const struct mpi_thread *th)
{
    put(w, th->thread);
    put(w, (uint32_t)th->in_call << 4 | (uint32_t)th->exited << 3 | (uint32_t)th->returned << 2 |
               (uint32_t)th->confirmed << 1 | (uint32_t)(th->unsure != NULL));
    put_record(w, &th->call); /* also a call that is over: EXIT with an error may refer to it */
    put_queue(w, &th->queue);
    put_wave_ref(w, th->unsure);
    put(w, th->unsure != NULL ? th->unsure_member : 0);
    if (!th->in_call)
        return;
    put_list(w, th->list, th->call.count);
    put(w, th->open);
    put(w, th->members);
    put(w, th->shared_needed);
    put(w, (uint32_t)(th->send != NULL) << 1 | (uint32_t)(th->recv != NULL));
    put_wave_ref(w, th->wave);
    put(w, (uint32_t)th->found_source);
    put(w, (uint32_t)th->found_tag);
    put(w, th->exited && (th->call.flags & ORK_F_MATCHED) != 0 ? th->found_message : 0);
    if (th->exited)
        put_list(w, th->outcome, th->outcome_count);
}

/* The message and the receive that the request has completed, if the match is undone. */
static void put_taken_at(struct writer *w, const struct proc *to, const struct request *r)
{
    if (r->took_from == NULL)
        return;
    const struct proc *from = r->took_from->proc;
    put(w, from->seen_up_to < r->recv_seq);
    ork_words_put_ordered(&w->words, AXIS_RECEIVES + to->rank, r->recv_seq);
    ork_words_put_ordered(&w->words, channel_axis(from->rank, to->rank), r->took_seq);
    ork_words_put_ordered(&w->words, channel_axis(from->rank, to->rank), r->recv_seq);
}

static void put_request(struct writer *w, const struct proc *p, const struct request *r)
{
    w->words.failed |= r->assumed || r->unconfirmed_by != NULL;
    put(w, r->id);
    put(w, (uint32_t)r->active << 3 | (uint32_t)r->persistent << 2 |
               (uint32_t)(r->op != NULL) << 1 | (uint32_t)(r->waiter != NULL));
    put_record(w, &r->call);
    if (r->call.kind == ORK_KIND_COLL && r->list != NULL)
        put_list(w, r->list, r->call.count);
    put_wave_ref(w, r->wave);
    put(w, r->took_from != NULL ? r->took_from->proc->rank : UINT32_MAX);
    put(w, (uint32_t)r->took_tag);
    put_taken_at(w, p, r);
    put(w, r->overwritten.site);
    put(w, r->overwritten.call);
    put(w, r->starts != NULL ? r->starts->id : UINT32_MAX);
    put(w, r->on.comm != NULL ? r->on.comm->id : UINT32_MAX);
    put(w, r->on.me);
}

static void put_shared(struct writer *w, const struct proc *p)
{
    put(w, p->shared_count);
    if (p->shared_count == 0)
        return;
    put(w, p->shared_complete);
    for (uint32_t i = 0; i < p->num_shared_made; i++)
        put_record(w, &p->shared_made[i]);
    for (const struct op *op = p->shared; op != NULL; op = op->owner_next)
        put_clock(w, op->seq);
}

/* The latest messages that its wildcards took. */
static void put_taken(struct writer *w, const struct proc *p)
{
    uint32_t n = p->num_taken < PROC_TAKEN ? p->num_taken : PROC_TAKEN;

    put(w, n);
    for (uint32_t i = 1; i <= n && !w->words.failed; i++) {
        const struct ork_taken *taken = &p->taken[(p->num_taken - i) % PROC_TAKEN];
        const struct ork_term *receive = &taken->receive;
        put(w, receive->rank);
        put(w, receive->index);
        put(w, receive->call);
        put(w, receive->kind);
        put(w, receive->site);
        put(w, receive->comm);
        put(w, (uint32_t)receive->peer);
        put(w, (uint32_t)receive->tag);
        put(w, receive->op);
        put(w, taken->source);
        put(w, (uint32_t)taken->tag);
    }
}

static void put_found(struct writer *w, const struct proc *p)
{
    put(w, (uint32_t)p->found.are_more << 1 | (uint32_t)p->found.is_one);
    put(w, p->found.is_one ? p->found.comm : 0);
    put(w, p->found.is_one ? p->found.source : 0);
    put(w, p->found.is_one ? (uint32_t)p->found.tag : 0);
}

/* A record whose list is not complete. */
static void put_partial(struct writer *w, const struct proc *p)
{
    put(w, p->is_partial);
    if (!p->is_partial)
        return;
    put_record(w, &p->partial);
    put_list(w, p->words, p->words_have);
}

static void put_proc(struct writer *w, struct proc *p)
{
    ork_bulk_wave_catch_up(p);
    if (!is_plain(p)) {
        w->words.failed = true;
        return;
    }
    put(w, (uint32_t)p->quiet << 3 | (uint32_t)p->depends_on_buffering << 2 |
               (uint32_t)p->window_inspected << 1 | (uint32_t)p->may_overlap);
    if (!w->s->leaves_taken)
        put_taken(w, p);
    put(w, p->num_in_probe);
    put_long(w, p->num_unconfirmed);
    put_found(w, p);
    put_partial(w, p);
    put_knowledge(w, p->seen_up_to);
    put_thread(w, p->first);
    for (uint32_t i = 0; i < p->num_requests && !w->words.failed; i++) {
        if (p->request[i] != NULL && p->request[i]->in_use)
            put_request(w, p, p->request[i]);
    }
    put(w, UINT32_MAX);
    put_shared(w, p);
    put_groups(w, p);
}

static void put_issues(struct writer *w)
{
    const struct issues *issues = &w->d->issues;
    uint64_t repeats = 0, ranks = 0;

    for (uint32_t i = 0; i < issues->count; i++) {
        repeats += issues->issue[i].repeats;
        for (unsigned k = 0; k < issues->issue[i].num_sides; k++)
            ranks += issues->issue[i].side[k].num_ranks;
    }
    put(w, issues->count);
    for (uint32_t i = 0; i < issues->num_open; i++) {
        const struct open_issue *open = &issues->open[i];
        put(w, open->issue);
        put(w, open->thread != NULL ? open->thread->proc->rank : UINT32_MAX);
        put(w, open->request != NULL ? open->request->id : UINT32_MAX);
    }
    put(w, UINT32_MAX);
    put_long(w, repeats);
    put_long(w, ranks);
}

/* ---- the interface ---- */

bool ork_detector_state(struct ork_detector *d, size_t limit, struct ork_detector_state *state)
{
    struct writer w = {.d = d, .s = state};

    ork_words_begin(&w.words, &state->words, limit);
    w.words.failed = !is_detector_plain(d);
    state->num_calls = 0;
    state->has_given_up = d->comms.num_given_up > 0;
    state->counts = d->counts;
    for (uint32_t r = 0; r < d->nprocs && !w.words.failed; r++)
        put_proc(&w, d->proc[r]);
    if (!w.words.failed)
        put_comms(&w);
    if (!w.words.failed)
        put_lock_numbers(&w);
    if (!w.words.failed)
        ork_state_put_ops(&w);
    if (!w.words.failed)
        put_pairs(&w);
    put_issues(&w);
    free(w.op);
    return ork_words_end(&w.words);
}
