/* SPDX-License-Identifier: BSD-3-Clause */
/* From wait states to a wait-for graph: the wait-for condition of each rank that is inside a call,
 * wildcard receives and waves through shared hubs. Parts that something known may complete count as
 * satisfied. */
#include "detector/verdict/search.h"
#include "detector/calls/rma.h"
#include "detector/coll/arrival.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

#include <stdlib.h>

/* Every function below returns whether the part is open (not satisfied), and emits it where `graph`
 * is not NULL. */
struct builder {
    struct ork_detector *d;
    struct ork_wfg *graph;
    struct ork_search *search;
    uint32_t term_cap, hub_cap;
    bool lazy;       /* standard sends are buffered, nobody leaves MPI_Finalize */
    bool lazy_waves; /* collectives wait for their data only */
};

static void emit_open(struct builder *b, enum ork_wfg_op op, uint32_t label)
{
    if (b->graph != NULL)
        ork_wfg_open(b->graph, op, label);
}

static void emit_close(struct builder *b)
{
    if (b->graph != NULL)
        ork_wfg_close(b->graph);
}

static bool emit_true(struct builder *b)
{
    if (b->graph != NULL)
        ork_wfg_true(b->graph);
    return false;
}

static bool emit_atom(struct builder *b, uint32_t process, uint32_t label)
{
    if (b->graph != NULL)
        ork_wfg_atom(b->graph, process, label);
    return true;
}

static uint32_t add_term(struct builder *b, const struct ork_term *term)
{
    struct ork_search *s = b->search;

    if (b->graph == NULL || !grow(b->d, &s->term, &b->term_cap, s->num_terms + 1, sizeof(*s->term)))
        return 0;
    s->term[s->num_terms++] = *term;
    return s->num_terms;
}

static uint32_t add_hub(struct builder *b, enum ork_wfg_op op, const struct ork_hub_view *view)
{
    struct ork_search *s = b->search;

    if (grow(b->d, &s->hub, &b->hub_cap, s->num_hubs + 1, sizeof(*s->hub)))
        s->hub[s->num_hubs++] = *view;
    return ork_wfg_add_hub(b->graph, op, 0);
}

/* ---- hubs ---- */

/* Any member of the group that `me` of `c` receives from. */
static bool emit_any(struct builder *b, struct comm *c, uint32_t me, uint32_t label)
{
    unsigned side = c->inter && me < c->local;

    if (b->graph == NULL)
        return true;
    if (c->self)
        return emit_atom(b, me, label);
    if (c->hub_search[side] != b->d->counts.searches) {
        uint32_t first = side ? c->local : 0;
        uint32_t end = c->inter && !side ? c->local : c->size;
        c->hub_search[side] = b->d->counts.searches;
        c->hub[side] = add_hub(b, ORK_WFG_OR, &(struct ork_hub_view){.any = true, .comm = c->id});
        for (uint32_t i = first; i < end; i++)
            ork_wfg_add_member(b->graph, c->hub[side], comm_member(c, me, i));
    }
    ork_wfg_hub(b->graph, c->hub[side], label);
    return true;
}

/* All members that have not arrived at `w`. */
static bool emit_missing(struct builder *b, struct wave *w, uint32_t label)
{
    struct comm *c = w->comm;
    bool is_finalize = c->ends != NULL;

    if (w->arrived >= wave_size(w))
        return emit_true(b);
    if (b->graph == NULL)
        return true;
    if (w->hub_search != b->d->counts.searches) {
        w->hub_search = b->d->counts.searches;
        w->hub = add_hub(
            b, ORK_WFG_AND,
            &(struct ork_hub_view){.comm = is_finalize ? 0 : c->shown,
                                   .coll = is_finalize ? (uint16_t)ORK_COLL_NONE : w->first.mode});
        for (uint32_t i = 0; i < c->size; i++) {
            if (!wave_has_arrived(w, i))
                ork_wfg_add_member(b->graph, w->hub, comm_member(c, 0, i));
        }
    }
    ork_wfg_hub(b->graph, w->hub, label);
    return true;
}

/* ---- collectives ---- */

static bool emit_lower(struct builder *b, struct wave *w, uint32_t me, uint32_t label)
{
    bool open = false;

    emit_open(b, ORK_WFG_AND, label);
    for (uint32_t i = 0; i < me; i++) {
        if (!wave_has_arrived(w, i))
            open |= emit_atom(b, comm_member(w->comm, me, i), 0);
    }
    emit_close(b);
    return open;
}

static bool emit_lazy_wave(struct builder *b, struct wave *w, uint32_t me,
                           const struct ork_record *call, uint32_t label)
{
    switch (wave_needs(w, me, call)) {
    case WAVE_NEEDS_ALL:
        return emit_missing(b, w, label);
    case WAVE_NEEDS_ROOT:
        return emit_atom(b, comm_member(w->comm, me, (uint32_t)call->peer), label);
    case WAVE_NEEDS_LOWER:
        return emit_lower(b, w, me, label);
    case WAVE_NEEDS_NOTHING:
        break;
    }
    return emit_true(b);
}

/* MPI_Intercomm_create is collective over the union of both groups (MPI-3.1 section 6.6.2). Who is
 * in the other group is known when both leaders have entered. RATIONALE: lazily the leaders alone
 * are needed; they know both groups, and no more is to be told. */
static bool emit_bridge(struct builder *b, const struct proc *p, struct wave *w, uint32_t label)
{
    struct bridge *g = w->bridge;
    struct wave *opposite = wave_opposite(w);
    bool joined = wave_is_joined(w);
    bool open = false;

    emit_open(b, ORK_WFG_AND, label);
    if (!b->lazy_waves) {
        open |= emit_missing(b, w, 0);
        open |= opposite != NULL && emit_missing(b, opposite, 0);
    }
    if (!joined && w->leader != p->rank)
        open |= emit_atom(b, w->leader, 0);
    else if (!joined && g != NULL)
        open |= emit_atom(b, g->leader[g->leader[0] == p->rank], 0);
    emit_close(b);
    return open;
}

/* All that are connected have to come (MPI-3.1 section 8.7). */
static bool emit_finalize(struct builder *b, struct job *job, uint32_t label)
{
    struct ork_detector *d = b->d;
    bool open = false;

    if (d->num_jobs == 1)
        return emit_missing(b, job->end, label);
    job_mark_connected(d, job);
    emit_open(b, ORK_WFG_AND, label);
    for (uint32_t i = 0; i < d->num_jobs; i++) {
        if (d->job[i]->marked)
            open |= emit_missing(b, d->job[i]->end, 0);
    }
    emit_close(b);
    return open;
}

static bool emit_wave(struct builder *b, const struct proc *p, struct wave *w,
                      const struct ork_record *call, uint32_t label)
{
    if (w->issue != 0 || wave_is_complete(w)) /* a mismatch is reported as such */
        return emit_true(b);
    if (w->comm->ends != NULL)
        return emit_finalize(b, w->comm->ends, label);
    if (w->first.mode == ORK_COLL_INTERCOMM_CREATE)
        return emit_bridge(b, p, w, label);
    if (!b->lazy_waves)
        return emit_missing(b, w, label);
    uint32_t me;
    return wave_member(w, p->rank, &me) ? emit_lazy_wave(b, w, me, call, label) : emit_true(b);
}

/* ---- point-to-point ---- */

static struct comm_ref *ref_of(const struct proc *p, const struct comm *c)
{
    for (uint32_t i = 0; i < p->num_comms; i++) {
        if (p->comm[i].comm == c)
            return &p->comm[i];
    }
    return NULL;
}

static bool emit_op(struct builder *b, struct op *op, uint32_t label)
{
    struct proc *p = op == NULL ? NULL : op->strand->proc;
    bool by_any = false;

    if (op == NULL || op->cancelling ||
        (match_is_possible(op) && !match_is_forestalled(op, &by_any)))
        return emit_true(b);
    if (op->is_send)
        return b->lazy && op->mode != ORK_SEND_SYNCHRONOUS ? emit_true(b)
                                                           : emit_atom(b, op->q->dst, label);
    if (op->peer != ORK_ANY_SOURCE && !by_any)
        return emit_atom(b, (uint32_t)op->q->src, label);
    struct comm *c = b->d->comm[op->comm];
    struct comm_ref *ref = c == NULL ? NULL : ref_of(p, c);
    return ref == NULL ? emit_true(b) : emit_any(b, c, ref->me, label);
}

static bool emit_probe(struct builder *b, struct strand *st)
{
    struct proc *p = st->proc;
    struct comm_ref *ref = comm_ref(p, st->call.comm);
    uint32_t src = 0;

    if (st->unknown || ref == NULL || st->call.peer == ORK_PROC_NULL)
        return emit_true(b);
    bool any = st->call.peer == ORK_ANY_SOURCE;
    if (!any && !comm_peer(ref, st->call.peer, &src))
        return emit_true(b);
    if (match_probe(b->d, ref->comm, p->rank, any ? ORK_ANY_SOURCE : (int32_t)src, st->call.tag) !=
        PRESENCE_NONE)
        return emit_true(b);
    return any ? emit_any(b, ref->comm, ref->me, 0) : emit_atom(b, src, 0);
}

static bool emit_sendrecv(struct builder *b, struct strand *st)
{
    const struct ork_record *call = &st->call;
    const struct comm_ref *ref = comm_ref(st->proc, call->comm);
    struct ork_term send = {.rank = st->proc->rank,
                            .index = UINT32_MAX,
                            .call = call->call,
                            .kind = ORK_KIND_SEND,
                            .comm = ref != NULL ? ref->comm->id : ORK_COMM_UNKNOWN,
                            .site = call->site,
                            .peer = call->peer,
                            .tag = call->tag};
    struct ork_term recv = send;
    bool open;

    recv.kind = ORK_KIND_RECV;
    recv.peer = call->peer2;
    recv.tag = call->tag2;
    emit_open(b, ORK_WFG_AND, 0);
    open = emit_op(b, st->send, add_term(b, &send));
    open |= emit_op(b, st->recv, add_term(b, &recv));
    emit_close(b);
    return open;
}

/* ---- waiting for requests ---- */

static uint32_t request_term(struct builder *b, struct proc *p, const struct ork_record *call,
                             uint32_t index)
{
    struct comm_ref *ref = comm_ref(p, call->comm);

    return add_term(b, &(struct ork_term){.rank = p->rank,
                                          .index = index,
                                          .call = call->call,
                                          .kind = call->kind,
                                          .site = call->site,
                                          .comm = ref != NULL ? ref->comm->id : 0,
                                          .peer = call->peer,
                                          .tag = call->tag,
                                          .op = call->kind == ORK_KIND_COLL ? call->arg : 0});
}

static bool emit_request(struct builder *b, struct proc *p, struct request *r, uint32_t index)
{
    if (r->op != NULL)
        return emit_op(b, r->op, request_term(b, p, &r->call, index));
    if (r->wave != NULL)
        return emit_wave(b, p, r->wave, &r->call, request_term(b, p, &r->call, index));
    return emit_true(b);
}

static bool emit_bag(struct builder *b, struct proc *p, bool all)
{
    uint32_t n = 0, open = 0;

    emit_open(b, all ? ORK_WFG_AND : ORK_WFG_OR, 0);
    for (struct op *op = p->bag; op != NULL; op = op->bag_next) {
        struct ork_term term = {.rank = p->rank,
                                .index = UINT32_MAX,
                                .call = op->call,
                                .kind = op->is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                                .site = op->site,
                                .comm = op->comm,
                                .peer = op->peer,
                                .tag = op->tag};
        open += emit_op(b, op, add_term(b, &term));
        n++;
    }
    emit_close(b);
    return all ? open > 0 : open == n && n > 0;
}

static bool emit_wait(struct builder *b, struct strand *st)
{
    struct proc *p = st->proc;
    bool all = st->call.mode == ORK_WAIT_ONE || st->call.mode == ORK_WAIT_ALL;
    uint32_t members = 0, open = 0;

    emit_open(b, all ? ORK_WFG_AND : ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = request_find(p, st->list[i]);
        if (r == NULL || !r->active)
            continue;
        members++;
        open += emit_request(b, p, r, i);
    }
    if (st->bag_need > 0) {
        bool satisfied = p->bag_complete >= (all ? st->bag_need : 1) || p->bag_size == 0;
        members++;
        open += satisfied ? emit_true(b) : emit_bag(b, p, all && st->bag_need >= p->bag_size);
    }
    if (!all && members == 0) /* MPI_UNDEFINED at once */
        emit_true(b);
    emit_close(b);
    return all ? open > 0 : open == members && members > 0;
}

/* ---- ranks ---- */

static bool emit_epoch(struct builder *b, struct strand *st)
{
    uint32_t at = 0, process;
    bool open = false;

    if (b->lazy && st->call.kind == ORK_KIND_WIN_START)
        return emit_true(b);
    emit_open(b, ORK_WFG_AND, 0);
    while (rma_next_missing(st, &at, &process))
        open |= emit_atom(b, process, 0);
    emit_close(b);
    return open;
}

/* Who holds a lock cannot be observed: any of those that may is enough to go on. */
static bool emit_lock(struct builder *b, struct strand *st)
{
    const struct lock *at = NULL;
    uint32_t process;
    bool open = false;

    if (b->lazy || st->open == 0)
        return emit_true(b);
    emit_open(b, ORK_WFG_OR, 0);
    while (rma_next_holder(st, &at, &process))
        open |= emit_atom(b, process, 0);
    if (!open)
        emit_true(b);
    emit_close(b);
    return open;
}

/* Every message that is still in the buffer is to be matched (MPI-3.1 section 3.6). */
static bool emit_detach(struct builder *b, struct proc *p)
{
    bool open = false;

    if (b->lazy)
        return emit_true(b);
    emit_open(b, ORK_WFG_AND, 0);
    for (struct op *op = p->buffered; op != NULL; op = op->bag_next)
        open |= emit_op(b, op, 0);
    emit_close(b);
    return open;
}

static bool emit_strand(struct builder *b, struct strand *st)
{
    if (st->unknown)
        return emit_true(b);
    switch ((int)st->call.kind) {
    case ORK_KIND_SEND:
        return emit_op(b, st->send, 0);
    case ORK_KIND_RECV:
        return emit_op(b, st->recv, 0);
    case ORK_KIND_SENDRECV:
        return emit_sendrecv(b, st);
    case ORK_KIND_PROBE:
        return emit_probe(b, st);
    case ORK_KIND_WAIT:
        return emit_wait(b, st);
    case ORK_KIND_BUFFER_DETACH:
        return emit_detach(b, st->proc);
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_WAIT:
        return emit_epoch(b, st);
    case ORK_KIND_WIN_LOCK:
        return emit_lock(b, st);
    case ORK_KIND_COLL:
    case ORK_KIND_FINALIZE:
        return st->wave != NULL ? emit_wave(b, st->proc, st->wave, &st->call, 0) : emit_true(b);
    default:
        return emit_true(b);
    }
}

static bool emit_anybody(struct builder *b, struct proc *p)
{
    struct ork_detector *d = b->d;

    if (d->num_jobs == 1)
        return emit_any(b, p->job->world, p->rank, 0);
    emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < d->num_jobs; i++)
        emit_any(b, d->job[i]->world, p->rank, 0);
    emit_close(b);
    return true;
}

/* A process that does nothing but ask: one of its requests, or (probes) a message of anybody, would
 * let it go on. */
static bool emit_polling(struct builder *b, struct proc *p)
{
    bool any = false;

    if (p->polling == ORK_POLL_ANYTHING)
        return emit_anybody(b, p);
    emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < p->num_requests; i++) {
        struct request *r = p->request[i];
        if (r == NULL || !r->in_use || !r->active)
            continue;
        any = true;
        emit_request(b, p, r, UINT32_MAX);
    }
    if (p->bag_complete > 0 || (p->bag == NULL && !any))
        emit_true(b);
    else if (p->bag != NULL)
        emit_bag(b, p, false);
    emit_close(b);
    return true;
}

static bool is_resting(const struct strand *st)
{
    return st->thread < 64 && (st->proc->resting >> st->thread & 1) != 0 && st->queue.count == 0;
}

static bool is_running(const struct proc *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_strands; i++) {
        const struct strand *st = p->strand[i];
        if (!st->held && st->turn != TURN_AFTER && !is_resting(st))
            return true;
        any |= st->held;
    }
    return p->num_strands == 0 || (p->resting != 0 && !any);
}

/* Its last call failed: what it announced is not what it does. */
static bool has_failed(const struct proc *p)
{
    return p->ended && p->end == ORK_END_FAILED;
}

bool search_is_gone(const struct proc *p)
{
    if (!p->ended || p->end == ORK_END_KILLED || has_failed(p))
        return false;
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (strand_has_moved(p->strand[i]) || p->strand[i]->turn != TURN_NOW)
            return false; /* strictly it never got there */
    }
    return true;
}

static bool is_in_finalize(const struct proc *p)
{
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->held && p->strand[i]->call.kind == ORK_KIND_FINALIZE)
            return true;
    }
    return false;
}

/* What the call of a strand waits for. */
static void emit_call(struct builder *b, struct strand *st)
{
    emit_open(b, ORK_WFG_AND, 0);
    emit_strand(b, st);
    emit_close(b);
}

static void emit_proc(struct builder *b, struct proc *p)
{
    if (p->fault != NULL || p->busy || p->misled || has_failed(p))
        return;
    if (search_is_gone(p) || (b->lazy && is_in_finalize(p))) {
        ork_wfg_set_done(b->graph, p->rank);
        return;
    }
    if (is_running(p) && p->polling != ORK_POLL_NONE && p->num_strands == 1) {
        ork_wfg_begin(b->graph, p->rank);
        emit_polling(b, p);
        ork_wfg_end(b->graph);
        return;
    }
    if (is_running(p))
        return;
    ork_wfg_begin(b->graph, p->rank);
    emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->held) /* else it waits for another strand, and so for nothing else */
            emit_call(b, p->strand[i]);
    }
    emit_close(b);
    ork_wfg_end(b->graph);
}

static bool waits_for_cancelled(struct proc *p, const struct strand *st)
{
    bool any = false;

    for (uint32_t i = 0; st->held && st->has_cancelled && i < st->call.count; i++) {
        const struct request *r = request_find(p, st->list[i]);
        any |= r != NULL && r->op != NULL && r->op->is_send && r->op->cancelling;
    }
    return any;
}

static void set_call(struct ork_rank_view *view, struct strand *st)
{
    struct comm_ref *ref = comm_ref(st->proc, st->call.comm);

    view->cancelled = waits_for_cancelled(st->proc, st);
    view->strange = st->held && st->call.kind == ORK_KIND_WAIT ? st->strange : 0;
    view->unsure = st->held && st->unsure != NULL;
    view->call = st->call;
    view->comm = ref != NULL ? ref->comm->id : 0;
}

/* An empty graph of `nodes` processes. NULL: out of memory. */
static struct ork_search *search_new(struct ork_detector *d, uint32_t nodes)
{
    struct ork_search *s = d->failed ? NULL : calloc(1, sizeof(*s));

    if (s == NULL || ork_wfg_create(nodes, &s->wfg) != ORK_OK) {
        free(s);
        return NULL;
    }
    d->counts.searches++;
    return s;
}

static struct builder builder_of(struct ork_detector *d, struct ork_search *s,
                                 enum ork_semantics semantics)
{
    return (struct builder){.d = d,
                            .graph = s->wfg,
                            .search = s,
                            .lazy = semantics == ORK_LAZY,
                            .lazy_waves = semantics == ORK_LAZY || d->model.dataflow};
}

/* Search the graph of `s`, which is the caller's in *out, or gone. */
static enum ork_status search_finish(struct ork_detector *d, struct ork_search *s,
                                     struct ork_search **out)
{
    enum ork_status status = ork_wfg_search(s->wfg);

    if (status != ORK_OK || d->failed) {
        ork_search_destroy(s);
        return d->failed ? ORK_NOMEM : status;
    }
    *out = s;
    return ORK_OK;
}

enum ork_status ork_detector_search(struct ork_detector *d, enum ork_semantics semantics,
                                    struct ork_search **out)
{
    struct ork_search *s = search_new(d, d->nprocs);

    if (s == NULL)
        return ORK_NOMEM;
    struct builder b = builder_of(d, s, semantics);
    for (uint32_t r = 0; r < d->nprocs; r++)
        emit_proc(&b, d->proc[r]);
    return search_finish(d, s, out);
}

/* ---- calls that never return, whatever the other threads of their ranks do ---- */

/* Is it in a call of its own, beside other threads? */
static bool is_one_of_several(const struct strand *st)
{
    const struct proc *p = st->proc;

    return st->held && !st->unknown && !strand_has_moved(st) && (p->num_strands > 1 || p->busy) &&
           p->fault == NULL && !p->misled && !search_is_gone(p) && !is_in_finalize(p);
}

/* How many such calls there are; 0 as well if all ranks may still make calls. */
static uint32_t count_calls(const struct ork_detector *d)
{
    uint32_t n = 0;
    bool any_gone = false;

    for (uint32_t r = 0; r < d->nprocs; r++) {
        const struct proc *p = d->proc[r];
        any_gone |= search_is_gone(p) || is_in_finalize(p);
        for (uint32_t i = 0; i < p->num_strands; i++)
            n += is_one_of_several(p->strand[i]);
    }
    return any_gone ? n : 0;
}

/* The graph of all ranks, under every implementation, and behind them a node for each such call. */
static enum ork_status search_each_call(struct ork_detector *d, uint32_t calls,
                                        struct ork_search **out)
{
    struct ork_search *s = search_new(d, d->nprocs + calls);
    uint32_t node = d->nprocs;

    if (s == NULL)
        return ORK_NOMEM;
    struct builder b = builder_of(d, s, ORK_LAZY);
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        emit_proc(&b, p);
        for (uint32_t i = 0; i < p->num_strands; i++) {
            if (!is_one_of_several(p->strand[i]))
                continue;
            ork_wfg_begin(b.graph, node++);
            emit_call(&b, p->strand[i]);
            ork_wfg_end(b.graph);
        }
    }
    return search_finish(d, s, out);
}

/* The first such call of `p` that never returns; NULL: there is none. *node: of its first call,
 * then of the next rank's first one. */
static struct strand *dead_call(const struct proc *p, const struct ork_search *each, uint32_t *node)
{
    struct strand *dead = NULL;

    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (!is_one_of_several(p->strand[i]))
            continue;
        if (ork_wfg_is_deadlocked(each->wfg, (*node)++) && dead == NULL)
            dead = p->strand[i];
    }
    return dead;
}

/* Nobody but those of whom it is certain. RATIONALE: a rank of which only one call never returns
 * may release others. */
static enum ork_status search_dead_calls(struct ork_detector *d, const struct ork_search *each,
                                         struct ork_search **out)
{
    struct ork_search *s = search_new(d, d->nprocs);
    uint32_t node = d->nprocs;

    if (s == NULL || (s->rank = calloc(d->nprocs, sizeof(*s->rank))) == NULL) {
        ork_search_destroy(s);
        return ORK_NOMEM;
    }
    struct builder b = builder_of(d, s, ORK_STRICT);
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        struct strand *dead = dead_call(p, each, &node);
        s->rank[r] = ork_detector_rank(d, r);
        if (dead != NULL) {
            s->rank[r].status = ORK_RANK_BLOCKED;
            s->rank[r].moved = false;
            set_call(&s->rank[r], dead);
            ork_wfg_begin(b.graph, r);
            emit_call(&b, dead);
            ork_wfg_end(b.graph);
        } else if (ork_wfg_is_deadlocked(each->wfg, r)) {
            emit_proc(&b, p);
        }
    }
    return search_finish(d, s, out);
}

enum ork_status ork_detector_search_calls(struct ork_detector *d, struct ork_search **out)
{
    struct ork_search *each = NULL;
    uint32_t calls = count_calls(d), dead = 0;

    *out = NULL;
    if (calls == 0)
        return ORK_OK;
    enum ork_status status = search_each_call(d, calls, &each);
    if (status != ORK_OK)
        return status;
    for (uint32_t i = 0; i < calls; i++)
        dead += ork_wfg_is_deadlocked(each->wfg, d->nprocs + i);
    if (dead > 0)
        status = search_dead_calls(d, each, out);
    ork_search_destroy(each);
    return status;
}

void ork_search_destroy(struct ork_search *search)
{
    if (search == NULL)
        return;
    ork_wfg_destroy(search->wfg);
    free(search->term);
    free(search->hub);
    free(search->rank);
    free(search);
}

bool search_is_open(struct strand *st)
{
    struct builder b = {.d = st->proc->d, .lazy_waves = st->proc->d->model.dataflow};

    return emit_strand(&b, st);
}

/* ---- views ---- */

static enum ork_rank_status status_of(const struct proc *p, struct strand *st)
{
    if (search_is_gone(p))
        return ORK_RANK_DONE;
    if (p->fault != NULL || p->misled || has_failed(p) || (st != NULL && st->held && st->unknown))
        return ORK_RANK_UNKNOWN;
    if ((st == NULL || !st->held) && p->polling != ORK_POLL_NONE)
        return ORK_RANK_POLLING;
    if (st == NULL || !st->held)
        return ORK_RANK_RUNNING;
    return search_is_open(st) ? ORK_RANK_BLOCKED : ORK_RANK_STALLED;
}

struct strand *search_shown(const struct proc *p)
{
    struct strand *st = p->num_strands > 0 ? p->strand[0] : NULL;

    for (uint32_t i = 0; i < p->num_strands && !st->held; i++)
        st = p->strand[i];
    return st;
}

struct ork_rank_view ork_search_rank(const struct ork_detector *d, const struct ork_search *s,
                                     uint32_t rank)
{
    return s != NULL && s->rank != NULL ? s->rank[rank] : ork_detector_rank(d, rank);
}

struct ork_rank_view ork_detector_rank(const struct ork_detector *d, uint32_t rank)
{
    struct ork_rank_view view = {.call.kind = ORK_KIND_CONT};

    if (rank >= d->nprocs)
        return view;
    struct proc *p = d->proc[rank];
    passage_look(p);
    struct strand *st = search_shown(p);
    view.status = status_of(p, st);
    view.end = p->end;
    view.quiet = p->quiet;
    view.assumed = p->assumed;
    view.qualified = p->qualified || p->debts > 0 || p->bag_doubt;
    for (uint32_t i = 0; i < p->num_strands; i++)
        view.moved |= strand_has_moved(p->strand[i]);
    if (view.status == ORK_RANK_POLLING) {
        view.call = p->poll;
        const struct comm_ref *ref = comm_ref(p, p->poll.comm);
        view.comm = ref != NULL ? ref->comm->shown : UINT32_MAX;
        return view;
    }
    if (st != NULL)
        set_call(&view, st);
    return view;
}

const struct ork_record *ork_detector_passed(const struct ork_detector *d, uint32_t rank)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;

    return p != NULL && p->passed.kind != ORK_KIND_CONT ? &p->passed : NULL;
}
