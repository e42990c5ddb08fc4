/* SPDX-License-Identifier: BSD-3-Clause */
/* Translate calls to parts of a program. */
#include "detector/program/program.h"

#include <stdlib.h>

bool ork_program_comm(const struct reader *r, const struct ork_record *rec, struct comm_ref *ref)
{
    if (!r->in_queue) {
        *ref = (struct comm_ref){.comm = ork_comm_numbered(r->o->d, rec->comm),
                                 .me = rec->extra <= UINT32_MAX ? (uint32_t)rec->extra : 0};
        return ref->comm != NULL && ref->comm->index != NULL && ref->me < ref->comm->size;
    }
    const struct comm_ref *have = ork_comm_ref(r->p, rec->comm);
    if (have == NULL)
        return false;
    *ref = *have;
    return true;
}

static uint32_t group_of(struct program_builder *o, const struct comm *c, unsigned which)
{
    struct comm_builder *comm_builder = ork_comm_builder(o, c);
    uint32_t first = which == 2 ? c->local : 0;
    uint32_t end = which == 1 ? c->local : c->size;

    if (comm_builder->group[which] == 0) {
        uint32_t *rank = malloc((c->size + (size_t)1) * sizeof(*rank));
        if (rank == NULL) {
            o->d->failed = true;
            return ORK_INTERLEAVE_NONE;
        }
        for (uint32_t i = first; i < end; i++)
            rank[i - first] = ork_comm_member(c, 0, i);
        comm_builder->group[which] = ork_interleave_group(o->program, rank, end - first) + 1;
        free(rank);
    }
    return comm_builder->group[which] - 1;
}

/* The possible sources of a receive from MPI_ANY_SOURCE: a group of the program. */
static uint32_t senders_of(struct program_builder *o, const struct comm_ref *ref)
{
    const struct comm *c = ref->comm;

    return group_of(o, c, !c->inter ? 0 : ref->me < c->local ? 2 : 1);
}

uint32_t ork_program_wave(struct program_builder *o, struct comm *c, uint32_t index)
{
    struct comm_builder *comm_builder = ork_comm_builder(o, c);
    ORK_ASSERT(index >= comm_builder->base);
    uint32_t i = index - comm_builder->base;

    if (!ork_grow(o->d, &comm_builder->wave, &comm_builder->waves, i + 1,
                  sizeof(*comm_builder->wave)))
        return ORK_INTERLEAVE_NONE;
    if (comm_builder->wave[i] == 0)
        comm_builder->wave[i] =
            ork_interleave_wave(o->program, group_of(o, c, 0), c->ends != NULL, c->id) + 1;
    return comm_builder->wave[i] - 1;
}

static uint32_t add_call(struct program_builder *o, const struct ork_record *rec, uint32_t comm,
                         uint32_t me)
{
    if (!ork_grow(o->d, &o->call, &o->call_cap, o->num_calls + 1, sizeof(*o->call)))
        return ORK_INTERLEAVE_NONE;
    o->call[o->num_calls] = (struct program_call){.call = *rec, .comm = comm, .me = me};
    return o->num_calls++;
}

bool ork_program_is_permissive(const struct proc *p, uint32_t site)
{
    return site != 0 && site / 8 < p->relaxed_sites && (p->relaxed_site[site / 8] >> site % 8 & 1);
}

static bool is_buffered(const struct reader *r, const struct ork_record *rec)
{
    const struct ork_model *model = &r->o->d->model;

    return rec->mode == ORK_SEND_BUFFERED || ork_program_is_permissive(r->p, rec->site) ||
           (rec->mode == ORK_SEND_STANDARD && model->buffered && rec->bytes <= model->eager_bytes);
}

/* Peer and tag of that half of `rec`. */
static int32_t peer_of(const struct ork_record *rec, bool is_send)
{
    return rec->kind == ORK_KIND_SENDRECV && !is_send ? rec->peer2 : rec->peer;
}

static int32_t tag_of(const struct ork_record *rec, bool is_send)
{
    return rec->kind == ORK_KIND_SENDRECV && !is_send ? rec->tag2 : rec->tag;
}

enum made ork_program_make_op(struct reader *r, const struct ork_record *rec, struct comm_ref ref,
                              bool is_send, struct ork_interleave_op *op)
{
    int32_t peer = peer_of(rec, is_send);
    bool any = !is_send && peer == ORK_ANY_SOURCE;
    uint32_t process = 0;

    if (peer == ORK_PROC_NULL)
        return MADE_NOTHING;
    if (!any && !ork_comm_peer(&ref, peer, &process))
        return UNKNOWN;
    *op = (struct ork_interleave_op){.rank = r->p->rank,
                                     .comm = ref.comm->id,
                                     .is_send = is_send,
                                     .buffered = is_send && is_buffered(r, rec),
                                     .peer = any ? ORK_INTERLEAVE_ANY : process,
                                     .tag = tag_of(rec, is_send),
                                     .took = ORK_INTERLEAVE_ANY,
                                     .took_tag = ORK_ANY_TAG,
                                     .info = add_call(r->o, rec, ref.comm->id, ref.me)};
    op->group = any ? senders_of(r->o, &ref) : ORK_INTERLEAVE_NONE;
    return MADE_OP;
}

void ork_program_take(struct reader *r, struct ork_interleave_op *op, int32_t source, int32_t tag,
                      const struct ork_record *observer)
{
    uint32_t process;

    if (op->is_send || op->peer != ORK_INTERLEAVE_ANY || op->info >= r->o->num_calls)
        return;
    const struct program_call *call = &r->o->call[op->info];
    const struct comm_ref ref = {.comm = ork_comm_numbered(r->o->d, call->comm), .me = call->me};
    if (!ork_comm_peer(&ref, source, &process))
        return;
    op->took = process;
    op->took_tag = tag;
    op->may_differ = r->o->scope != ORK_AS_OBSERVED;
    op->looked = (observer->flags & ORK_F_BLIND) == 0;
    op->blind = r->o->scope == ORK_OTHERWISE_ANYHOW || !op->looked;
}

void ork_program_await(struct reader *r, enum ork_interleave_mode mode,
                       const struct ork_interleave_part *part, uint32_t parts, uint32_t took)
{
    struct comm_ref ref;

    ork_interleave_await(
        r->o->program, r->p->rank, mode, part, parts, took,
        add_call(r->o, &r->rec, ork_program_comm(r, &r->rec, &ref) ? ref.comm->id : 0, 0));
}

struct request_slot *ork_program_request(struct reader *r, uint32_t id, bool make)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];

    if (id >= ORK_REQUEST_SHARED)
        return NULL;
    if (make && !ork_grow(r->o->d, &s->request_slot, &s->num_request_slots, id + 1,
                          sizeof(*s->request_slot)))
        return NULL;
    return id < s->num_request_slots ? &s->request_slot[id] : NULL;
}

bool ork_program_start(struct reader *r, uint32_t id, const struct ork_record *rec,
                       struct comm_ref ref)
{
    struct request_slot *s = ork_program_request(r, id, true);
    struct ork_interleave_op op;
    enum made made = ork_program_make_op(r, rec, ref, rec->kind == ORK_KIND_SEND, &op);

    if (s == NULL || made == UNKNOWN)
        return false;
    s->has_part = made == MADE_OP;
    if (made == MADE_OP)
        s->part = (struct ork_interleave_part){.number = ork_interleave_post(r->o->program, &op)};
    return true;
}

void ork_program_observe(struct reader *r, const struct ork_record *observer, uint32_t id,
                         int32_t source, int32_t tag)
{
    struct request_slot *s = ork_program_request(r, id, false);

    if (s != NULL && s->has_part && !s->part.is_wave)
        ork_program_take(r, ork_interleave_change(r->o->program, s->part.number), source, tag,
                         observer);
}

void ork_program_consume(struct reader *r, uint32_t id)
{
    struct request_slot *s = ork_program_request(r, id, false);

    if (s != NULL)
        s->has_part = false;
}

bool ork_program_start_shared(struct reader *r, const struct ork_record *rec, struct comm_ref ref)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];
    struct ork_interleave_op op;
    enum made made = ork_program_make_op(r, rec, ref, rec->kind == ORK_KIND_SEND, &op);

    if (made == UNKNOWN ||
        !ork_grow(r->o->d, &s->shared, &s->shared_cap, s->shared_parts + 1, sizeof(*s->shared)))
        return false;
    s->shared_started++;
    if (made == MADE_OP)
        s->shared[s->shared_parts++] =
            (struct ork_interleave_part){.number = ork_interleave_post(r->o->program, &op)};
    return true;
}

/* All of them were waited for or dropped, except operations that were complete at once. */
static void forget_shared(struct rank_builder *s)
{
    uint32_t gone = s->shared_waited + s->shared_dropped;

    s->shared_started -= gone < s->shared_started ? gone : s->shared_started;
    s->shared_parts = s->shared_waited = s->shared_dropped = 0;
}

void ork_program_await_shared(struct reader *r, uint32_t n, struct ork_interleave_part *part,
                              uint32_t *parts)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];
    uint32_t at_once = s->shared_started - s->shared_parts;

    ORK_ASSERT(s->shared_parts <= s->shared_started);
    s->shared_waited += n;
    uint32_t need = s->shared_waited > at_once ? s->shared_waited - at_once : 0;
    bool all = need >= s->shared_parts;
    for (uint32_t i = 0; all && i < s->shared_parts; i++)
        part[(*parts)++] = s->shared[i];
    if (!all && need > 0 && !ork_program_is_permissive(r->p, r->rec.site))
        ork_program_await(r, ORK_INTERLEAVE_ANY_OF, s->shared, s->shared_parts, s->shared_parts);
    if (all || s->shared_waited + s->shared_dropped >= s->shared_started)
        forget_shared(s);
}

void ork_program_drop_shared(struct reader *r)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];

    s->shared_dropped++;
    if (s->shared_waited + s->shared_dropped >= s->shared_started)
        forget_shared(s);
}
